public import LanWire

/// Host names learned from address records on the way, to be shown beside addresses.
///
/// Bounded: at `limit` addresses the table starts anew, so that a flood costs names and no memory.
public struct HostNames: Sendable {
  /// Addresses kept at most.
  public static let limit = 4_096

  private struct Entry {
    var hash: UInt64
    /// Presentation form of the name, without `.local`.
    var text: [UInt8]
  }

  private var entries: [IPAddress: Entry] = [:]

  /// An empty table.
  public init() {}

  /// Learns from the address records of a response; goodbyes teach nothing.
  public mutating func learn(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex
  ) {
    guard view.header.isResponse else { return }
    for place in view.records {
      let record = index.records[place]
      guard record.ttl > 0 else { continue }
      switch record.type.rawValue == 1 || record.type.rawValue == 28 ? record.data(message) : nil {
      case .a(let address)?: learn(.v4(address), message, Int(record.name))
      case .aaaa(let address)?: learn(.v6(address), message, Int(record.name))
      default: break
      }
    }
  }

  private mutating func learn(_ address: IPAddress, _ message: Span<UInt8>, _ name: Int) {
    let hash = DNSNameView.hash(message, at: name)
    if let known = entries[address], known.hash == hash { return }
    if entries.count >= Self.limit { entries.removeAll(keepingCapacity: true) }
    var text: [UInt8] = []
    DNSNameText.append(message, at: name, to: &text)
    entries[address] = Entry(hash: hash, text: Self.short(text))
  }

  /// A name in presentation form without its `.local`, in whatever case that is.
  static func short(_ text: [UInt8]) -> [UInt8] {
    let host = text.dropLast(6)
    // Behind an odd number of backslashes the dot is one of the label.
    guard !host.isEmpty, text.suffix(6).map(DNSNameView.folded) == Array(".local".utf8),
      host.reversed().prefix(while: { $0 == 0x5C }).count % 2 == 0
    else { return text }
    return Array(host)
  }

  /// The presentation form of the name learned for `address`, without `.local`.
  public subscript(address: IPAddress) -> [UInt8]? { entries[address]?.text }
}
