import LanCore
import LanWire

/// The service types that a capture shows without anybody having asked which there are.
///
/// Whoever browses every type learns of them by the list of types (RFC 6763 section 9). A capture
/// need not hold that list, but each answer with a service names its type: for a type that is new an
/// answer with the list's record is made up.
struct HeardTypes {
  /// As many as are browsed at most.
  private static let limit = 1_000

  private let domain: DNSName
  private let list: DNSName
  private var seen: Set<DNSName> = []

  /// The types of a domain; nil where their list has no name.
  init?(domain: DNSName) {
    let labels = ["_services", "_dns-sd", "_udp"].map { Array($0.utf8) } + domain.labels
    guard let list = try? DNSName(labels: labels) else { return nil }
    self.domain = domain
    self.list = list
  }

  /// A message that lists the types that `message` is the first to name; nil for none.
  mutating func announcement(
    of message: DNSMessageView, _ index: DNSMessageIndex, _ payload: Span<UInt8>
  ) -> [UInt8]? {
    guard message.hasHeader, message.header.isResponse else { return nil }
    var answers: [DNSRecord] = []
    for place in message.records where seen.count < Self.limit {
      let record = index.records[place]
      guard record.type == .ptr, record.ttl > 0, record.section != .authority,
        let owner = try? DNSName(payload, at: Int(record.name)), let type = type(owner),
        seen.insert(type).inserted
      else { continue }
      // It stays for as long as the capture lasts.
      answers.append(DNSRecord(name: list, ttl: 1 << 30, data: .ptr(type)))
    }
    if answers.isEmpty { return nil }
    var made = DNSMessage(id: 0, flags: 0x8400)
    made.answers = answers
    return try? made.encoded()
  }

  /// The type whose instances `owner` points to.
  private func type(_ owner: DNSName) -> DNSName? {
    guard owner.hasSuffix(domain), owner != list else { return nil }
    let labels = owner.labels
    let own = labels.count - domain.labelCount
    guard own == 2 || own == 4, labels[own - 2].first == 0x5F,
      ["_tcp", "_udp"].contains(String(decoding: labels[own - 1], as: UTF8.self).lowercased())
    else { return nil }
    if own == 4, String(decoding: labels[1], as: UTF8.self).lowercased() != "_sub" { return nil }
    if String(decoding: labels[own - 2], as: UTF8.self).lowercased() == "_dns-sd" { return nil }
    return try? DNSName(labels: labels[(own - 2)...])
  }
}
