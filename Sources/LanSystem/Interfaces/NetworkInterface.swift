public import LanWire

/// A network interface as the kernel lists it, with its addresses.
public struct NetworkInterface: Hashable, Sendable {
  /// One address and its network.
  public struct Address: Hashable, Sendable {
    /// The interface's own address.
    public var address: IPAddress
    /// How many leading bits name the network.
    public var prefixLength: Int

    /// An address with its prefix length.
    public init(_ address: IPAddress, prefixLength: Int) {
      self.address = address
      self.prefixLength = prefixLength
    }
  }

  /// The name, at most 15 bytes.
  public var name: String
  /// The kernel's number, never 0.
  public var index: UInt32
  /// The IFF_ flags of netdevice(7).
  public var flags: UInt32
  /// The link-layer address, where it has one.
  public var mac: MACAddress?
  /// The addresses, in the kernel's order.
  public var addresses: [Address]

  /// An interface from its facts.
  public init(
    name: String, index: UInt32, flags: UInt32, mac: MACAddress? = nil, addresses: [Address] = []
  ) {
    self.name = name
    self.index = index
    self.flags = flags
    self.mac = mac
    self.addresses = addresses
  }

  /// Switched on (IFF_UP).
  public var isUp: Bool { flags & 0x1 != 0 }
  /// Switched on and with a carrier (IFF_RUNNING).
  public var isRunning: Bool { flags & 0x40 != 0 }
  /// The loopback interface (IFF_LOOPBACK).
  public var isLoopback: Bool { flags & 0x8 != 0 }
  /// A point-to-point link (IFF_POINTOPOINT).
  public var isPointToPoint: Bool { flags & 0x10 != 0 }
  /// Can send to groups (IFF_MULTICAST).
  public var isMulticast: Bool { flags & 0x1000 != 0 }
}
