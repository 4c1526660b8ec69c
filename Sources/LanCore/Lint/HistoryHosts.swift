import LanWire

/// What is kept of a host.
struct HistoryHost {
  var source: IPAddress
  var firstSeen: Int64
  var lastSeen: Int64
  /// When its last query with the TC bit came, and in which frame.
  var truncatedAt: Int64 = .min / 4
  var truncatedFrame = 0
  var followsUp = true
  var rate = RateHistory()
  var joinedAt: Int64?
  var reportedAt: Int64?
  var queriedAt: Int64?
  /// The last half of the IPv6 link-local address that it sends from.
  var linkLocal: UInt64?
  var usesLLMNR = false
  var lacksProbe = false
  var isForeign = false
  var conflicts = 0
  var conflictsSince: Int64 = 0
}

extension LintHistory {
  static func hash(_ address: IPAddress) -> UInt64 {
    switch address {
    case .v4(let address): UInt64(address.bits)
    case .v6(let address): HistoryHash.mix(address.high, address.low)
    }
  }

  private static let macTag: UInt64 = 1 << 62

  private static func addressKey(_ address: IPAddress) -> UInt64 {
    switch address {
    case .v4(let address): HistoryHash.mix(4, UInt64(address.bits)) &>> 2
    case .v6(let address): HistoryHash.mix(address.high, address.low) &>> 2 | 1 << 63
    }
  }

  /// True when two keys are surely of two hosts: the IPv4 and the IPv6 side of a host may look
  /// like two where the link has no addresses of its own.
  static func areDistinct(_ first: UInt64, _ second: UInt64) -> Bool {
    first != second && first &>> 62 == second &>> 62
  }

  /// The host of a message: its link-layer address, else its address, or the address of its other
  /// side when its own records told that.
  mutating func hostKey(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ envelope: MessageEnvelope
  ) -> UInt64 {
    if let mac = envelope.sourceMAC, !envelope.isTunnelled { return Self.macTag | mac.bits }
    let own = Self.addressKey(envelope.source)
    let key = aliases.find(own).map { aliases[$0] } ?? own
    guard view.header.isResponse else { return key }
    var listsItself = false
    for position in view.records {
      let record = index.records[position]
      if let address = Self.address(message, record), address == envelope.source {
        listsItself = true
      }
    }
    guard listsItself else { return key }
    for position in view.records {
      guard let address = Self.address(message, index.records[position]) else { continue }
      let other = Self.addressKey(address)
      if other != key, aliases.find(other) == nil { _ = aliases.insert(other, key) }
    }
    return key
  }

  static func address(_ message: Span<UInt8>, _ record: DNSRecordView) -> IPAddress? {
    switch record.data(message) {
    case .a(let address): .v4(address)
    case .aaaa(let address): .v6(address)
    default: nil
    }
  }

  /// Enters the host of a message; true when it was never seen before.
  mutating func enterHost(_ context: inout HistoryContext) -> Bool {
    if let index = hosts.find(context.host) {
      context.hostIndex = index
      hosts[index].lastSeen = now
      if !context.hasMAC || hosts[index].source.isIPv6 { hosts[index].source = context.source }
      noteLinkLocal(context.source, index)
      return false
    }
    let host = HistoryHost(source: context.source, firstSeen: now, lastSeen: now)
    context.hostIndex = hosts.insert(context.host, host)
    noteLinkLocal(context.source, context.hostIndex)
    return true
  }

  private mutating func noteLinkLocal(_ source: IPAddress, _ index: Int) {
    if case .v6(let address) = source, address.isLinkLocal {
      hosts[index].linkLocal = address.low
    }
  }

  /// Changes what is kept of the host of a message.
  mutating func withHost<Result>(
    _ context: HistoryContext, _ change: (inout HistoryHost) -> Result
  ) -> Result {
    change(&hosts[context.hostIndex])
  }

  /// The address under which findings name a host.
  func address(of host: UInt64) -> String {
    hosts.find(host).map { "\(hosts[$0].source)" } ?? "another host"
  }
}
