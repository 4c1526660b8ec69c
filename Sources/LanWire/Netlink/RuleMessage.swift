/// What a policy rule does (`FR_ACT_*`).
@frozen public struct RuleAction: Hashable, Sendable {
  /// The kernel's number.
  public var rawValue: UInt8

  /// The action of number `rawValue`.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Looks into a table.
  public static let table = RuleAction(rawValue: 1)
  /// Jumps to another rule.
  public static let goto = RuleAction(rawValue: 2)
  /// Nothing.
  public static let noop = RuleAction(rawValue: 3)
  /// Drops silently.
  public static let blackhole = RuleAction(rawValue: 6)
  /// Refuses: unreachable.
  public static let unreachable = RuleAction(rawValue: 7)
  /// Refuses: prohibited.
  public static let prohibit = RuleAction(rawValue: 8)
}

/// A policy rule (RTM_NEWRULE, RTM_DELRULE; `struct fib_rule_hdr`).
public struct RuleMessage: Hashable, Sendable {
  /// The IP version.
  public var family: NetlinkAddressFamily
  /// Leading bits of `destination`; 0 for any.
  public var destinationLength: UInt8
  /// Leading bits of `source`; 0 for any.
  public var sourceLength: UInt8
  /// The type of service that it matches; 0 for any.
  public var serviceType: UInt8
  /// The table that it looks into.
  public var table: UInt32
  /// What it does.
  public var action: RuleAction
  /// The kernel's bits (`FIB_RULE_*`).
  public var flags: UInt32
  /// Its place: the lowest one comes first.
  public var priority: UInt32 = 0
  /// The destination that it matches.
  public var destination: IPAddress?
  /// The source that it matches.
  public var source: IPAddress?
  /// The incoming link that it matches; empty for any.
  public var inputName = ""
  /// The outgoing link that it matches; empty for any.
  public var outputName = ""
  /// The packet mark that it matches.
  public var mark: UInt32?
  /// Which bits of the mark count.
  public var markMask: UInt32?
  /// The priority of the rule that `.goto` leads to.
  public var target: UInt32?
  /// Answers of the table with a prefix of this many bits or fewer do not count; nil for no limit.
  public var suppressedPrefixLength: UInt32?
  /// The table comes from the VRF of the link.
  public var usesVRF = false
  /// The users that it matches; nil for any.
  public var users: ClosedRange<UInt32>?
  /// The IP protocol that it matches.
  public var ipProtocol: UInt8?
  /// The source ports that it matches.
  public var sourcePorts: ClosedRange<UInt16>?
  /// The destination ports that it matches.
  public var destinationPorts: ClosedRange<UInt16>?
  /// Who installed it (`RTPROT_*`).
  public var origin: UInt8 = 0

  /// It applies to what it does not match (`ip rule … not`).
  public var isInverted: Bool { flags & 0x2 != 0 }

  /// Reads a message of type `.newRule` or `.deleteRule` from the bytes that it was found in.
  ///
  /// - Throws: `.truncated` or `.badLength`.
  public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    var (start, attributes) = try message.split(bytes, after: 12)
    family = NetlinkAddressFamily(rawValue: bytes[start])
    destinationLength = bytes[start &+ 1]
    sourceLength = bytes[start &+ 2]
    serviceType = bytes[start &+ 3]
    table = UInt32(bytes[start &+ 4])
    action = RuleAction(rawValue: bytes[start &+ 7])
    flags = bytes.littleUInt32(at: start &+ 8)
    while let attribute = try attributes.next(bytes) { read(attribute, bytes) }
  }

  /// A switch over the attributes, with nothing else in it.
  private mutating func read(_ attribute: NetlinkAttribute, _ bytes: Span<UInt8>) {
    switch attribute.type {
    case 1: destination = attribute.address(bytes, family)
    case 2: source = attribute.address(bytes, family)
    case 3: inputName = attribute.text(bytes)
    case 4: target = attribute.uint32(bytes)
    case 6: priority = attribute.uint32(bytes) ?? 0
    case 10: mark = attribute.uint32(bytes)
    case 14: suppressedPrefixLength = attribute.uint32(bytes).flatMap { $0 == .max ? nil : $0 }
    case 15: table = attribute.uint32(bytes) ?? table
    case 16: markMask = attribute.uint32(bytes)
    case 17: outputName = attribute.text(bytes)
    case 19: usesVRF = attribute.uint8(bytes) ?? 0 != 0
    case 20: users = attribute.users(bytes)
    case 21: origin = attribute.uint8(bytes) ?? 0
    case 22: ipProtocol = attribute.uint8(bytes)
    case 23: sourcePorts = attribute.ports(bytes)
    case 24: destinationPorts = attribute.ports(bytes)
    default: break
    }
  }
}

extension NetlinkAttribute {
  /// Two 32-bit ends in host order; nil where they are not in order.
  fileprivate func users(_ bytes: Span<UInt8>) -> ClosedRange<UInt32>? {
    guard let low = uint32(bytes), let high = uint32(bytes, at: 4), low <= high else { return nil }
    return low...high
  }

  /// Two 16-bit ends in host order; nil where they are not in order.
  fileprivate func ports(_ bytes: Span<UInt8>) -> ClosedRange<UInt16>? {
    guard let both = uint32(bytes) else { return nil }
    let low = UInt16(truncatingIfNeeded: both)
    let high = UInt16(truncatingIfNeeded: both >> 16)
    return low <= high ? low...high : nil
  }
}
