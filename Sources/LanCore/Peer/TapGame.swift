public import LanWire

/// What two players of WiTap have pressed, in one connection.
///
/// A received tap sets a state, so repeats do no harm. A sent one goes down and up by turns, as
/// WiTap's own do (2.1 `TapView.m`).
public struct TapGame: Hashable, Sendable {
  /// The bytes of the taps.
  public let dialect: TapDialect
  private var pressedHere: UInt16 = 0
  private var pressedThere: UInt16 = 0

  /// A game with nothing pressed.
  public init(_ dialect: TapDialect) { self.dialect = dialect }

  /// Takes a byte of the other player; nil for noise, which means nothing.
  public mutating func receive(_ byte: UInt8) -> TapByte? {
    guard let tap = TapByte(byte, dialect) else { return nil }
    Self.set(&pressedThere, tap)
    return tap
  }

  /// True if the tile is already so for the other player.
  public func isSent(_ tap: TapByte) -> Bool {
    (pressedHere >> UInt16(tap.tile) & 1 == 1) == tap.isDown
  }

  /// Notes that a tap has left.
  public mutating func didSend(_ tap: TapByte) { Self.set(&pressedHere, tap) }

  /// True if the other player holds a tile, 0 to 8, down.
  public func isPressedThere(_ tile: Int) -> Bool { Self.has(pressedThere, tile) }

  /// True if the tile, 0 to 8, is down here.
  public func isPressedHere(_ tile: Int) -> Bool { Self.has(pressedHere, tile) }

  /// Lets everything go: nothing is carried over into the next game.
  public mutating func reset() { (pressedHere, pressedThere) = (0, 0) }

  private static func has(_ bits: UInt16, _ tile: Int) -> Bool {
    (0..<TapByte.tileCount).contains(tile) && bits >> UInt16(tile) & 1 == 1
  }

  private static func set(_ bits: inout UInt16, _ tap: TapByte) {
    let bit = UInt16(1) << UInt16(tap.tile)
    bits = tap.isDown ? bits | bit : bits & ~bit
  }
}
