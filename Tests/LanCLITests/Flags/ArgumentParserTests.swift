import LanCore
import Testing

@testable import LanCLI

private func parse(_ words: String...) throws -> ParsedArguments {
  try ArgumentParser(command: .sniff).parse(words.map { Array($0.utf8) })
}

private func refusal(_ words: String...) -> String {
  guard case .refuse(let text) = Invocation(words.map { Array($0.utf8) }) else { return "accepted" }
  return text
}

private func output(_ words: String...) -> String? {
  guard case .print(let text) = Invocation(words.map { Array($0.utf8) }) else { return nil }
  return text
}

extension CommandDeclaration {
  fileprivate static let twoNames = CommandDeclaration(
    name: "copy", abstract: "", discussion: [],
    arguments: ["FROM", "TO"].map {
      Argument(placeholder: $0, isOptional: false, isRepeatable: false, help: "")
    }, options: [CommonOptions.json], statuses: [])
}

@Suite("Reading the command line") struct ArgumentParserTests {
  @Test("a long option takes its value after = or a space, a letter also without either")
  func values() throws {
    #expect(try parse("--read=a").value("read") == "a")
    #expect(try parse("--read", "a").value("read") == "a")
    #expect(try parse("-r", "a").value("read") == "a")
    #expect(try parse("-ra").value("read") == "a")
  }

  @Test("letters are bundled and the last may carry a value")
  func bundles() throws {
    let parsed = try parse("-qU4w", "f", "-c7")
    #expect(parsed.isSet("quiet") && parsed.isSet("packet-buffered") && parsed.isSet("ipv4"))
    #expect(parsed.count("count") == 7)
  }

  @Test("an unambiguous abbreviation is enough, and a full name is never ambiguous")
  func abbreviations() throws {
    #expect(try parse("--js").isSet("json"))
    #expect(try parse("--time", "utc").value("time") == "utc")
  }

  @Test(
    "of an option that is given twice the last one counts; a repeatable one keeps all, in order")
  func repetition() throws {
    #expect(try parse("-r", "a", "-r", "b").value("read") == "b")
    #expect(try parse("-i", "eth1", "--interface=eth0").values("interface") == ["eth1", "eth0"])
  }

  @Test("a value may begin with a hyphen; a lone hyphen is a value like any other")
  func hyphens() throws {
    #expect(try parse("--name", "-x").value("name") == "-x")
    #expect(try parse("-r", "-", "--json").value("read") == "-")
    #expect(try parse("-w-").value("write") == "-")
  }

  @Test("a value's bytes arrive as typed, also where they are no UTF-8")
  func rawBytes() throws {
    let parsed = try ArgumentParser(command: .sniff).parse([[0x2d, 0x72], [0xff, 0x2f, 0xc3]])
    #expect(parsed.bytes("read") == [0xff, 0x2f, 0xc3])
    #expect(parsed.value("read") == "\u{fffd}/\u{fffd}")
  }

  @Test("options that were not given have no value")
  func absence() throws {
    let parsed = try parse("--stats")
    #expect(!parsed.isSet("json") && parsed.value("read") == nil && parsed.values("host").isEmpty)
    #expect(parsed.list("protocol") == nil && parsed.timeLimit("duration") == nil)
  }

  @Test("typed values are converted")
  func conversion() throws {
    let parsed = try parse(
      "--duration", "2m", "-w", "f", "--ring-size=10M", "--protocol", "mdns,dns")
    #expect(parsed.timeLimit("duration") == .after(.seconds(120)))
    #expect(parsed.byteSize("ring-size") == 10 << 20)
    #expect(parsed.list("protocol") == ["mdns", "dns"])
  }

  @Test("arguments and options may be mixed, and two hyphens end the options") func mixed() throws {
    let words = ["a", "--json", "--", "-x"].map { Array($0.utf8) }
    let parsed = try ArgumentParser(command: .twoNames).parse(words)
    #expect(parsed.isSet("json"))
    #expect(parsed.positionals == [Array("a".utf8), Array("-x".utf8)])
  }

  @Test("a missing argument is named") func missing() {
    #expect(
      throws: UsageError(command: "lantool copy", message: "missing argument TO")
    ) { try ArgumentParser(command: .twoNames).parse([Array("a".utf8)]) }
  }

  @Test("help wins over mistakes that follow it")
  func helpWins() { #expect(output("sniff", "--help", "--bogus") == HelpText(.sniff).text) }
}

