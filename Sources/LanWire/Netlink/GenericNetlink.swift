/// The 4-byte header behind the netlink header in generic netlink (`struct genlmsghdr`).
@frozen public struct GenericHeader: Hashable, Sendable {
  /// The family's command.
  public var command: UInt8
  /// The version of the family's interface.
  public var version: UInt8

  /// A header from its parts.
  @inlinable public init(command: UInt8, version: UInt8 = 1) {
    self.command = command
    self.version = version
  }

  /// Reads the header at the start of a message's payload.
  ///
  /// - Throws: `.truncated` for a payload of less than 4 bytes.
  public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    let (start, _) = try message.split(bytes, after: 4)
    command = bytes[start]
    version = bytes[start &+ 1]
  }
}

/// A family of generic netlink, as the controller tells it (CTRL_CMD_NEWFAMILY).
public struct GenericFamilyMessage: Hashable, Sendable {
  /// A multicast group of the family.
  public struct Group: Hashable, Sendable {
    /// The name, such as `mlme`.
    public var name: String
    /// The number to be joined.
    public var id: UInt32
  }

  /// The number, which is the type of the family's messages.
  public var id: NetlinkType
  /// The name, such as `nl80211`.
  public var name: String
  /// The version of its interface.
  public var version: UInt32
  /// Its multicast groups.
  public var groups: [Group]

  /// Reads a message of type `.genericController` from the bytes that it was found in.
  ///
  /// - Throws: `.truncated` or `.badLength`, for the message or a nest in it.
  public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    var (_, attributes) = try message.split(bytes, after: 4)
    id = NetlinkType(rawValue: 0)
    (name, version, groups) = ("", 0, [])
    while let attribute = try attributes.next(bytes) {
      switch attribute.type {
      case 1: id = NetlinkType(rawValue: attribute.uint16(bytes) ?? 0)
      case 2: name = attribute.text(bytes)
      case 3: version = attribute.uint32(bytes) ?? 0
      case 7: try readGroups(attribute.value, bytes)
      default: break
      }
    }
  }

  /// The number of the group `name`; nil where the family has none.
  public func group(_ name: String) -> UInt32? { groups.first { $0.name == name }?.id }

  private mutating func readGroups(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(WireError) {
    var list = NetlinkAttributes(bytes, range)
    while let entry = try list.next(bytes) {
      var group = Group(name: "", id: 0)
      var facts = NetlinkAttributes(bytes, entry.value)
      while let fact = try facts.next(bytes) {
        if fact.type == 1 { group.name = fact.text(bytes) }
        if fact.type == 2 { group.id = fact.uint32(bytes) ?? 0 }
      }
      if group.id != 0 { groups.append(group) }
    }
  }
}
