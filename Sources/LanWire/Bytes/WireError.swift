/// Why bytes from the network, the kernel or a file could not be read, and where.
///
/// Nothing in `LanWire` traps on hostile input: every reader throws this instead.
public struct WireError: Error, Hashable, Sendable {
  /// What was wrong with the bytes.
  public enum Reason: String, Hashable, Sendable {
    /// The bytes end before the field does.
    case truncated = "ends before the field does"
    /// A DNS message is shorter than its 12-byte header.
    case shortHeader = "shorter than a DNS header"
    /// A label runs past the end of the message (RFC 1035 section 4.1.4).
    case labelPastEnd = "label runs past the end"
    /// A name has no terminating root label before the end of the message.
    case nameUnterminated = "name runs past the end"
    /// A label type other than 00 (label) and 11 (pointer), RFC 1035 section 4.1.4.
    case labelType = "unknown label type"
    /// A compression pointer leads back into the name that it belongs to.
    case pointerLoop = "compression pointer loops"
    /// A compression pointer leads past the end of the message.
    case pointerPastEnd = "compression pointer past the end"
    /// A compression pointer leads into the 12-byte header.
    case pointerIntoHeader = "compression pointer into the header"
    /// More jumps than `DNSLimits.pointerJumps`.
    case pointerChain = "too many compression pointers in one name"
    /// A name of more than 255 octets (RFC 1035 section 2.3.4).
    case nameTooLong = "name longer than 255 octets"
    /// RDLENGTH leads past the end of the message.
    case rdataPastEnd = "record data runs past the end"
    /// A length or name inside the record data leads out of it.
    case rdataOverrun = "a field runs past the record data"
    /// The record data has not the size that its type demands.
    case rdataSize = "record data has the wrong size for its type"
    /// All names of one message together exceed `DNSLimits.expandedNameBytes`.
    case expansionLimit = "names expand beyond the limit for one message"
    /// A record cannot be written: a label, string or message is too long.
    case tooLongToWrite = "too long to write"
    /// The bytes have not the form that the format demands.
    case badFormat = "not of the expected format"
    /// A length field claims more than the format or a limit allows.
    case badLength = "impossible length"
  }

  /// What was wrong.
  public var reason: Reason
  /// Offset in bytes from the start of the bytes that were read.
  public var offset: Int

  /// Makes an error for `reason` at byte `offset`.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension WireError: CustomStringConvertible {
  /// The reason and the offset in words.
  public var description: String { "\(reason.rawValue) at byte \(offset)" }
}
