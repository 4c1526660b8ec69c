import Testing

@testable import LanCLI

@Suite("Values of options") struct ValueParserTests {
  @Test(
    "a time is a number with a unit, a bare number of seconds, or none",
    arguments: [
      ("250ms", TimeLimit.after(.milliseconds(250))), ("3s", .after(.seconds(3))),
      ("2m", .after(.seconds(120))), ("1h", .after(.seconds(3600))), ("7", .after(.seconds(7))),
      ("1.5s", .after(.milliseconds(1500))), ("0.25", .after(.milliseconds(250))),
      ("none", .never),
    ])
  func times(_ text: String, _ expected: TimeLimit) throws {
    #expect(try ValueParser.timeLimit(text) == expected)
  }

  @Test(
    "what is no time is refused with what would be right",
    arguments: [
      ("0", "0 could mean no time or no limit; for no limit say 'none'"),
      ("0s", "must be above zero"), ("0.0", "must be above zero"),
      ("", "expected a time such as 250ms, 3s, 2m, 1h or none"),
      ("-3", "expected a time such as 250ms, 3s, 2m, 1h or none"),
      ("+3", "expected a time such as 250ms, 3s, 2m, 1h or none"),
      ("3 s", "expected a time such as 250ms, 3s, 2m, 1h or none"),
      ("1.", "expected a time such as 250ms, 3s, 2m, 1h or none"),
      ("1.2.3", "expected a time such as 250ms, 3s, 2m, 1h or none"),
      ("5 parsecs", "expected a time such as 250ms, 3s, 2m, 1h or none"),
      ("9223372036854775807h", "more than can be counted"),
      ("9223372037s", "more than can be counted"),
    ])
  func badTimes(_ text: String, _ reason: String) {
    #expect(throws: ValueError(reason: reason)) { try ValueParser.timeLimit(text) }
  }

  @Test(
    "K, M and G are powers of 1024, also with iB; with B alone they are powers of 1000",
    arguments: [
      ("512", 512), ("64K", 65_536), ("64KiB", 65_536), ("10m", 10_485_760), ("2G", 2_147_483_648),
      ("10MB", 10_000_000), ("1.5k", 1536), ("7B", 7),
    ])
  func sizes(_ text: String, _ expected: Int) throws {
    #expect(try ValueParser.byteSize(text, in: 0...Int.max) == expected)
  }

  @Test("what is no size, or lies outside what is useful, is refused") func badSizes() {
    let form = ValueError(reason: "expected a size such as 512, 64K, 10M, 2GiB or 10MB")
    for text in ["", "K", "-1", "10X", "1 K", "0x10"] {
      #expect(throws: form) { try ValueParser.byteSize(text, in: 0...Int.max) }
    }
    #expect(throws: ValueError(reason: "expected 64 to 256 bytes")) {
      try ValueParser.byteSize("1K", in: 64...256)
    }
    #expect(throws: ValueError(reason: "more than can be counted")) {
      try ValueParser.byteSize("9999999999999G", in: 0...Int.max)
    }
  }

  @Test("a count is digits alone, within its range") func counts() throws {
    #expect(try ValueParser.count("12", in: 1...20) == 12)
    for text in ["", "-", "+1", "1.0", "ten", "1e3"] {
      #expect(throws: ValueError(reason: "expected a whole number")) {
        try ValueParser.count(text, in: 0...Int.max)
      }
    }
    #expect(throws: ValueError(reason: "expected 1 to 20")) {
      try ValueParser.count("21", in: 1...20)
    }
    #expect(throws: ValueError(reason: "more than can be counted")) {
      try ValueParser.count("99999999999999999999", in: 1...Int.max)
    }
  }

  @Test("a list names the word that is none of the choices") func lists() throws {
    let choices = SniffDeclaration.protocols
    #expect(try ValueParser.choices("mdns,llmnr", of: choices) == ["mdns", "llmnr"])
    #expect(
      throws: ValueError(
        reason: "'lmnr' is none of these; expected mdns, llmnr, dns or all", suggestion: "llmnr")
    ) { try ValueParser.choices("mdns,lmnr", of: choices) }
    for text in ["", ",", "mdns,", ",mdns", "mdns,,dns"] {
      #expect(throws: ValueError(reason: "expected words separated by single commas")) {
        try ValueParser.choices(text, of: choices)
      }
    }
  }
}
