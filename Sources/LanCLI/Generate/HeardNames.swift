import LanCore
import LanWire

/// The names that multicast DNS messages tell of, as words for a command line.
///
/// Strangers choose these names. A shell is given only those that fit a line, show as they are and
/// mean one thing to the command: no control characters, nothing that is no UTF-8, no hyphen in
/// front, which would make an option of it, and no tilde there, which fish would make a folder of.
struct HeardNames {
  /// Which names are meant.
  enum Kind: String, CaseIterable, Sendable {
    /// Hosts: `deck.local`.
    case hosts
    /// Hosts, and the full names of service instances: `Deck._witap2._tcp.local`.
    case targets
    /// The labels of service instances: `Deck`.
    case instances
  }

  /// More are not kept.
  static let limit = 1_000

  private var hosts: Set<DNSName> = []
  private var services: Set<DNSName> = []

  /// Takes the names of a response; those with TTL 0 are gone (RFC 6762 section 10.1).
  mutating func take(_ message: DNSMessage) {
    guard message.header.isResponse else { return }
    for record in message.answers + message.additionals {
      let isThere = record.ttl > 0
      switch record.data {
      case .a, .aaaa: note(record.name, in: \.hosts, isThere)
      case .srv(_, _, _, let target):
        note(record.name, in: \.services, isThere)
        if isThere { note(target, in: \.hosts, true) }
      case .ptr(let target):
        if ServiceInstanceName(target) != nil { note(target, in: \.services, isThere) }
      default: break
      }
    }
  }

  private mutating func note(
    _ name: DNSName, in set: WritableKeyPath<Self, Set<DNSName>>, _ isThere: Bool
  ) {
    guard isThere else {
      self[keyPath: set].remove(name)
      return
    }
    guard name.hasSuffix(.local), name.labels.allSatisfy(Self.isPlain),
      self[keyPath: set].count < Self.limit
    else { return }
    self[keyPath: set].insert(name)
  }

  /// The words of a kind, sorted; instances only of these types, unless there are none.
  func words(_ kind: Kind, of types: [ServiceType] = []) -> [String] {
    var words: Set<String> = []
    if kind == .instances {
      for service in services.compactMap({ ServiceInstanceName($0) })
      where types.isEmpty || types.contains(service.type) {
        words.insert(String(decoding: service.instance, as: UTF8.self))
      }
    } else {
      words.formUnion(hosts.map(\.description).filter(Self.isHost))
    }
    if kind == .targets { words.formUnion(services.map(\.description).filter(Self.isService)) }
    return words.filter { !$0.hasPrefix("-") && !$0.hasPrefix("~") }.sorted()
  }

  /// Whether a label shows as it is in every terminal and shell.
  private static func isPlain(_ label: [UInt8]) -> Bool {
    var index = 0
    while index < label.count {
      let length = UTF8Sequence.length(label.span, at: index, end: label.count)
      if length == 0 || label[index] < 0x20 || label[index] == 0x7F { return false }
      if length > 1, UTF8Sequence.steers(label.span, at: index, length) { return false }
      index += length
    }
    return true
  }

  private static func isHost(_ word: String) -> Bool {
    if case .host = (try? ResolveQuery.parse(word, ResolveQuery.Hints()))?.subject {
      true
    } else {
      false
    }
  }

  private static func isService(_ word: String) -> Bool {
    if case .service(let name) = (try? ResolveQuery.parse(word, ResolveQuery.Hints()))?.subject {
      "\(name.name)" == word
    } else {
      false
    }
  }
}
