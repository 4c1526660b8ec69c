/// What the files of sysfs say about the device behind a link.
public struct DeviceFacts: Hashable, Sendable {
  /// `DEVTYPE` of the uevent file, such as `wlan` or `wwan`.
  public var type: String?
  /// True if there is a `phy80211` link.
  public var hasWirelessPhy: Bool
  /// The number of the rfkill switch behind the device.
  public var radio: UInt32?

  /// Facts about a device.
  public init(type: String? = nil, hasWirelessPhy: Bool = false, radio: UInt32? = nil) {
    self.type = type
    self.hasWirelessPhy = hasWirelessPhy
    self.radio = radio
  }
}

/// What nl80211 says about a link.
public struct WirelessFacts: Hashable, Sendable {
  /// The part that a wireless link plays.
  public enum Role: String, Hashable, Sendable {
    /// A client of an access point or of a peer group.
    case station
    /// This host is the access point.
    case accessPoint = "access-point"
    /// Any other.
    case other
  }

  /// The part that the link plays.
  public var role: Role
  /// The network's name; nil when not connected or not told.
  public var network: String?
  /// Whether the access point lets data through; nil when not known.
  public var isAuthorized: Bool?

  /// Facts about a wireless link.
  public init(role: Role = .station, network: String? = nil, isAuthorized: Bool? = nil) {
    self.role = role
    self.network = network
    self.isAuthorized = isAuthorized
  }
}

/// One radio switch (rfkill).
public struct RadioSwitch: Hashable, Sendable {
  /// What kind of radio it switches.
  public enum Kind: String, Hashable, Sendable {
    /// Wireless LAN.
    case wlan
    /// Cellular.
    case wwan
    /// Any other.
    case other
  }

  /// The kernel's number of the switch.
  public var index: UInt32
  /// What kind of radio it switches.
  public var kind: Kind
  /// Blocked by software.
  public var isSoftBlocked: Bool
  /// Blocked by a switch of the device.
  public var isHardBlocked: Bool

  /// A switch and its position.
  public init(index: UInt32, kind: Kind, isSoftBlocked: Bool, isHardBlocked: Bool) {
    self.index = index
    self.kind = kind
    self.isSoftBlocked = isSoftBlocked
    self.isHardBlocked = isHardBlocked
  }

  /// Blocked either way.
  public var isBlocked: Bool { isSoftBlocked || isHardBlocked }
}
