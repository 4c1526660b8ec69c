/// A message that is to be sent to the groups on a link, port 5353 to port 5353, hop limit 255.
public struct MDNSPacket: Hashable, Sendable {
  /// The message.
  public var bytes: [UInt8]
  /// The link that it leaves by.
  public var interfaceIndex: UInt32
  /// The versions of IP that it is sent over.
  public var families: MDNSFamilies

  /// A packet of these facts.
  public init(bytes: [UInt8], interfaceIndex: UInt32, families: MDNSFamilies) {
    self.bytes = bytes
    self.interfaceIndex = interfaceIndex
    self.families = families
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
