/// A question where it stands in a message.
@frozen public struct DNSQuestionView: Sendable {
  /// Offset of the name.
  public var name: Int32
  /// The type asked for.
  public var type: DNSRecordType
  /// The class as on the wire; the top bit is multicast DNS's unicast-response bit.
  public var rawClass: UInt16

  @inlinable init(name: Int32, type: DNSRecordType, rawClass: UInt16) {
    self.name = name
    self.type = type
    self.rawClass = rawClass
  }

  /// The class without the top bit.
  @inlinable public var dnsClass: DNSClass { DNSClass(rawValue: rawClass & 0x7FFF) }
  /// QU: a unicast response is wanted (RFC 6762 section 5.4).
  @inlinable public var wantsUnicastResponse: Bool { rawClass & 0x8000 != 0 }
}

/// The section that a record stands in (RFC 1035 section 4.1).
@frozen public enum DNSSection: UInt8, Sendable, CaseIterable {
  /// Answers; in a multicast query, known answers (RFC 6762 section 7.1).
  case answer
  /// Authority; in a multicast query, the records being probed for (RFC 6762 section 8.2).
  case authority
  /// Additional records.
  case additional
}

/// A record where it stands in a message.
@frozen public struct DNSRecordView: Sendable {
  /// Offset of the owner name.
  public var name: Int32
  /// Offset of the record data.
  public var rdata: Int32
  /// RDLENGTH, bytes.
  public var rdataLength: UInt16
  /// The type.
  public var type: DNSRecordType
  /// The class as on the wire; the top bit is multicast DNS's cache-flush bit.
  public var rawClass: UInt16
  /// The section that it stands in.
  public var section: DNSSection
  /// What is wrong with the record data; nil when it reads as its type says.
  public var problem: WireError.Reason?
  /// Seconds to live, as on the wire.
  public var ttl: UInt32

  @inlinable init(
    name: Int32, rdata: Int32, rdataLength: UInt16, type: DNSRecordType, rawClass: UInt16,
    section: DNSSection, ttl: UInt32
  ) {
    self.name = name
    self.rdata = rdata
    self.rdataLength = rdataLength
    self.type = type
    self.rawClass = rawClass
    self.section = section
    self.ttl = ttl
    problem = nil
  }

  /// The class without the top bit.
  @inlinable public var dnsClass: DNSClass { DNSClass(rawValue: rawClass & 0x7FFF) }
  /// The cache-flush bit (RFC 6762 section 10.2).
  @inlinable public var cacheFlush: Bool { rawClass & 0x8000 != 0 }
  /// The offsets of the record data.
  @inlinable public var rdataRange: Range<Int> { Int(rdata)..<(Int(rdata) &+ Int(rdataLength)) }
}
