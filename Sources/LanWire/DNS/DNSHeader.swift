/// The fixed header of a DNS message (RFC 1035 section 4.1.1).
@frozen public struct DNSHeader: Hashable, Sendable {
  /// The transaction id.
  public var id: UInt16
  /// The sixteen flag bits, as on the wire.
  public var flags: UInt16
  /// Entries that the header announces: questions.
  public var questionCount: UInt16
  /// Entries that the header announces: answers.
  public var answerCount: UInt16
  /// Entries that the header announces: authority records.
  public var authorityCount: UInt16
  /// Entries that the header announces: additional records.
  public var additionalCount: UInt16

  /// A header of these fields.
  @inlinable public init(
    id: UInt16 = 0, flags: UInt16 = 0, questionCount: UInt16 = 0, answerCount: UInt16 = 0,
    authorityCount: UInt16 = 0, additionalCount: UInt16 = 0
  ) {
    self.id = id
    self.flags = flags
    self.questionCount = questionCount
    self.answerCount = answerCount
    self.authorityCount = authorityCount
    self.additionalCount = additionalCount
  }

  /// Reads the first twelve bytes.
  ///
  /// - Throws: `.shortHeader` when there are fewer.
  @inlinable public init(_ message: Span<UInt8>) throws(WireError) {
    guard message.count >= 12 else { throw WireError(.shortHeader, at: message.count) }
    id = message.uint16(at: 0)
    flags = message.uint16(at: 2)
    questionCount = message.uint16(at: 4)
    answerCount = message.uint16(at: 6)
    authorityCount = message.uint16(at: 8)
    additionalCount = message.uint16(at: 10)
  }

  /// QR: a response.
  @inlinable public var isResponse: Bool { flags & 0x8000 != 0 }
  /// OPCODE, 0 to 15.
  @inlinable public var opcode: UInt8 { UInt8(truncatingIfNeeded: flags >> 11) & 15 }
  /// AA: authoritative answer.
  ///
  /// LLMNR calls this bit C, conflict (RFC 4795 section 2.1.1).
  @inlinable public var isAuthoritative: Bool { flags & 0x0400 != 0 }
  /// TC: truncated.
  @inlinable public var isTruncated: Bool { flags & 0x0200 != 0 }
  /// RD: recursion desired.
  ///
  /// LLMNR calls this bit T, tentative (RFC 4795 section 2.1.1).
  @inlinable public var recursionDesired: Bool { flags & 0x0100 != 0 }
  /// RA: recursion available.
  @inlinable public var recursionAvailable: Bool { flags & 0x0080 != 0 }
  /// Z, AD and CD, in their places.
  @inlinable public var reservedBits: UInt16 { flags & 0x0070 }
  /// RCODE, 0 to 15.
  @inlinable public var rcode: UInt8 { UInt8(truncatingIfNeeded: flags) & 15 }
}

extension DNSHeader {
  /// The QR bit in `flags`.
  public static let responseFlag: UInt16 = 0x8000
  /// The AA bit in `flags`.
  public static let authoritativeFlag: UInt16 = 0x0400
  /// The TC bit in `flags`.
  public static let truncatedFlag: UInt16 = 0x0200
}
