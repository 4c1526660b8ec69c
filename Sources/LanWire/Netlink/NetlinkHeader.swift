/// The 16-byte header of every netlink message (`struct nlmsghdr`).
///
/// Netlink speaks the byte order of its host, which is little-endian on every Linux that Swift
/// runs on; these codecs read and write that order.
@frozen public struct NetlinkHeader: Hashable, Sendable {
  /// Bytes of the header.
  public static let size = 16

  /// Bytes of the message, this header included and the padding behind it not.
  public var length: UInt32
  /// What the message is.
  public var type: NetlinkType
  /// What goes with it.
  public var flags: NetlinkFlags
  /// Number of the request; in an event that of the request that caused it, whoever made it.
  public var sequence: UInt32
  /// Port of the socket that asked (the kernel calls it pid); 0 where nobody did.
  public var port: UInt32

  /// A header from its parts.
  @inlinable public init(
    length: UInt32, type: NetlinkType, flags: NetlinkFlags, sequence: UInt32, port: UInt32
  ) {
    self.length = length
    self.type = type
    self.flags = flags
    self.sequence = sequence
    self.port = port
  }

  /// Reads the header at `offset`.
  ///
  /// - Throws: `.truncated` where fewer than 16 bytes are left.
  @inlinable public init(_ bytes: Span<UInt8>, at offset: Int) throws(WireError) {
    guard offset >= 0, offset <= bytes.count, bytes.count &- offset >= Self.size else {
      throw WireError(.truncated, at: min(max(offset, 0), bytes.count))
    }
    length = bytes.littleUInt32(at: offset)
    type = NetlinkType(rawValue: bytes.littleUInt16(at: offset &+ 4))
    flags = NetlinkFlags(rawValue: bytes.littleUInt16(at: offset &+ 6))
    sequence = bytes.littleUInt32(at: offset &+ 8)
    port = bytes.littleUInt32(at: offset &+ 12)
  }

  /// Appends the 16 bytes.
  public func append(to output: inout [UInt8]) {
    output.appendLittle(length)
    output.appendLittle(type.rawValue)
    output.appendLittle(flags.rawValue)
    output.appendLittle(sequence)
    output.appendLittle(port)
  }
}

/// The flags of a netlink message (`NLM_F_*`).
@frozen public struct NetlinkFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits; some mean different things in requests and in error messages.
  public var rawValue: UInt16

  /// Flags of the kernel's bits.
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A request to the kernel.
  public static let request = NetlinkFlags(rawValue: 0x1)
  /// More messages follow, up to one of type `.done`.
  public static let multi = NetlinkFlags(rawValue: 0x2)
  /// The sender wants an acknowledgement also for success.
  public static let acknowledge = NetlinkFlags(rawValue: 0x4)
  /// The dump missed changes that happened meanwhile: it must be repeated.
  public static let dumpInterrupted = NetlinkFlags(rawValue: 0x10)
  /// The kernel applied the filter of the request to the dump.
  public static let dumpFiltered = NetlinkFlags(rawValue: 0x20)
  /// A request for all objects.
  public static let dump = NetlinkFlags(rawValue: 0x300)
  /// In an error message: only the header of the request is repeated.
  public static let capped = NetlinkFlags(rawValue: 0x100)
  /// In an error or done message: attributes of the extended acknowledgement follow.
  public static let acknowledgeAttributes = NetlinkFlags(rawValue: 0x200)
}
