public import LanWire

/// A link as the kernel tells it, reduced to what has a meaning for reachability.
public struct LinkState: Hashable, Sendable {
  /// The flags that have a meaning here; others come and go without one.
  public static let meaningfulFlags: LinkFlags = [
    .up, .loopback, .pointToPoint, .noARP, .lowerUp, .dormant,
  ]

  /// The kernel's number; it may be used again after the link went.
  public var index: UInt32
  /// The name.
  public var name: String
  /// The flags, only those of `meaningfulFlags`.
  public var flags: LinkFlags
  /// The operational state.
  public var operational: OperationalState
  /// Whether user space gates the upward transition.
  public var mode: LinkMode
  /// The hardware type.
  public var hardware: HardwareType
  /// The link below (a VLAN's, a macvlan's); nil for none or one of another namespace.
  public var lower: UInt32?
  /// True if the link below is in another namespace.
  public var isLowerForeign = false
  /// The bridge, bond, team or VRF that it is a member of.
  public var master: UInt32?
  /// The driver's kind, such as `veth` or `bridge`; nil for most hardware.
  public var kind: String?
  /// The active member of a bond in active-backup mode.
  public var activeMember: UInt32?
  /// True for a tun device that carries Ethernet frames (tap).
  public var isTap = false
  /// True if a protocol daemon holds the link down.
  public var isProtocolDown = false
  /// The bus of the device behind the link.
  public var parentBus: String?

  /// A link from what every message tells; the rest can be set.
  public init(
    index: UInt32, name: String, flags: LinkFlags, operational: OperationalState = .unknown,
    mode: LinkMode = .normal, hardware: HardwareType = .ethernet
  ) {
    self.index = index
    self.name = name
    self.flags = flags.intersection(Self.meaningfulFlags)
    self.operational = operational
    self.mode = mode
    self.hardware = hardware
  }

  /// Switched on.
  public var isUp: Bool { flags.contains(.up) }
  /// The driver reports a carrier.
  public var hasCarrier: Bool { flags.contains(.lowerUp) }
  /// Packets pass: on, carrier, operational or of unknown state (tunnels, many modems).
  public var isUsable: Bool {
    isUp && hasCarrier && !flags.contains(.dormant)
      && (operational == .up || operational == .unknown)
  }
  /// On and with a carrier, but waiting for something outside.
  public var isDormant: Bool {
    isUp && hasCarrier && (operational == .dormant || flags.contains(.dormant))
  }
}

extension OperationalState {
  /// The kernel's word, as iproute2 prints it, in lower case.
  public var word: String {
    switch self {
    case .notPresent: "notpresent"
    case .down: "down"
    case .lowerLayerDown: "lowerlayerdown"
    case .testing: "testing"
    case .dormant: "dormant"
    case .up: "up"
    default: "unknown"
    }
  }
}
