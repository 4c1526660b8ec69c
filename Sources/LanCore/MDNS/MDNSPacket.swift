public import LanWire

/// Where a unicast packet goes.
public struct MDNSDestination: Hashable, Sendable {
  /// The address; a link-local one is on the packet's link.
  public var address: IPAddress
  /// The port; not 5353 for one that asked as conventional resolvers do (RFC 6762 section 6.7).
  public var port: UInt16

  /// A destination of these facts.
  public init(_ address: IPAddress, port: UInt16 = 5_353) {
    self.address = address
    self.port = port
  }
}

/// A message that is to be sent on a link from port 5353, hop limit 255: to the groups, port 5353, or
/// to one destination.
public struct MDNSPacket: Hashable, Sendable {
  /// The message.
  public var bytes: [UInt8]
  /// The link that it leaves by.
  public var interfaceIndex: UInt32
  /// The versions of IP that it is sent over.
  public var families: MDNSFamilies
  /// The only one that it is sent to; nil for the groups.
  public var destination: MDNSDestination?

  /// A packet to the groups.
  public init(bytes: [UInt8], interfaceIndex: UInt32, families: MDNSFamilies) {
    self.bytes = bytes
    self.interfaceIndex = interfaceIndex
    self.families = families
  }

  /// A packet to one destination.
  public init(bytes: [UInt8], interfaceIndex: UInt32, to destination: MDNSDestination) {
    self.bytes = bytes
    self.interfaceIndex = interfaceIndex
    self.families = MDNSFamilies(destination.address)
    self.destination = destination
  }
}

/// What a querier wants done, in this order; taken after each call.
public struct MDNSOutput: Hashable, Sendable {
  /// To be sent.
  public var packets: [MDNSPacket] = []
  /// To be told to whoever asked.
  public var changes: [MDNSChange] = []
  /// To be told to the user.
  public var diagnostics: [MDNSDiagnostic] = []

  /// Nothing to do.
  public init() {}
  /// True for nothing to do.
  public var isEmpty: Bool { packets.isEmpty && changes.isEmpty && diagnostics.isEmpty }
}
