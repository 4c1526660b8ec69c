/// Builds DNS messages byte by byte, without the code under test.
public enum DNSBytes {
  /// A header with these counts, then the entries.
  public static func message(
    id: UInt16 = 0, flags: UInt16 = 0, counts: [UInt16], _ entries: [UInt8]...
  ) -> [UInt8] {
    ([id, flags] + counts).flatMap(uint16) + entries.joined()
  }

  /// A question; `name` is on-wire.
  public static func question(
    _ name: [UInt8], type: UInt16 = 1, class rawClass: UInt16 = 1
  ) -> [UInt8] {
    name + uint16(type) + uint16(rawClass)
  }

  /// A record; `name` is on-wire, `length` overrides RDLENGTH.
  public static func record(
    _ name: [UInt8], type: UInt16, class rawClass: UInt16 = 1, ttl: UInt32 = 120,
    length: Int? = nil, _ data: [UInt8]
  ) -> [UInt8] {
    let head = name + uint16(type) + uint16(rawClass)
    let time = uint16(UInt16(ttl >> 16)) + uint16(UInt16(ttl & 0xFFFF))
    return head + time + uint16(UInt16(length ?? data.count)) + data
  }

  /// An on-wire name of labels that hold no dot.
  public static func name(_ text: String) -> [UInt8] {
    text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + $0.utf8 } + [0]
  }

  /// A compression pointer.
  public static func pointer(_ offset: Int) -> [UInt8] { uint16(UInt16(0xC000 | offset)) }

  /// Network byte order.
  public static func uint16(_ value: UInt16) -> [UInt8] {
    [UInt8(value >> 8), UInt8(value & 0xFF)]
  }
}

/// Random numbers that are the same in every run (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator that always gives the same numbers for `seed`.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
