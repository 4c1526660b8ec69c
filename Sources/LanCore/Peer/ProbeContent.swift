/// The bytes of probes: a pattern that is repeated, or bytes that differ from probe to probe.
///
/// Those that differ are cut from one table at places that move on with the number, so that nothing is
/// made for a probe; only after 4,093 probes they come again.
package struct ProbeContent: Hashable, Sendable {
  /// The greatest size of a probe.
  package static let sizeLimit = 1_048_576
  private static let places = 4_093
  private static let step = 61

  /// Octets of a probe.
  package let size: Int
  /// What probes are cut from.
  package let table: [UInt8]
  private let isVaried: Bool

  /// The bytes of probes of `size` octets.
  package init(size: Int, pattern: [UInt8]) {
    let size = min(max(size, 1), Self.sizeLimit)
    self.size = size
    isVaried = pattern.isEmpty
    guard pattern.isEmpty else {
      table = (0..<size).map { pattern[$0 % pattern.count] }
      return
    }
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    table = (0..<size + Self.places).map { _ in
      // Xorshift (Marsaglia 2003): any bytes do, as long as they hardly repeat.
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32)
    }
  }

  /// Where in `table` the probe `number` begins.
  package func place(of number: Int) -> Int {
    isVaried ? Int(UInt(bitPattern: number &* Self.step) % UInt(Self.places)) : 0
  }
}
