/// Record data where it stands in a message, read as its type says; nothing is copied.
///
/// Names are offsets for `DNSLabelIterator`, strings and lists are ranges for their iterators.
@frozen public enum DNSRecordDataView: Sendable {
  /// A (RFC 1035 section 3.4.1).
  case a(IPv4Address)
  /// AAAA (RFC 3596 section 2.2).
  case aaaa(IPv6Address)
  /// A single name: PTR, CNAME, NS, DNAME, MB, MD, MF, MG, MR.
  case name(Int)
  /// SRV (RFC 2782).
  case srv(priority: UInt16, weight: UInt16, port: UInt16, target: Int)
  /// TXT (RFC 1035 section 3.3.14); walk the strings with `DNSStringIterator`.
  case txt(Range<Int>)
  /// NSEC (RFC 4034 section 4.1); walk the types with `NSECTypeIterator`.
  case nsec(next: Int, bitmaps: Range<Int>)
  /// HINFO (RFC 1035 section 3.3.2).
  case hinfo(cpu: Range<Int>, os: Range<Int>)
  /// OPT (RFC 6891 section 6.1.2); walk the options with `EDNSOptionIterator`.
  case opt(Range<Int>)
  /// SOA (RFC 1035 section 3.3.13); the numbers start at `numbers`.
  case soa(primary: Int, mailbox: Int, numbers: Int)
  /// MX (RFC 1035 section 3.3.9).
  case mx(preference: UInt16, exchange: Int)
  /// SVCB and HTTPS (RFC 9460 section 2.2).
  case svcb(priority: UInt16, target: Int, parameters: Range<Int>)
  /// A type whose data is kept as bytes (RFC 3597), or data that is not what its type demands.
  case opaque(Range<Int>)
}

extension DNSRecordView {
  /// The record data read as its type says; `.opaque` where `problem` says that it can't be.
  @inlinable public func data(_ message: Span<UInt8>) -> DNSRecordDataView {
    let range = rdataRange
    if problem != nil || range.upperBound > message.count { return .opaque(range) }
    switch type.rawValue {
    case 1: return .a(IPv4Address(message, at: range.lowerBound))
    case 28: return .aaaa(IPv6Address(message, at: range.lowerBound))
    case 12, 5, 2, 39: return .name(range.lowerBound)
    case 33:
      return .srv(
        priority: message.uint16(at: range.lowerBound),
        weight: message.uint16(at: range.lowerBound &+ 2),
        port: message.uint16(at: range.lowerBound &+ 4), target: range.lowerBound &+ 6)
    case 16: return .txt(range)
    case 47:
      guard let scan = try? DNSNameScan(message, at: range.lowerBound),
        scan.end <= range.upperBound
      else { return .opaque(range) }
      return .nsec(next: range.lowerBound, bitmaps: scan.end..<range.upperBound)
    case 41: return .opt(range)
    default: return rareData(message)
    }
  }

  /// Types that are rare on a local network.
  public func rareData(_ message: Span<UInt8>) -> DNSRecordDataView {
    let range = rdataRange
    let start = range.lowerBound
    switch type.rawValue {
    case 3, 4, 7, 8, 9: return .name(start)
    case 13:
      let cpu = Int(message[start])
      let os = start + 1 + cpu
      return .hinfo(cpu: (start + 1)..<os, os: (os + 1)..<range.upperBound)
    case 6:
      guard let primary = try? DNSNameScan(message, at: start),
        let mailbox = try? DNSNameScan(message, at: primary.end),
        mailbox.end + 20 <= range.upperBound
      else { return .opaque(range) }
      return .soa(primary: start, mailbox: primary.end, numbers: mailbox.end)
    case 15: return .mx(preference: message.uint16(at: start), exchange: start + 2)
    case 64, 65:
      guard let target = try? DNSNameScan(message, at: start + 2), target.end <= range.upperBound
      else { return .opaque(range) }
      return .svcb(
        priority: message.uint16(at: start), target: start + 2,
        parameters: target.end..<range.upperBound)
    default: return .opaque(range)
    }
  }
}

/// Walks length-prefixed strings (RFC 1035 section 3.3); ends at the first that leaves its range.
@frozen public struct DNSStringIterator: Sendable {
  @usableFromInline var position: Int
  @usableFromInline let end: Int

  /// The strings in `range` of a message.
  @inlinable public init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The offsets of the next string's bytes, or nil.
  @inlinable public mutating func next(_ message: Span<UInt8>) -> Range<Int>? {
    guard position < end, end <= message.count else { return nil }
    let length = Int(message[position])
    let start = position &+ 1
    guard length <= end &- start else { return nil }
    position = start &+ length
    return start..<position
  }
}

/// Walks the types that NSEC bitmaps assert (RFC 4034 section 4.1.2).
///
/// Bits beyond the 32 bytes that a block may have name no type and are passed over.
@frozen public struct NSECTypeIterator: Sendable {
  @usableFromInline var position: Int
  @usableFromInline let end: Int
  @usableFromInline var block = -1
  @usableFromInline var blockEnd = 0
  @usableFromInline var bit = 0

  /// The types in the bitmaps at `range` of a message.
  @inlinable public init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next type, or nil at the end.
  @inlinable public mutating func next(_ message: Span<UInt8>) -> DNSRecordType? {
    guard end <= message.count else { return nil }
    while true {
      if block < 0 {
        guard end &- position >= 2 else { return nil }
        block = Int(message[position])
        let length = Int(message[position &+ 1])
        position &+= 2
        guard length <= end &- position else { return nil }
        blockEnd = position &+ length
        bit = 0
      }
      while position &+ bit &>> 3 < blockEnd, bit < 256 {
        let byte = message[position &+ bit &>> 3]
        if byte == 0 {
          bit = (bit | 7) &+ 1
          continue
        }
        let number = bit
        bit &+= 1
        if byte & (0x80 &>> UInt8(truncatingIfNeeded: number & 7)) != 0 {
          return DNSRecordType(UInt16(truncatingIfNeeded: block &* 256 &+ number))
        }
      }
      position = blockEnd
      block = -1
    }
  }
}

/// An EDNS option or SVCB parameter where it stands: a 16-bit code and its bytes.
@frozen public struct DNSOptionView: Sendable {
  /// The option's code (IANA registry "DNS EDNS0 Option Codes").
  public let code: UInt16
  /// The offsets of its value.
  public let range: Range<Int>

  @inlinable init(code: UInt16, range: Range<Int>) {
    self.code = code
    self.range = range
  }
}

/// Walks EDNS options (RFC 6891 section 6.1.2) and SVCB parameters (RFC 9460 section 2.2), which
/// have the same form; ends at the first that leaves its range.
@frozen public struct EDNSOptionIterator: Sendable {
  @usableFromInline var position: Int
  @usableFromInline let end: Int

  /// The options in `range` of a message.
  @inlinable public init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next option, or nil.
  @inlinable public mutating func next(_ message: Span<UInt8>) -> DNSOptionView? {
    guard end <= message.count, end &- position >= 4 else { return nil }
    let length = Int(message.uint16(at: position &+ 2))
    let start = position &+ 4
    guard length <= end &- start else { return nil }
    let option = DNSOptionView(
      code: message.uint16(at: position), range: start..<(start &+ length))
    position = start &+ length
    return option
  }
}
