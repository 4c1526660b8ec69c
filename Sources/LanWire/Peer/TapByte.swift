/// Which generation of Apple's WiTap a peer speaks: the bytes of its taps.
public enum TapDialect: Hashable, Sendable, CaseIterable {
  /// `_witap._tcp`, WiTap 1.x: the tile's number from 1, with the top bit for down.
  case witap1
  /// `_witap2._tcp`, WiTap 2.x: `A` to `I` for down, `a` to `i` for up; anything else is noise.
  case witap2
}

/// A tile that was pressed or let go: one byte on the wire, in either direction.
///
/// Sources: WiTap 1.8 and 2.1 `AppController.m`. There is no greeting, no framing and no echo.
public struct TapByte: Hashable, Sendable {
  /// How many tiles there are, in three rows of three.
  public static let tileCount = 9

  /// The tile, 0 to 8, row by row from the top left.
  public var tile: Int
  /// True for pressed, false for let go.
  public var isDown: Bool

  /// A tap; `tile` is held between 0 and 8.
  public init(tile: Int, isDown: Bool) {
    self.tile = min(max(tile, 0), Self.tileCount - 1)
    self.isDown = isDown
  }

  /// The tap that a byte means; nil for noise.
  public init?(_ byte: UInt8, _ dialect: TapDialect) {
    switch (dialect, byte) {
    case (.witap2, 0x41...0x49): self.init(tile: Int(byte) - 0x41, isDown: true)
    case (.witap2, 0x61...0x69): self.init(tile: Int(byte) - 0x61, isDown: false)
    case (.witap1, 0x81...0x89): self.init(tile: Int(byte) - 0x81, isDown: true)
    case (.witap1, 0x01...0x09): self.init(tile: Int(byte) - 0x01, isDown: false)
    default: return nil
    }
  }

  /// The byte for the wire.
  public func byte(_ dialect: TapDialect) -> UInt8 {
    let base: UInt8 =
      switch (dialect, isDown) {
      case (.witap2, true): 0x41
      case (.witap2, false): 0x61
      case (.witap1, true): 0x81
      case (.witap1, false): 0x01
      }
    return base + UInt8(truncatingIfNeeded: tile)
  }
}
