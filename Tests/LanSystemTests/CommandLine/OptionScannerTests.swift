import LanSystem
import Testing

private let options = [
  ScannerOption(name: "json", letter: nil, takesValue: false),
  ScannerOption(name: "read", letter: UInt8(ascii: "r"), takesValue: true),
  ScannerOption(name: "quiet", letter: UInt8(ascii: "q"), takesValue: false),
  ScannerOption(name: "no-join", letter: nil, takesValue: false),
  ScannerOption(name: "no-tunnels", letter: UInt8(ascii: "4"), takesValue: false),
]

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

private func scan(_ words: String..., stops: Bool = false) -> [ScanEvent] {
  OptionScanner(options: options, stopsAtArgument: stops).scan(words.map(bytes))
}

@Suite("Scanning options") struct OptionScannerTests {
  @Test("options and arguments come in the order of the command line") func order() {
    #expect(
      scan("a", "--json", "b", "-r", "f", "-") == [
        .argument(bytes("a")), .option(index: 0, value: nil), .argument(bytes("b")),
        .option(index: 1, value: bytes("f")), .argument(bytes("-")),
      ])
  }

  @Test("two hyphens end the options") func end() {
    #expect(
      scan("-q", "--", "-q", "--") == [
        .option(index: 2, value: nil), .argument(bytes("-q")), .argument(bytes("--")),
      ])
  }

  @Test("with a stop, everything from the first argument on is left alone") func stop() {
    #expect(
      scan("-q", "sniff", "--json", stops: true) == [
        .option(index: 2, value: nil), .argument(bytes("sniff")), .argument(bytes("--json")),
      ])
  }

  @Test("letters are bundled; the word of an unknown one is known also in the middle of a bundle")
  func bundles() {
    #expect(
      scan("-q4x4", "-rfile") == [
        .option(index: 2, value: nil), .option(index: 4, value: nil),
        .unknown(option: bytes("-x"), word: bytes("-q4x4")), .option(index: 4, value: nil),
        .option(index: 1, value: bytes("file")),
      ])
  }

  @Test("each kind of mistake is told apart") func mistakes() {
    #expect(scan("--nope=1") == [.unknown(option: bytes("--nope"), word: bytes("--nope=1"))])
    #expect(scan("--no") == [.ambiguous(option: bytes("--no"), candidates: [3, 4])])
    #expect(scan("--json=x") == [.unexpectedValue(index: 0)])
    #expect(scan("--read") == [.missingValue(index: 1)])
    #expect(scan("-qr") == [.option(index: 2, value: nil), .missingValue(index: 1)])
    #expect(scan("--=x") == [.unknown(option: bytes("--"), word: bytes("--=x"))])
  }

  @Test("an empty value is a value, an empty word an argument") func empty() {
    #expect(scan("--read=", "") == [.option(index: 1, value: []), .argument([])])
    #expect(scan() == [])
  }

  @Test("bytes that are no UTF-8 pass unchanged, alone and as the value of an option")
  func rawBytes() {
    let scanner = OptionScanner(options: options)
    #expect(scanner.scan([[0xff, 0xfe]]) == [.argument([0xff, 0xfe])])
    #expect(
      scanner.scan([bytes("--read=") + [0xc3, 0x28]]) == [.option(index: 1, value: [0xc3, 0x28])])
    #expect(
      scanner.scan([[0x2d, 0xc3, 0xa9]]).first
        == .unknown(option: [0x2d, 0xc3, 0xa9], word: [0x2d, 0xc3, 0xa9]))
  }

  @Test("a scan that ended in an error leaves nothing behind for the next, on any thread")
  func independence() async {
    await withTaskGroup(of: [ScanEvent].self) { group in
      for _ in 0..<200 {
        group.addTask { scan("-qx", "--bogus") + scan("-q", "a") }
      }
      for await events in group {
        #expect(events.suffix(2) == [.option(index: 2, value: nil), .argument(bytes("a"))])
      }
    }
  }
}