@Suite("Usage errors") struct UsageErrorTests {
  @Test(
    "the message says what was typed, what was meant and where to read on",
    arguments: [
      (
        ["sniff", "--jsno"],
        "lantool sniff: unknown option '--jsno'; did you mean '--json'? Try 'lantool sniff --help'."
      ),
      (["snif"], "lantool: unknown command 'snif'; did you mean 'sniff'? Try 'lantool --help'."),
      (
        ["sniff", "-json"],
        "lantool sniff: unknown option '-j'; did you mean '--json'? Try 'lantool sniff --help'."
      ),
      (
        ["sniff", "--wobble"],
        "lantool sniff: unknown option '--wobble'. Try 'lantool sniff --help'."
      ),
      (
        ["sniff", "--tim", "1"],
        "lantool sniff: option '--tim' is ambiguous: '--time' or '--timeout'. "
          + "Try 'lantool sniff --help'."
      ),
      (
        ["sniff", "-c"],
        "lantool sniff: option '--count N' needs a value. Try 'lantool sniff --help'."
      ),
      (
        ["sniff", "--json=yes"],
        "lantool sniff: option '--json' takes no value. Try 'lantool sniff --help'."
      ),
      (
        ["sniff", "--color", "atuo"],
        "lantool sniff: invalid value 'atuo' for '--color': expected auto, always or never; "
          + "did you mean 'auto'? Try 'lantool sniff --help'."
      ),
      (
        ["sniff", "-c", "-5"],
        "lantool sniff: invalid value '-5' for '--count': expected 1 or more. "
          + "Try 'lantool sniff --help'."
      ),
      (
        ["sniff", "--ring-files", "3"],
        "lantool sniff: option '--ring-files' means nothing without '--ring-size'. "
          + "Try 'lantool sniff --help'."
      ),
      (
        ["sniff", "--socket", "-r", "a"],
        "lantool sniff: options '--read' and '--socket' contradict each other. "
          + "Try 'lantool sniff --help'."
      ),
      (
        ["--json", "sniff"],
        "lantool: option '--json' belongs behind the command's name. Try 'lantool --help'."
      ),
      (
        ["sniff", "--", "--json"],
        "lantool sniff: unexpected argument '--json'; read a capture with '-r FILE', give a pcap "
          + "expression with '--filter EXPR'. Try 'lantool sniff --help'."
      ),
    ])
  func message(_ words: [String], _ expected: String) {
    guard case .refuse(let text) = Invocation(words.map { Array($0.utf8) }) else {
      Issue.record("accepted")
      return
    }
    #expect(text == expected + "\n")
  }

  @Test("control characters and broken UTF-8 in a mistyped word cannot drive the terminal")
  func escapes() {
    #expect(refusal("sniff", "--x\u{1b}[2J").contains(#"'--x\x1b[2J'"#))
    #expect(refusal("\u{202e}a").contains(#"'\xe2\x80\xaea'"#))
    #expect(printable([0x61, 0xff, 0x62]) == #"a\xffb"#)
    #expect(printable(Array("größe".utf8)) == "größe")
  }

  @Test("without a command the short usage is shown") func bare() {
    #expect(refusal() == HelpText.shortUsage)
    #expect(refusal("--").hasPrefix("Usage:"))
  }

  @Test("help and version are answers, not errors") func answers() {
    #expect(output("--version") == "lantool \(Lantool.version)\n")
    #expect(output("sniff", "--version") == "lantool \(Lantool.version)\n")
    #expect(output("help", "sniff") == output("sniff", "-h"))
    #expect(output("help") == output("--help"))
  }

  @Test("a suggestion is made only where one word is clearly the closest") func suggestions() {
    #expect(Suggestion.closest(to: "jsno", among: ["json", "host"]) == "json")
    #expect(Suggestion.closest(to: "ab", among: ["ac", "ad"]) == nil)
    #expect(Suggestion.closest(to: "elephant", among: ["json"]) == nil)
    #expect(Suggestion.distance("abcd", "acbd") == 1)
    #expect(Suggestion.distance("", "abc") == 3)
  }
}
