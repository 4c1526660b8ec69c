/// An error, an acknowledgement, or the end of a dump, with the kernel's extended words for it.
public struct NetlinkErrorMessage: Error, Hashable, Sendable {
  /// The error number; 0 acknowledges.
  public var errno: Int32
  /// The type of the request that it answers; 0 at the end of a dump.
  public var request: NetlinkType
  /// The kernel's text (NLMSGERR_ATTR_MSG); empty for none.
  public var text: String
  /// Where in the request the offending attribute starts (NLMSGERR_ATTR_OFFS).
  public var offset: UInt32?
  /// Bytes that only the subsystem understands (NLMSGERR_ATTR_COOKIE).
  public var cookie: [UInt8]
  /// The type of an attribute that is missing (NLMSGERR_ATTR_MISS_TYPE).
  public var missingType: UInt32?

  /// An error of number `errno` with the kernel's `text`.
  public init(errno: Int32, request: NetlinkType = NetlinkType(rawValue: 0), text: String = "") {
    self.errno = errno
    self.request = request
    self.text = text
    cookie = []
  }

  /// Reads a message of type `.error` or `.done` from the bytes that it was found in.
  ///
  /// A done message may be empty, which is success.
  ///
  /// - Throws: `.truncated` or `.badLength`.
  public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    self.init(errno: 0)
    let isError = message.header.type == .error
    if !isError, message.payload.isEmpty { return }
    let (start, _) = try message.split(bytes, after: isError ? 20 : 4)
    let number = Int32(bitPattern: bytes.littleUInt32(at: start))
    // A dump that ends well may carry a positive number, which is no error.
    errno = isError || number < 0 ? Int32(clamping: number.magnitude) : 0
    var behind = start &+ 4
    if isError {
      let header = try NetlinkHeader(bytes, at: behind)
      request = header.type
      behind &+= NetlinkHeader.size
      if !message.header.flags.contains(.capped) {
        let payload = max(Int(clamping: header.length), NetlinkHeader.size) &- NetlinkHeader.size
        guard payload <= message.payload.upperBound &- behind else {
          throw WireError(.truncated, at: behind)
        }
        behind = min(behind &+ (payload &+ 3) & ~3, message.payload.upperBound)
      }
    }
    guard message.header.flags.contains(.acknowledgeAttributes) else { return }
    try readAttributes(NetlinkAttributes(bytes, behind..<message.payload.upperBound), bytes)
  }

  private mutating func readAttributes(
    _ list: NetlinkAttributes, _ bytes: Span<UInt8>
  ) throws(WireError) {
    var list = list
    while let attribute = try list.next(bytes) {
      switch attribute.type {
      case 1: text = attribute.text(bytes)
      case 2: offset = attribute.uint32(bytes)
      case 3: cookie = attribute.array(bytes)
      case 5: missingType = attribute.uint32(bytes)
      default: break
      }
    }
  }
}
