public import LanWire

/// A service that a responder is to publish (RFC 6763).
public struct MDNSService: Hashable, Sendable {
  /// Whose host name and addresses it has.
  public enum Host: Hashable, Sendable {
    /// This machine, by the responder's host label.
    case own
    /// A host that another stack answers for; no address records are published.
    case foreign(DNSName)
    /// Another machine for which this one announces: its label and addresses.
    case proxy(label: [UInt8], addresses: [IPAddress])
  }

  /// The number by which a responder knows a service.
  public struct ID: Hashable, Sendable {
    /// The number.
    public var number: UInt32
    /// The service of that number.
    public init(_ number: UInt32) { self.number = number }
  }

  /// The bytes of the instance label that is wished for, nothing escaped.
  public var instance: [UInt8]
  /// The type, without subtype.
  public var type: ServiceType
  /// The labels of subtypes, such as `_universal`.
  public var subtypes: [[UInt8]] = []
  /// Whose name and addresses it has.
  public var host = Host.own
  /// SRV: the port; 0 is a placeholder (RFC 6763 section 8).
  public var port: UInt16
  /// SRV: the priority, lowest first (RFC 2782).
  public var priority: UInt16 = 0
  /// SRV: the weight among equal priorities (RFC 2782).
  public var weight: UInt16 = 0
  /// The strings of the TXT record; empty for the one that says nothing.
  public var text: [[UInt8]] = []
  /// Whether another name is chosen when this one is taken.
  public var mayRename = true

  /// A service of this machine with an empty TXT record.
  public init(instance: [UInt8], type: ServiceType, port: UInt16) {
    self.instance = instance
    self.type = type
    self.port = port
  }
}

extension MDNSService {
  /// Why a service cannot be published.
  public enum Problem: Error, Hashable, Sendable {
    /// The instance label is empty or has more than 63 octets (RFC 6763 section 4.1.1).
    case instanceLength(Int)
    /// The instance label has control characters (RFC 6763 section 4.1.1).
    ///
    /// That it is UTF-8 is not asked for: a name is taken as the bytes that the user gave.
    case instanceText
    /// The type breaks the rules of RFC 6335 section 5.1.
    case type(ServiceTypeError)
    /// A subtype's label is empty or has more than 63 octets (RFC 6763 section 7.1).
    case subtypeLength(Int)
    /// A string of the TXT record has more than 255 octets (RFC 6763 section 6.1).
    case stringLength(Int)
    /// The TXT record has more octets than a message holds.
    case textLength(Int)
    /// The label of a host is empty or has more than 63 octets, or its addresses are none.
    case host
  }

  /// What speaks against publishing it; nil for nothing.
  public var problem: Problem? {
    guard (1...63).contains(instance.count) else { return .instanceLength(instance.count) }
    if instance.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return .instanceText }
    do throws(ServiceTypeError) {
      _ = try ServiceTypeText(parsing: "\(type.base)")
    } catch {
      return .type(error)
    }
    if let label = subtypes.first(where: { !(1...63).contains($0.count) }) {
      return .subtypeLength(label.count)
    }
    if let string = text.first(where: { $0.count > 255 }) { return .stringLength(string.count) }
    // The record must fit into one message, alone (RFC 6762 section 17): name and fixed parts take
    // the rest.
    let octets = text.reduce(0) { $0 + $1.count + 1 }
    let others = DNSLimits.headerOctets + instance.count + 64
    if octets > MDNSResponder.largest - others { return .textLength(octets) }
    if case .proxy(let label, let addresses) = host,
      !(1...63).contains(label.count) || addresses.isEmpty
    {
      return .host
    }
    return nil
  }
}

/// What became of what a responder publishes.
public enum MDNSResponderEvent: Hashable, Sendable {
  /// The service is announced on a link, under the names that were really taken.
  case published(MDNSService.ID, name: ServiceInstanceName, host: DNSName, interfaceIndex: UInt32)
  /// The service's name was taken by `rival`; another is tried.
  case renamed(MDNSService.ID, from: [UInt8], to: [UInt8], rival: IPAddress)
  /// The host's label was taken by `rival`; another is tried.
  case hostRenamed(from: [UInt8], to: [UInt8], rival: IPAddress)
  /// The service's name was taken and it may have no other: it is not published.
  case refused(MDNSService.ID, rival: IPAddress)
  /// No name was free for a minute (RFC 6762 section 9).
  case struggling(MDNSService.ID)
}

/// What a responder wants done, in this order; taken after each call.
public struct MDNSResponderOutput: Hashable, Sendable {
  /// To be sent.
  public var packets: [MDNSPacket] = []
  /// To be told to whoever publishes.
  public var events: [MDNSResponderEvent] = []
  /// To be told to the user.
  public var diagnostics: [MDNSDiagnostic] = []

  /// Nothing to do.
  public init() {}
  /// True for nothing to do.
  public var isEmpty: Bool { packets.isEmpty && events.isEmpty && diagnostics.isEmpty }
}
