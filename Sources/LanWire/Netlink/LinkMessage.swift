/// A link as the kernel tells it (RTM_NEWLINK, RTM_DELLINK; `struct ifinfomsg`).
///
/// Every fact that an attribute brings is nil where the message lacks it: events may be partial.
public struct LinkMessage: Hashable, Sendable {
  /// The family; with `.bridge` the message is about a bridge's port, not the state of the link.
  public var family: NetlinkAddressFamily
  /// The index, never 0 in practice; it names the link within its namespace.
  public var index: UInt32
  /// The hardware type.
  public var hardware: HardwareType
  /// The flags as they are now.
  public var flags: LinkFlags
  /// Which flags changed, all ones where the kernel does not tell.
  public var changedFlags: LinkFlags
  /// The name, at most 15 bytes; empty where the message has none.
  public var name = ""
  /// Other names of the link.
  public var alternativeNames: [String] = []
  /// The 48-bit link-layer address, where it has one of that size.
  public var mac: MACAddress?
  /// The largest packet in bytes.
  public var mtu: UInt32?
  /// The operational state.
  public var state: OperationalState?
  /// The mode of the next upward transition.
  public var mode: LinkMode?
  /// Whether there is a carrier.
  public var hasCarrier: Bool?
  /// How often the carrier came or went.
  public var carrierChanges: UInt32?
  /// How often the carrier came.
  public var carrierUpCount: UInt32?
  /// How often the carrier went.
  public var carrierDownCount: UInt32?
  /// The index of the bridge, bond or the like that this link belongs to.
  public var master: UInt32?
  /// The index of the link below, in the namespace that `lowerNamespace` names, else in the own.
  public var lower: UInt32?
  /// The kernel's number of the other namespace that `lower` belongs to.
  public var lowerNamespace: Int32?
  /// The kind of a virtual link, such as `bridge`, `veth` or `wireguard`; empty for hardware.
  public var kind = ""
  /// The kind of the link that it belongs to, such as `bridge`; empty for none.
  public var memberKind = ""
  /// For kind `tun`: 1 carries IP packets, 2 Ethernet frames.
  public var tunType: UInt8?
  /// For kind `bond`: the index of the member in use.
  public var activeMember: UInt32?
  /// A protocol's daemon holds the link down.
  public var isProtocolDown: Bool?
  /// Which bus the device behind it is on, such as `pci`, `usb` or `wwan`; empty for none.
  public var parentBus = ""
  /// The name of that device; empty for none.
  public var parentDevice = ""
  /// The message carries wireless extensions, which is no change of the link's state.
  public var carriesWirelessExtension = false
  /// The index that a link gets in the namespace that it is moved to.
  public var newIndex: UInt32?
  /// The kernel's number of the namespace that a link is moved to.
  public var newNamespace: Int32?

  /// A link of `index` without any attribute.
  public init(
    index: UInt32, hardware: HardwareType = .ethernet, flags: LinkFlags = [], name: String = ""
  ) {
    family = .unspecified
    self.index = index
    self.hardware = hardware
    self.flags = flags
    changedFlags = []
    self.name = name
  }

  /// Reads a message of type `.newLink` or `.deleteLink` from the bytes that it was found in.
  ///
  /// - Throws: `.truncated` or `.badLength`, for the message or a nest in it.
  public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    var (start, attributes) = try message.split(bytes, after: 16)
    self.init(index: bytes.littleUInt32(at: start &+ 4))
    family = NetlinkAddressFamily(rawValue: bytes[start])
    hardware = HardwareType(rawValue: bytes.littleUInt16(at: start &+ 2))
    flags = LinkFlags(rawValue: bytes.littleUInt32(at: start &+ 8))
    changedFlags = LinkFlags(rawValue: bytes.littleUInt32(at: start &+ 12))
    while let attribute = try attributes.next(bytes) { try read(attribute, bytes) }
  }

  /// A switch over the attributes, with nothing else in it.
  private mutating func read(
    _ attribute: NetlinkAttribute, _ bytes: Span<UInt8>
  ) throws(WireError) {
    switch attribute.type {
    case 1: mac = attribute.mac(bytes)
    case 3: name = attribute.text(bytes)
    case 4: mtu = attribute.uint32(bytes)
    case 5: lower = attribute.uint32(bytes)
    case 10: master = attribute.uint32(bytes)
    case 11: carriesWirelessExtension = true
    case 16: state = attribute.uint8(bytes).map(OperationalState.init)
    case 17: mode = attribute.uint8(bytes).map(LinkMode.init)
    case 18: try readInformation(attribute.value, bytes)
    case 33: hasCarrier = attribute.uint8(bytes).map { $0 != 0 }
    case 35: carrierChanges = attribute.uint32(bytes)
    case 37: lowerNamespace = attribute.int32(bytes)
    case 39: isProtocolDown = attribute.uint8(bytes).map { $0 != 0 }
    case 45: newNamespace = attribute.int32(bytes)
    case 47: carrierUpCount = attribute.uint32(bytes)
    case 48: carrierDownCount = attribute.uint32(bytes)
    case 49: newIndex = attribute.uint32(bytes)
    case 52: try readProperties(attribute.value, bytes)
    case 56: parentDevice = attribute.text(bytes)
    case 57: parentBus = attribute.text(bytes)
    default: break
    }
  }

  private mutating func readProperties(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(WireError) {
    var properties = NetlinkAttributes(bytes, range)
    while let property = try properties.next(bytes) {
      if property.type == 53 { alternativeNames.append(property.text(bytes)) }
    }
  }

  private mutating func readInformation(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(WireError) {
    var data: Range<Int>?
    var information = NetlinkAttributes(bytes, range)
    while let attribute = try information.next(bytes) {
      switch attribute.type {
      case 1: kind = attribute.text(bytes)
      case 2: data = attribute.value
      case 4: memberKind = attribute.text(bytes)
      default: break
      }
    }
    // What the data mean depends on the kind, which may stand behind them.
    guard let data, kind == "tun" || kind == "bond" else { return }
    var details = NetlinkAttributes(bytes, data)
    while let detail = try details.next(bytes) {
      if kind == "tun", detail.type == 3 { tunType = detail.uint8(bytes) }
      if kind == "bond", detail.type == 2 { activeMember = detail.uint32(bytes) }
    }
  }
}
