import Testing

@testable import LanSystem

@Suite("Keys of a terminal") struct TerminalKeyTests {
  private func keys(_ chunks: [UInt8]...) -> [TerminalKey] {
    var parser = TerminalKeyParser()
    return chunks.flatMap { parser.keys($0) }
  }

  @Test("digits, letters and what is beyond ASCII are characters") func characters() {
    #expect(keys(Array("1qé".utf8)) == [.character("1"), .character("q"), .character("é")])
  }

  @Test("arrow keys are known in both forms and with modifiers")
  func arrows() {
    #expect(keys(Array("\u{1B}[A\u{1B}OB\u{1B}[1;5C".utf8)) == [.up, .down, .right])
  }

  @Test("a sequence that comes in two parts is one key") func split() {
    #expect(keys([0x1B, 0x5B], [0x44]) == [.left])
    #expect(keys([0xC3], [0xA9]) == [.character("é")])
  }

  @Test("escape by itself is a key, also in front of another one") func escape() {
    #expect(keys([0x1B]) == [.escape])
    #expect(keys([0x1B, 0x31]) == [.escape, .character("1")])
  }

  @Test("a sequence that is not known, and bytes that are no UTF-8, are no keys") func unknown() {
    #expect(keys(Array("\u{1B}[99~\u{1B}[Zx".utf8)) == [.character("x")])
    #expect(keys([0xFF, 0x31]) == [.character("1")])
  }

  @Test("a sequence without an end is forgotten") func endless() {
    #expect(keys([0x1B, 0x5B] + Array(repeating: 0x31, count: 40), [0x32]) == [.character("2")])
  }

  @Test("enter, backspace, tab and Control-D") func controls() {
    #expect(keys([0x0D, 0x7F, 0x09, 0x04]) == [.enter, .backspace, .tab, .endOfInput])
  }
}
