import LanSystem
import TestKit
import Testing

/// What `build` writes into a buffer that starts small, so that growing is met too.
private func written(capacity: Int = 1, _ build: (inout OutputBuffer) -> Void) -> [UInt8] {
  var out = OutputBuffer(capacity: capacity)
  build(&out)
  return out.withBytes { bytes in bytes.indices.map { bytes[$0] } }
}

private func text(_ build: (inout OutputBuffer) -> Void) -> String {
  String(decoding: written(build), as: UTF8.self)
}

@Suite("Lines of output") struct OutputBufferTests {
  @Test("numbers at every power of ten and beside it have the right digits") func decimals() {
    var values: [UInt64] = [0, .max, .max - 1]
    var power: UInt64 = 1
    for _ in 0..<20 {
      values += [power - 1, power, power + 1]
      let (next, overflow) = power.multipliedReportingOverflow(by: 10)
      if overflow { break }
      power = next
    }
    for value in values { #expect(text { $0.append(decimal: value) } == "\(value)") }
  }

  @Test("signed numbers reach both ends") func signed() {
    for value in [Int64.min, .min + 1, -1_000, -10, -9, -1, 0, 1, 9, 10, .max] {
      #expect(text { $0.append(value) } == "\(value)")
    }
    #expect(text { $0.append(Int8.min) } == "-128")
    #expect(text { $0.append(UInt8.max) } == "255")
  }

  @Test(
    "leading zeros fill up to the width",
    arguments: [
      (0, 1, "0"), (0, 9, "000000000"), (42, 6, "000042"), (999_999_999, 9, "999999999"),
      (7, 2, "07"), (123_456_789_012_345_678, 18, "123456789012345678"),
    ])
  func widths(_ value: Int, _ width: Int, _ expected: String) {
    #expect(text { $0.append(value, width: width) } == expected)
  }

  @Test("a buffer grows with what is written and loses nothing") func growth() {
    let bytes = written(capacity: 1) { out in
      for index in 0..<100_000 { out.append(byte: UInt8(truncatingIfNeeded: index)) }
    }
    #expect(bytes == (0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    let large = [UInt8](repeating: 7, count: 200_000)
    #expect(written { $0.append(bytes: large) } == large)
  }

  @Test("a repeated part is copied whole, also when the buffer has to grow for it")
  func repeating() {
    let part = (0..<63).map { UInt8($0) }
    let bytes = written { out in
      out.append(bytes: part)
      for _ in 0..<6 { out.repeatBytes(0..<out.count) }
    }
    #expect(bytes == Array((0..<64).map { _ in part }.joined()))
    #expect(
      text { out in
        out.append("abcdef")
        out.repeatBytes(2..<4)
        out.repeatBytes(3..<3)
      } == "abcdefcd")
  }

  @Test("a part that was not written is not repeated") func repeatingNothing() {
    #expect(
      text { out in
        out.append("ab")
        out.repeatBytes(0..<3)
        out.repeatBytes(-1..<1)
      } == "ab")
  }

  @Test("cutting back and forgetting leave what was there before") func truncating() {
    #expect(
      text { out in
        out.append("abcdef")
        out.truncate(to: 4)
        out.truncate(to: 9)
        out.truncate(to: -1)
      } == "abcd")
    #expect(
      text { out in
        out.append("abcdef")
        out.removeAll()
        out.append("x")
      } == "x")
  }

  @Test("spaces fill up to a column, at least one unless told otherwise") func padding() {
    #expect(
      text { out in
        out.append("ab")
        out.pad(from: 0, to: 5)
        out.append("|")
      } == "ab   |")
    #expect(
      text { out in
        out.append("abcdef")
        out.pad(from: 0, to: 5)
        out.append("|")
      } == "abcdef |")
    #expect(
      text { out in
        out.append("abcdef")
        out.pad(from: 0, to: 5, separate: false)
        out.append("|")
      } == "abcdef|")
  }

  @Test("bytes are two hexadecimal digits each") func hexadecimal() {
    let all = (UInt8.min...UInt8.max).map { $0 }
    let expected = all.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(text { $0.append(hex: all.span, 0..<256) } == expected)
  }
}
