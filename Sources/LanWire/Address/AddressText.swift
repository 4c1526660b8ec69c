/// Writes addresses as text, without Foundation and without an intermediate string.
///
/// `AddressText` is a small fixed buffer: fill it with one of the initializers, then read
/// `count` bytes of `bytes`. IPv6 follows RFC 5952 as glibc's inet_ntop does.
@frozen public struct AddressText {
  /// The text's bytes (ASCII); only the first `count` are meaningful.
  public var bytes: InlineArray<48, UInt8>
  /// How many bytes the text has.
  public var count: Int

  @usableFromInline init() {
    bytes = InlineArray(repeating: 0)
    count = 0
  }

  /// Dotted decimal.
  @inlinable public init(_ address: IPv4Address) {
    self.init()
    append(address)
  }

  /// RFC 5952 form, as glibc's inet_ntop prints it.
  @inlinable public init(_ address: IPv6Address) {
    self.init()
    append(address)
  }

  /// Either family.
  @inlinable public init(_ address: IPAddress) {
    self.init()
    switch address {
    case .v4(let value): append(value)
    case .v6(let value): append(value)
    }
  }

  /// Six pairs of hexadecimal digits with colons.
  @inlinable public init(_ address: MACAddress) {
    self.init()
    var shift: UInt64 = 40
    while true {
      let byte = UInt8(truncatingIfNeeded: address.bits >> shift)
      put(Self.hexDigit(byte >> 4))
      put(Self.hexDigit(byte & 15))
      if shift == 0 { break }
      put(0x3A)
      shift &-= 8
    }
  }

  /// The text as a `String`, for messages and tests.
  public var string: String {
    String(decoding: (0..<count).map { bytes[$0] }, as: UTF8.self)
  }

  @inlinable static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 &+ value : 0x57 &+ value
  }

  @inlinable mutating func put(_ byte: UInt8) {
    bytes[count] = byte
    count &+= 1
  }

  @inlinable mutating func putDecimal(_ value: UInt8) {
    if value >= 100 { put(0x30 &+ value / 100) }
    if value >= 10 { put(0x30 &+ value / 10 % 10) }
    put(0x30 &+ value % 10)
  }

  @inlinable mutating func append(_ address: IPv4Address) {
    putDecimal(UInt8(truncatingIfNeeded: address.bits >> 24))
    put(0x2E)
    putDecimal(UInt8(truncatingIfNeeded: address.bits >> 16))
    put(0x2E)
    putDecimal(UInt8(truncatingIfNeeded: address.bits >> 8))
    put(0x2E)
    putDecimal(UInt8(truncatingIfNeeded: address.bits))
  }

  @inlinable static func group(_ address: IPv6Address, _ index: Int) -> UInt16 {
    let half = index < 4 ? address.high : address.low
    return UInt16(truncatingIfNeeded: half >> UInt64((3 &- (index & 3)) &* 16))
  }

  @inlinable mutating func putHex(_ value: UInt16) {
    var shift: UInt16 = value >= 0x1000 ? 12 : value >= 0x100 ? 8 : value >= 0x10 ? 4 : 0
    while true {
      put(Self.hexDigit(UInt8(truncatingIfNeeded: value >> shift) & 15))
      if shift == 0 { break }
      shift &-= 4
    }
  }

  @inlinable mutating func append(_ address: IPv6Address) {
    // The longest run of at least two zero groups becomes "::" (RFC 5952 section 4.2).
    var bestStart = -1
    var bestLength = 1
    var runStart = -1
    for index in 0..<8 {
      if Self.group(address, index) == 0 {
        if runStart < 0 { runStart = index }
        if index &- runStart &+ 1 > bestLength {
          bestStart = runStart
          bestLength = index &- runStart &+ 1
        }
      } else {
        runStart = -1
      }
    }
    // inet_ntop writes the last 32 bits of v4-compatible and v4-mapped addresses dotted.
    let mapped =
      address.high == 0
      && (bestLength == 6 && bestStart == 0
        || bestLength == 5 && bestStart == 0
          && Self.group(address, 5) == 0xFFFF)
    var index = 0
    while index < 8 {
      if index == bestStart {
        put(0x3A)
        put(0x3A)
        index &+= bestLength
        continue
      }
      if index > 0, index != bestStart &+ bestLength || bestStart < 0 { put(0x3A) }
      if index == 6, mapped {
        append(IPv4Address(bits: UInt32(truncatingIfNeeded: address.low)))
        return
      }
      putHex(Self.group(address, index))
      index &+= 1
    }
  }
}

extension IPv4Address: CustomStringConvertible {
  /// Dotted decimal.
  public var description: String { AddressText(self).string }
}

extension IPv6Address: CustomStringConvertible {
  /// RFC 5952 form.
  public var description: String { AddressText(self).string }
}

extension IPAddress: CustomStringConvertible {
  /// The form of its family.
  public var description: String { AddressText(self).string }
}

extension MACAddress: CustomStringConvertible {
  /// Six pairs of hexadecimal digits with colons.
  public var description: String { AddressText(self).string }
}
