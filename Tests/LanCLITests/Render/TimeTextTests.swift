import LanCore
import LanSystem
import LanWire
import TestKit
import Testing

@testable import LanCLI

private typealias Sample = SampleMessage

@Suite("Times of messages") struct TimeTests {
  @Test("UTC, spans from the first and the message before, or none") func formats() throws {
    func times(_ format: String) throws -> [String] {
      try lines(kinds(), ["--time=\(format)", "--oneline"]).map { line in
        String(line.prefix { !$0.isLetter || $0 == "T" || $0 == "Z" })
      }
    }
    #expect(
      try times("utc").prefix(2) == [
        "2023-11-14T22:13:20.000000Z  ", "2023-11-14T22:13:20.250000Z  ",
      ])
    #expect(
      try times("relative") == [
        "       0.000000  ", "       0.250000  ", "      10.000000  ", "     100.000000  ",
        "     110.000000  ",
      ])
    #expect(
      try times("delta") == [
        "       0.000000  ", "       0.250000  ", "       9.750000  ", "      90.000000  ",
        "      10.000000  ",
      ])
    #expect(try times("none") == ["", "", "", "", ""])
  }

  private func span(_ nanoseconds: Int64, digits: UInt8 = 6) -> String {
    var out = OutputBuffer(capacity: 1)
    TimeText.appendSpan(nanoseconds, digits: digits, to: &out)
    return out.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
  }

  @Test(
    "spans are right-aligned, negative ones with their sign",
    arguments: [
      (0, "       0.000000"), (1_000, "       0.000001"), (-1_000, "      -0.000001"),
      (-1_500_000_000, "      -1.500000"), (9_999_999_000, "       9.999999"),
      (10_000_000_000, "      10.000000"), (1_234_567_000_000_000, " 1234567.000000"),
      (12_345_678_000_000_000, " 12345678.000000"), (.max, " 9223372036.854775"),
      (.min, "-9223372036.854775"),
    ] as [(Int64, String)])
  func spans(_ nanoseconds: Int64, _ text: String) {
    #expect(span(nanoseconds) == text)
  }

  @Test(
    "a time has as many digits as its source tells",
    arguments: [
      (6, "00.123456Z"), (7, "00.1234567Z"), (9, "00.123456789Z"),
    ] as [(UInt8, String)])
  func digits(_ digits: UInt8, _ end: String) {
    var time = TimeText()
    var out = OutputBuffer(capacity: 1)
    time.appendUTC(123_456_789, digits: digits, to: &out)
    let text = out.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
    #expect(text == "1970-01-01T00:00:" + end)
  }

  @Test("instants before the epoch round towards the past") func before() {
    var time = TimeText()
    var out = OutputBuffer(capacity: 1)
    time.appendUTC(-1, digits: 9, to: &out)
    out.append(" ")
    time.appendUTC(0, digits: 9, to: &out)
    out.append(" ")
    time.appendUTC(-1_000_000_000, digits: 6, to: &out)
    let text = out.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
    #expect(
      text == "1969-12-31T23:59:59.999999999Z 1970-01-01T00:00:00.000000000Z "
        + "1969-12-31T23:59:59.000000Z")
  }

  @Test("a frame without a time is said to have none") func timeless() throws {
    let sent = SniffTrace()
    sent.send(try Sample.query(["h.local"]), at: nil)
    for format in ["local", "utc", "relative", "delta"] {
      let line = try lines(sent, ["--time=\(format)", "--oneline"])[0]
      #expect(line.hasPrefix("(no time) "))
    }
  }
}
