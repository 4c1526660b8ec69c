import LanWire

/// Host names and their addresses.
extension MDNSResponder {
  // MARK: Which hosts there are

  /// The host that a service is on, made where it is the first; -1 for another stack's.
  mutating func takeHost(_ host: MDNSService.Host, _ now: Int64) -> Int32 {
    var wanted = MDNSOwnHost(
      label: hostLabel, addresses: nil, users: 1, since: now, wish: hostLabel)
    switch host {
    case .foreign: return -1
    case .own: break
    case .proxy(let label, let addresses):
      (wanted.label, wanted.wish, wanted.addresses) = (label, label, addresses)
    }
    for id in 0..<hosts.bound where hosts[id].users > 0 {
      let other = hosts[id]
      guard other.addresses == wanted.addresses,
        wanted.addresses == nil || other.wish == wanted.wish
      else { continue }
      hosts[id].users += 1
      return id
    }
    while isTaken(wanted.name) {
      wanted.label = MDNSLabelSuffix.next(after: wanted.label, isHost: true, &chance)
    }
    if wanted.addresses == nil { hostLabel = wanted.label }
    return hosts.insert(wanted)
  }

  /// True if a host of ours has the name.
  func isTaken(_ name: DNSName) -> Bool {
    (0..<hosts.bound).contains { hosts[$0].users > 0 && hosts[$0].name == name }
  }

  /// One service less is on a host.
  mutating func dropHost(_ id: Int32) {
    guard id >= 0 else { return }
    hosts[id].users -= 1
    guard hosts[id].users <= 0 else { return }
    hosts.remove(id, leaving: MDNSOwnHost(label: [], addresses: [], wish: []))
  }

  // MARK: Hosts on links

  /// One service more on a link needs a host there.
  mutating func useHost(_ id: Int32, _ z: Int, _ now: Int64) {
    if zones[z].hosts[id] == nil { placeHost(id, z, now) }
    guard let claim = zones[z].hosts[id] else { return }
    zones[z].claims[claim].users += 1
  }

  /// One service less; the last one takes the host's records along.
  mutating func releaseHost(
    _ id: Int32, _ z: Int, _ farewell: inout [DNSRecord], _ now: Int64
  ) {
    guard let claim = zones[z].hosts[id] else { return }
    zones[z].claims[claim].users -= 1
    if zones[z].claims[claim].users <= 0 { unplace(claim, z, &farewell, now) }
  }

  /// The same, and says goodbye at once.
  mutating func releaseHost(_ id: Int32, _ z: Int, _ now: Int64) {
    var farewell: [DNSRecord] = []
    releaseHost(id, z, &farewell, now)
    sendGoodbye(farewell, z, now)
  }

  private mutating func placeHost(_ id: Int32, _ z: Int, _ now: Int64) {
    let name = hosts[id].name
    let owner = zones[z].makeOwner(name)
    var claim = MDNSClaim(subject: .host(id), owner: owner)
    claim.denial = zones[z].makeSet(
      owner, .nsec, ttl: Self.hostTTL, [.nsec(next: name, types: [])])
    let number = zones[z].claims.insert(claim)
    zones[z].owners[owner].claim = number
    zones[z].hosts[id] = number
    refreshAddresses(number, z, now)
    begin(number, z, now)
  }

  /// Moves a host to the name that it has now, on a link.
  mutating func replaceHost(_ id: Int32, _ z: Int, saysGoodbye: Bool, _ now: Int64) {
    guard let old = zones[z].hosts[id] else { return }
    let users = zones[z].claims[old].users
    var farewell: [DNSRecord] = []
    unplace(old, z, &farewell, now)
    if saysGoodbye { sendGoodbye(farewell, z, now) }
    placeHost(id, z, now)
    if let new = zones[z].hosts[id] { zones[z].claims[new].users = users }
  }

  /// True if the name of a service's host is verified on a link, or is not ours to verify.
  func isReady(_ host: Int32, _ z: Int) -> Bool {
    guard host >= 0 else { return true }
    return zones[z].hosts[host].map { zones[z].claims[$0].isStanding } ?? false
  }

  // MARK: Addresses

  /// The addresses that a host has on a link: all of them, and none of other links (RFC 6762
  /// section 6.2).
  private func addresses(of host: Int32, _ z: Int) -> [IPAddress] {
    if let given = hosts[host].addresses { return given }
    return zones[z].state.link.prefixes.map(\.address)
  }

