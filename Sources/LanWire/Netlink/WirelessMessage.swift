/// A command of nl80211, the kernel's interface for Wi-Fi (`NL80211_CMD_*`).
@frozen public struct WirelessCommand: Hashable, Sendable {
  /// The kernel's number.
  public var rawValue: UInt8

  /// The command of number `rawValue`.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Asks for interfaces.
  public static let getInterface = WirelessCommand(rawValue: 5)
  /// An interface is there, or the answer to `getInterface`.
  public static let newInterface = WirelessCommand(rawValue: 7)
  /// An interface went.
  public static let deleteInterface = WirelessCommand(rawValue: 8)
  /// Asks for stations.
  public static let getStation = WirelessCommand(rawValue: 17)
  /// A station is there, or the answer to `getStation`.
  public static let newStation = WirelessCommand(rawValue: 19)
  /// A station went.
  public static let deleteStation = WirelessCommand(rawValue: 20)
  /// The network sent us away.
  public static let deauthenticate = WirelessCommand(rawValue: 39)
  /// An attempt to connect ended.
  public static let connect = WirelessCommand(rawValue: 46)
  /// Connected to another access point of the network.
  public static let roam = WirelessCommand(rawValue: 47)
  /// Not connected any more.
  public static let disconnect = WirelessCommand(rawValue: 48)
  /// The keys are in place: data may flow.
  public static let portAuthorized = WirelessCommand(rawValue: 125)
}

/// What a Wi-Fi interface is (`NL80211_IFTYPE_*`).
@frozen public struct WirelessInterfaceType: Hashable, Sendable {
  /// The kernel's number.
  public var rawValue: UInt32

  /// The type of number `rawValue`.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A client of an access point.
  public static let station = WirelessInterfaceType(rawValue: 2)
  /// An access point.
  public static let accessPoint = WirelessInterfaceType(rawValue: 3)
  /// A listener.
  public static let monitor = WirelessInterfaceType(rawValue: 6)
  /// A client in a group of Wi-Fi Direct.
  public static let peerClient = WirelessInterfaceType(rawValue: 8)

  /// True for the types that join somebody else's network.
  public var isClient: Bool { self == .station || self == .peerClient }
}

/// A message of nl80211: an interface, a station, or an event about them.
public struct WirelessMessage: Hashable, Sendable {
  /// What it says.
  public var command: WirelessCommand
  /// The index of the link; nil where the message is about a device without one.
  public var index: UInt32?
  /// The number of the radio.
  public var radio: UInt32?
  /// The link's name; empty where the message has none.
  public var name = ""
  /// What the interface is.
  public var type: WirelessInterfaceType?
  /// The network's name: any bytes, 32 at most; nil where the interface is in none.
  public var ssid: [UInt8]?
  /// The address of the other station or access point, or of the interface.
  public var mac: MACAddress?
  /// The channel in MHz.
  public var frequency: UInt32?
  /// The other station's signal in dBm.
  public var signal: Int8?
  /// Whether data may flow; nil where the message does not tell.
  public var isAuthorized: Bool?

  /// Reads a message whose type is the number of the family `nl80211`.
  ///
  /// - Throws: `.truncated` or `.badLength`, for the message or a nest in it.
  public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    var (start, attributes) = try message.split(bytes, after: 4)
    command = WirelessCommand(rawValue: bytes[start])
    while let attribute = try attributes.next(bytes) {
      switch attribute.type {
      case 1: radio = attribute.uint32(bytes)
      case 3: index = attribute.uint32(bytes)
      case 4: name = attribute.text(bytes)
      case 5: type = attribute.uint32(bytes).map(WirelessInterfaceType.init)
      case 6: mac = attribute.mac(bytes)
      case 21: try readStation(attribute.value, bytes)
      case 38: frequency = attribute.uint32(bytes)
      case 52: ssid = attribute.value.count <= 32 ? attribute.array(bytes) : nil
      default: break
      }
    }
  }

  private mutating func readStation(
    _ range: Range<Int>, _ bytes: Span<UInt8>
  ) throws(WireError) {
    var facts = NetlinkAttributes(bytes, range)
    while let fact = try facts.next(bytes) {
      switch fact.type {
      case 7: signal = fact.uint8(bytes).map { Int8(bitPattern: $0) }
      case 17:
        // A mask of the flags that are told, then their values; bit 1 is NL80211_STA_FLAG_AUTHORIZED.
        guard let mask = fact.uint32(bytes), mask & 2 != 0 else { break }
        isAuthorized = fact.uint32(bytes, at: 4).map { $0 & 2 != 0 }
      default: break
      }
    }
  }
}
