public import LanWire

/// A record that was heard on a link and has not expired.
public struct MDNSAnswer: Hashable, Sendable {
  /// The owner name, as first spelled.
  public var name: DNSName
  /// The data, which knows the type.
  public var data: DNSRecordData
  /// The link that it was heard on.
  public var interfaceIndex: UInt32
  /// The versions of IP that it was heard over.
  public var families: MDNSFamilies
  /// Who sent it last.
  public var source: IPAddress
  /// Seconds to live as last received.
  public var ttl: UInt32
  /// When it was last received, nanoseconds of the caller's clock.
  public var received: Int64
  /// It had the cache-flush bit: a record that only one host has (RFC 6762 section 10.2).
  public var isUnique: Bool

  /// An answer of these facts.
  public init(
    name: DNSName, data: DNSRecordData, interfaceIndex: UInt32, families: MDNSFamilies,
    source: IPAddress, ttl: UInt32, received: Int64, isUnique: Bool
  ) {
    self.name = name
    self.data = data
    self.interfaceIndex = interfaceIndex
    self.families = families
    self.source = source
    self.ttl = ttl
    self.received = received
    self.isUnique = isUnique
  }

  /// The type.
  public var type: DNSRecordType { data.type }
}

/// Why an answer is no longer there.
public enum MDNSRemovalCause: Hashable, Sendable {
  /// Its sender took it back with TTL 0 (RFC 6762 section 10.1).
  case goodbye
  /// Its TTL passed and nobody repeated it.
  case expired
  /// Its sender replaced it, by the cache-flush bit (RFC 6762 section 10.2).
  case flushed
  /// The link went down or away.
  case interfaceDown
  /// Others, or we, asked for it and nobody answered (RFC 6762 sections 10.4 and 10.5).
  case noResponse
}

/// What happened to a question that somebody is interested in.
public enum MDNSChange: Hashable, Sendable {
  /// A new answer, or one that was in the cache when the interest began; or, while somebody asks
  /// for the service types that there are, a PTR record that shows one and was not asked for.
  case added(MDNSAnswer)
  /// The answer is known still and was heard over another version of IP too.
  case heardOver(MDNSAnswer)
  /// The answer is gone; it is given as it was at last.
  case removed(MDNSAnswer, MDNSRemovalCause)
  /// The owner of the name says on this link that it has no such record, by NSEC (RFC 6762 section
  /// 6.1); told once until an answer comes.
  case denied(MDNSQuestion, interfaceIndex: UInt32)
  /// All attempts on this link went unanswered.
  case exhausted(MDNSQuestion, interfaceIndex: UInt32)
}

/// Something that went wrong or was left out, and does not end anything.
public enum MDNSDiagnostic: Hashable, Sendable {
  /// A datagram that is no DNS message to its end; what could be read was not used.
  case malformed(source: IPAddress, interfaceIndex: UInt32, WireError)
  /// A limit of the cache was reached; told once until there is room again.
  case cacheFull(records: Int, bytes: Int)
  /// More instances of a type, or more hosts, than are followed.
  case tooManyInstances(limit: Int)
  /// A question to conventional DNS has no answer; what was known before is kept. Told once until
  /// there is one again.
  case unanswered(DNSQuestion, UnicastFailure)
}

extension MDNSDiagnostic: CustomStringConvertible {
  /// What is amiss, in words for people.
  public var description: String {
    switch self {
    case .malformed(let source, _, let error): "a broken message from \(source): \(error)"
    case .cacheFull(let records, let bytes):
      "too much is announced: \(records) records (\(bytes) bytes) are kept, others are left out"
    case .tooManyInstances(let limit): "more than \(limit) services; others are left out"
    case .unanswered(let question, let failure):
      "DNS did not tell about \(question.name) \(question.type): \(failure)"
    }
  }
}
