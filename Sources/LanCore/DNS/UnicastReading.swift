public import LanWire

/// What one response of a DNS server says about a question.
///
/// A recursive server follows aliases by itself; one that knows its own zones alone may stop at an
/// alias, and then its target is to be asked for (RFC 1034 section 4.3.1).
public enum UnicastReading: Hashable, Sendable {
  /// The answer, or why there is none; `name` is where the aliases ended.
  case outcome(UnicastOutcome, name: DNSName)
  /// The aliases of this response lead to a name that it says nothing about.
  case alias(to: DNSName, records: [DNSRecord])

  /// How many aliases are followed for one question.
  public static let aliasLimit = 8

  /// Reads a response whose id and question have been found right.
  public init(_ message: DNSMessage, _ question: DNSQuestion) {
    let code = Self.responseCode(message)
    guard code == 0 || code == 3 else {
      self = .outcome(.failed(Self.failure(code)), name: question.name)
      return
    }
    var chain = AliasChain(question.name)
    while true {
      if !Self.records(message, at: chain.name, question.type).isEmpty {
        self = .outcome(.answers(message), name: chain.name)
        return
      }
      guard let step = chain.step(in: message.answers) else { break }
      guard step else {
        self = .outcome(.failed(.tooManyAliases), name: chain.name)
        return
      }
    }
    self = Self.negative(message, code, chain)
  }

  private static func negative(
    _ message: DNSMessage, _ code: UInt16, _ chain: AliasChain
  ) -> UnicastReading {
    let ttl = negativeTTL(message, chain.name)
    // The code is about the end of the chain (RFC 6604 section 3).
    if code == 3 { return .outcome(.nxdomain(ttl: ttl), name: chain.name) }
    if ttl != nil { return .outcome(.noData(ttl: ttl), name: chain.name) }
    if !chain.records.isEmpty { return .alias(to: chain.name, records: chain.records) }
    let refers = message.authorities.contains { $0.type == .ns }
    if refers, !message.header.isAuthoritative {
      return .outcome(.failed(.referral), name: chain.name)
    }
    return .outcome(.noData(ttl: nil), name: chain.name)
  }

  /// The response code with the eight bits that EDNS adds (RFC 6891 section 6.1.3).
  public static func responseCode(_ message: DNSMessage) -> UInt16 {
    UInt16(message.opt?.extendedRcode ?? 0) << 4 | UInt16(message.header.rcode)
  }

  private static func failure(_ code: UInt16) -> UnicastFailure {
    switch code {
    case 2: .servFail
    case 5: .refused
    default: .rcode(code)
    }
  }

  /// The answers of class IN at `name` that are of `type`, or of any type for ANY.
  public static func records(
    _ message: DNSMessage, at name: DNSName, _ type: DNSRecordType
  ) -> [DNSRecord] {
    message.answers.filter {
      $0.dnsClass == .in && ($0.type == type || type == .any) && $0.name == name
    }
  }

  /// The least of the SOA record's TTL and its MINIMUM (RFC 2308 section 5).
  private static func negativeTTL(_ message: DNSMessage, _ name: DNSName) -> UInt32? {
    for record in message.authorities where name.hasSuffix(record.name) {
      if case .soa(let authority) = record.data { return min(record.ttl, authority.minimum) }
    }
    return nil
  }
}

/// A name, and the aliases that led to it.
private struct AliasChain {
  var name: DNSName
  var records: [DNSRecord] = []

  init(_ name: DNSName) { self.name = name }

  /// Follows one alias; nil where the name has none, false for one too many.
  mutating func step(in answers: [DNSRecord]) -> Bool? {
    for record in answers {
      guard let target = target(of: record) else { continue }
      records.append(record)
      guard records.count <= UnicastReading.aliasLimit else { return false }
      name = target
      return true
    }
    return nil
  }

  private func target(of record: DNSRecord) -> DNSName? {
    switch record.data {
    case .cname(let target): record.name == name ? target : nil
    case .dname(let target):
      // Only what is below the owner moves (RFC 6672 section 2.2).
      if record.name != name, name.hasSuffix(record.name) {
        try? DNSName(
          labels: name.labels.prefix(name.labelCount - record.name.labelCount) + target.labels)
      } else {
        nil
      }
    default: nil
    }
  }
}
