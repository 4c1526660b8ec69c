public import LanCore
public import LanWire

/// One message that was seen, as a value of its own.
public struct SniffEvent: Sendable {
  /// How it travelled.
  public let envelope: MessageEnvelope
  /// Name of the interface that it was heard on; nil where it is not known.
  public let interface: String?
  /// The protocol, by its port.
  public let nameProtocol: NameProtocol
  /// What it is for.
  public let kind: MessageKind
  /// What could be read of it.
  public let message: DNSMessage
  /// Why it is malformed; nil when it is sound.
  public let problem: WireError?
  /// What it shows by itself, with `SniffOptions.lint`.
  public let findings: [Finding]

  init(
    _ message: SniffedMessage, _ batch: borrowing SniffBatch, _ bytes: Span<UInt8>,
    interface names: [Int: String]
  ) {
    envelope = message.envelope
    interface = names[Int(message.envelope.interface)]
    nameProtocol = message.nameProtocol
    kind = message.kind
    problem = message.isMalformed ? message.view.problem : nil
    findings = Array(batch.findings[message.findings])
    if message.isReassembled {
      let whole = batch.reassembled
      self.message = DNSMessage.lenient(whole.span.extracting(message.payload)).message
    } else {
      self.message = DNSMessage.lenient(bytes.extracting(message.payload)).message
    }
  }
}

/// Gets the messages that a `PacketSniffer` sees.
public protocol PacketSnifferDelegate: AnyObject {
  /// A message was seen. Called on the reactor's thread.
  func packetSniffer(_ sniffer: PacketSniffer, didSee event: SniffEvent)
}

/// Something amiss that does not end a run by itself.
public enum SnifferDiagnostic: Sendable {
  /// The system could not do as asked, such as promiscuous mode.
  case warning(String)
  /// A group could not be joined on an interface.
  case notJoined(MulticastMembership.Failure)
  /// Capture on one interface ended; how many are left.
  case interfaceEnded(CaptureError, left: Int)
}

/// Why there is nothing to listen on.
public enum SnifferError: Error, Sendable {
  /// No interface that is up can carry multicast.
  case noInterface
  /// None of the groups could be joined.
  case noGroup
}

extension SnifferError: CustomStringConvertible {
  /// The reason, and what to do.
  public var description: String {
    switch self {
    case .noInterface:
      "no interface that is up can carry multicast; see 'ip link', or name one with -i"
    case .noGroup: "no multicast group could be joined on any interface; see 'ip maddr'"
    }
  }
}

extension SnifferDiagnostic: CustomStringConvertible {
  /// What is amiss, in one line.
  public var description: String {
    switch self {
    case .warning(let text): text
    case .notJoined(let failure):
      "\(failure); what a switch or card filters out will be missing"
    case .interfaceEnded(let error, _): "\(error)"
    }
  }
}

extension NameProtocol {
  /// The UDP port of the protocol.
  var port: UInt16 {
    switch self {
    case .mdns: 5353
    case .llmnr: 5355
    case .dns: 53
    }
  }
}

extension MulticastMembership.Failure {
  /// True where the interface has no address of the group's family: then it has no groups either.
  func isExpected(on interface: NetworkInterface) -> Bool {
    interface.name == self.interface
      && !interface.addresses.contains { $0.address.isIPv6 == group.isIPv6 }
  }
}