  /// Gives a host on a link the addresses that it has now; what changed is announced.
  mutating func refreshAddresses(_ number: Int32, _ z: Int, _ now: Int64) {
    guard case .host(let host) = zones[z].claims[number].subject else { return }
    var four: [DNSRecordData] = []
    var six: [DNSRecordData] = []
    var seen: Set<IPAddress> = []
    for address in addresses(of: host, z) where seen.insert(address).inserted {
      switch address {
      case .v4(let value): four.append(.a(value))
      case .v6(let value): six.append(.aaaa(value))
      }
    }
    var farewell: [DNSRecord] = []
    setRecords(.a, four, number, z, &farewell, now)
    setRecords(.aaaa, six, number, z, &farewell, now)
    let types = (four.isEmpty ? [] : [DNSRecordType.a]) + (six.isEmpty ? [] : [.aaaa])
    let denial = zones[z].claims[number].denial
    let said = DNSRecordData.nsec(
      next: zones[z].owners[zones[z].claims[number].owner].name, types: types)
    if zones[z].sets[denial].data != [said] { zones[z].replace(denial, [said]) }
    refreshReverse(number, z, &farewell, now)
    sendGoodbye(farewell, z, now)
  }

  /// Gives a claimed name these records of a type.
  private mutating func setRecords(
    _ type: DNSRecordType, _ data: [DNSRecordData], _ number: Int32, _ z: Int,
    _ farewell: inout [DNSRecord], _ now: Int64
  ) {
    let claim = zones[z].claims[number]
    let old = zones[z].set(claim.owner, type)
    if old >= 0, zones[z].sets[old].data == data { return }
    if data.isEmpty {
      guard old >= 0 else { return }
      zones[z].claims[number].sets.removeAll { $0 == old }
      drop(old, z, wasStanding: claim.isVerified, &farewell, now)
      return
    }
    if old >= 0 {
      zones[z].replace(old, data)
      if claim.isVerified { announce(old, z, at: now) }
      return
    }
    let new = zones[z].makeSet(claim.owner, type, ttl: Self.hostTTL, data)
    zones[z].claims[number].sets.append(new)
    guard claim.isVerified else { return }
    zones[z].sets[new].standing = 1
    announce(new, z, at: now)
  }

  // MARK: Reverse names

  /// Brings the reverse names of all links up to date with `foreignAddresses`.
  mutating func refreshReverse() {
    for z in zones.indices {
      for claim in zones[z].hosts.values.sorted() {
        var farewell: [DNSRecord] = []
        refreshReverse(claim, z, &farewell, clock)
        sendGoodbye(farewell, z, clock)
      }
    }
  }

  /// Gives this machine's addresses on a link their reverse names, which are known to be unique.
  private mutating func refreshReverse(
    _ number: Int32, _ z: Int, _ farewell: inout [DNSRecord], _ now: Int64
  ) {
    guard case .host(let host) = zones[z].claims[number].subject, hosts[host].addresses == nil
    else { return }
    let claim = zones[z].claims[number]
    var wanted: Set<DNSName> = []
    for address in addresses(of: host, z)
    where !foreignAddresses.contains(address) && !address.isLoopback {
      wanted.insert(DNSName(reverseOf: address))
    }
    var kept: [Int32] = []
    for set in claim.dependents {
      let name = zones[z].owners[zones[z].sets[set].owner].name
      if wanted.contains(name) {
        kept.append(set)
      } else {
        drop(set, z, wasStanding: claim.isStanding, &farewell, now)
      }
    }
    zones[z].claims[number].dependents = kept
    for name in wanted.sorted(by: { $0.wire.lexicographicallyPrecedes($1.wire) })
    where zones[z].owner(name) < 0 {
      addReverse(name, number, z, now)
    }
  }

  private mutating func addReverse(_ name: DNSName, _ number: Int32, _ z: Int, _ now: Int64) {
    let claim = zones[z].claims[number]
    let owner = zones[z].makeOwner(name)
    let host = zones[z].owners[claim.owner].name
    let sets = [
      zones[z].makeSet(owner, .ptr, ttl: Self.hostTTL, [.ptr(host)]),
      zones[z].makeSet(owner, .nsec, ttl: Self.hostTTL, [.nsec(next: name, types: [.ptr])]),
    ]
    zones[z].claims[number].dependents += sets
    guard claim.isStanding else { return }
    for set in sets { zones[z].sets[set].standing = 1 }
    announce(sets[0], z, at: now)
  }
}
