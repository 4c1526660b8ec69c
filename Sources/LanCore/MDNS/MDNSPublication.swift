import LanWire

/// A service that is published, on whichever links there are.
struct MDNSPublication: Sendable {
  var service: MDNSService
  /// The instance label as it is claimed now.
  var label: [UInt8]
  /// The only links; nil for all.
  var interfaces: Set<UInt32>?
  /// The host that it is on; -1 for one that another stack answers for.
  var host: Int32 = -1
  /// Since when it looks for a name; nil once it has one.
  var since: Int64?
  /// That no name is to be had was told.
  var isStruggling = false
  /// When its records were changed in the last minute.
  var updates: [Int64] = []

  /// True if it is published on a link.
  func covers(_ index: UInt32) -> Bool { interfaces?.contains(index) ?? true }

  /// The name; nil for parts that make none.
  var name: ServiceInstanceName? {
    try? ServiceInstanceName(instance: label, type: service.type, domain: .local)
  }

  /// The strings of the TXT record, of which there is at least one (RFC 6763 section 6.1).
  var text: [[UInt8]] { service.text.isEmpty ? [[]] : service.text }

  /// When a change that comes up now may be announced: at most ten times a minute (RFC 6762
  /// section 8.4).
  mutating func admitUpdate(_ now: Int64) -> Int64 {
    updates.removeAll { $0 <= now - 60_000_000_000 }
    if let last = updates.last, last > now { return last }
    let due = updates.count < 10 ? now : updates[updates.count - 10] + 60_000_000_000
    updates.append(due)
    return due
  }
}

/// A host whose addresses are published.
struct MDNSOwnHost: Sendable {
  /// The first label of its name as it is claimed now.
  var label: [UInt8]
  /// The addresses of another machine; nil for this one, which has those of each link.
  var addresses: [IPAddress]?
  /// Services that are on it.
  var users = 0
  /// Since when it looks for a name; nil once it has one.
  var since: Int64?
  /// The label that it was asked for under.
  var wish: [UInt8]

  /// The name, below `local`.
  var name: DNSName { (try? DNSName(labels: [label, Array("local".utf8)])) ?? .root }
}
