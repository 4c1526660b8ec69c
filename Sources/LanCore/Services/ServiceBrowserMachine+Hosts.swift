import LanWire

// SRV targets: each host is asked for once on a link, whoever needs it.
extension ServiceBrowserMachine {
  /// Makes the instance's host that of the SRV record that holds now.
  mutating func followTarget(_ id: Int32) {
    guard let instance = instances[id] else { return }
    let target = instance.resolution.target(at: clock)?.host
    let wanted = target.flatMap { $0.isRoot ? nil : $0 }
    if instance.host >= 0, let wanted, hosts[instance.host]?.name == wanted { return }
    // The new one first: both may be asked for by the same questions.
    let host = wanted.map { useHost($0, on: instance.link, for: id) } ?? -1
    if instance.host >= 0 { releaseHost(instance.host, by: id) }
    instances[id]?.host = host
  }

  private mutating func useHost(_ name: DNSName, on link: UInt32, for user: Int32) -> Int32 {
    let key = LinkName(name: name, link: link)
    if let id = hostIDs[key] {
      hosts[id]?.users.insert(user)
      return id
    }
    let id = hosts.insert(Host(name: name, link: link, users: [user]))
    hostIDs[key] = id
    for type in addressTypes { ask(name, type, on: link, .start, .attempts(Self.addressAttempts)) }
    return id
  }

  mutating func releaseHost(_ id: Int32, by user: Int32) {
    hosts[id]?.users.remove(user)
    guard let host = hosts[id], host.users.isEmpty else { return }
    hosts.remove(id)
    hostIDs[LinkName(name: host.name, link: host.link)] = nil
    stopAsking(host)
  }

  mutating func stopAsking(_ host: Host) {
    for type in addressTypes { ask(host.name, type, on: host.link, .stop) }
  }

  private var addressTypes: [DNSRecordType] {
    switch configuration.families {
    case .ipv4: [.a]
    case .ipv6: [.aaaa]
    default: [.a, .aaaa]
    }
  }

  /// True if no address of the host can be expected.
  func isHopeless(_ host: Host) -> Bool {
    host.addresses.denied.isSuperset(of: configuration.families)
  }

  /// Asks a second time for a host of which nothing came at all.
  mutating func retry(_ id: Int32) {
    guard let host = hosts[id], !host.isRetried, host.addresses.isEmpty,
      host.addresses.denied.union(host.addresses.exhausted).isSuperset(of: configuration.families)
    else { return }
    hosts[id]?.isRetried = true
    hosts[id]?.addresses.exhausted = []
    stopAsking(host)
    for type in addressTypes {
      ask(host.name, type, on: host.link, .start, .attempts(Self.addressAttempts))
    }
  }

  /// Looks again at who has an address of ours.
  mutating func refreshOwnership(on link: UInt32) {
    let found = hosts.live.filter { $0.1.link == link }.map(\.0)
    for id in found { markUsersDirty(id) }
  }
}
