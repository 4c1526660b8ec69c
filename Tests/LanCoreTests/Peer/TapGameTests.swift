import LanWire
import Testing

@testable import LanCore

@Suite("A game of taps") struct TapGameTests {
  @Test("a received byte sets a tile, and repeats do no harm") func receive() {
    var game = TapGame(.witap2)
    for _ in 0..<2 { #expect(game.receive(0x43) == TapByte(tile: 2, isDown: true)) }
    #expect(game.isPressedThere(2) && !game.isPressedHere(2))
    #expect(game.receive(0x63) == TapByte(tile: 2, isDown: false))
    #expect(!game.isPressedThere(2))
  }

  @Test("the bytes of the other generation are noise")
  func noise() {
    var game = TapGame(.witap2)
    #expect((UInt8(0x81)...0x89).allSatisfy { game.receive($0) == nil })
    game = TapGame(.witap1)
    #expect((UInt8(0x41)...0x49).allSatisfy { game.receive($0) == nil })
    #expect(game.receive(0x00) == nil && game.receive(0x80) == nil)
  }

  @Test("what was sent is known until the game is reset") func send() {
    var game = TapGame(.witap2)
    let down = TapByte(tile: 8, isDown: true)
    #expect(!game.isSent(down) && game.isSent(TapByte(tile: 8, isDown: false)))
    game.didSend(down)
    #expect(game.isSent(down) && game.isPressedHere(8))
    game.reset()
    #expect(!game.isSent(down) && !game.isPressedHere(8))
  }

  @Test("there are nine tiles") func range() {
    let game = TapGame(.witap2)
    #expect(!game.isPressedHere(-1) && !game.isPressedThere(9) && !game.isPressedHere(99))
  }
}
