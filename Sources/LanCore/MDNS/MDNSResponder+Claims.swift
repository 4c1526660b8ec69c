import LanWire

/// Probing: names are ours once nobody spoke against it (RFC 6762 section 8.1).
extension MDNSResponder {
  static let second: Int64 = 1_000_000_000
  static let millisecond: Int64 = 1_000_000
  /// Between two probes, and from the last one to success.
  static let probeGap: Int64 = 250 * millisecond
  static let probeCount: Int32 = 3

  /// Begins to claim a name: a while of up to 250 ms, the same for all that begin together, or
  /// five seconds after too many conflicts.
  mutating func begin(_ number: Int32, _ z: Int, _ now: Int64) {
    guard !brake.holds(now) else { return begin(number, z, at: now + 5 * Self.second) }
    let last = now + Self.probeGap
    if zones[z].probeStart < now || zones[z].probeStart > last {
      zones[z].probeStart = chance.pick(now, last)
    }
    begin(number, z, at: zones[z].probeStart)
  }

  /// Begins to claim a name at a time.
  mutating func begin(_ number: Int32, _ z: Int, at time: Int64) {
    lower(number, z)
    zones[z].claims[number].probes = 0
    zones[z].claimQueue.set(number, at: time)
  }

  /// A name is not ours for now: nothing of it is given.
  private mutating func lower(_ number: Int32, _ z: Int) {
    let claim = zones[z].claims[number]
    if claim.isStanding {
      for set in claim.dependents { zones[z].sets[set].standing -= 1 }
    }
    if claim.isVerified {
      for set in claim.sets { zones[z].sets[set].standing -= 1 }
      if claim.denial >= 0 { zones[z].sets[claim.denial].standing -= 1 }
    }
    zones[z].claims[number].isStanding = false
    zones[z].claims[number].isVerified = false
  }

  /// Sends probes that are due, those of several names together, and takes the names that nobody
  /// spoke against.
  mutating func runClaims(_ z: Int, _ now: Int64) {
    var probing: [Int32] = []
    while let number = zones[z].claimQueue.firstDue(at: now) {
      if zones[z].claims[number].probes >= Self.probeCount {
        zones[z].claimQueue.remove(number)
        verified(number, z, now)
      } else {
        zones[z].claims[number].probes += 1
        zones[z].claimQueue.set(number, at: now + Self.probeGap)
        probing.append(number)
      }
    }
    if !probing.isEmpty { sendProbes(probing, z, now) }
  }

  /// A name is ours on a link.
  private mutating func verified(_ number: Int32, _ z: Int, _ now: Int64) {
    let claim = zones[z].claims[number]
    zones[z].claims[number].isVerified = true
    for set in claim.sets { zones[z].sets[set].standing += 1 }
    if claim.denial >= 0 { zones[z].sets[claim.denial].standing += 1 }
    switch claim.subject {
    case .service(let id):
      guard let host = publications[id]?.host, isReady(host, z) else { return }
      stand(number, z, now)
    case .host(let host):
      hosts[host].since = nil
      stand(number, z, now)
      for (id, service) in zones[z].services.sorted(by: { $0.key < $1.key })
      where publications[id]?.host == host && zones[z].claims[service].isVerified {
        if zones[z].claims[service].isStanding {
          announceTarget(service, z, now)
        } else {
          stand(service, z, now)
        }
      }
    }
  }

  /// A claim stands: all of it is given and announced.
  mutating func stand(_ number: Int32, _ z: Int, _ now: Int64) {
    guard !zones[z].claims[number].isStanding else { return }
    zones[z].claims[number].isStanding = true
    let claim = zones[z].claims[number]
    for set in claim.dependents {
      zones[z].sets[set].standing += 1
      if zones[z].sets[set].type != .nsec { announce(set, z, at: now) }
    }
    for set in claim.sets { announce(set, z, at: now) }
    if case .service(let id) = claim.subject {
      publications[id]?.since = nil
      publications[id]?.isStruggling = false
      tellPublished(number, z)
    }
  }

  /// Announces that a service's host has another name, or that its name is verified again.
  private mutating func announceTarget(_ number: Int32, _ z: Int, _ now: Int64) {
    let set = zones[z].set(zones[z].claims[number].owner, .srv)
    guard set >= 0, zones[z].sets[set].multicast == .min else { return }
    announce(set, z, at: now)
    tellPublished(number, z)
  }

  /// Tells that a service is announced on a link.
  mutating func tellPublished(_ number: Int32, _ z: Int) {
    guard case .service(let id) = zones[z].claims[number].subject,
      let publication = publications[id], let name = publication.name
    else { return }
    var host = DNSName.root
    if publication.host >= 0 {
      host = hosts[publication.host].name
    } else if case .foreign(let other) = publication.service.host {
      host = other
    }
    output.events.append(
      .published(
        MDNSService.ID(id), name: name, host: host, interfaceIndex: zones[z].index))
  }
}
