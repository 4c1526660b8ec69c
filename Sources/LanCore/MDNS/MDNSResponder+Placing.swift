import LanWire

/// Records onto links and off them.
extension MDNSResponder {
  /// Seconds to live of records that are tied to a host's name, and of all others (RFC 6762
  /// section 10).
  static let hostTTL: UInt32 = 120
  static let otherTTL: UInt32 = 4_500

  /// The name under which the types are listed (RFC 6763 section 9).
  static let enumeration: DNSName =
    (try? DNSName(labels: ["_services", "_dns-sd", "_udp", "local"].map { Array($0.utf8) }))
    ?? .root

  // MARK: Services

  /// Begins to publish a service on a link.
  mutating func place(_ id: UInt32, _ z: Int, _ now: Int64) {
    guard let publication = publications[id], zones[z].services[id] == nil,
      let name = publication.name
    else { return }
    if publication.host >= 0 { useHost(publication.host, z, now) }
    let owner = zones[z].makeOwner(name.name)
    var claim = MDNSClaim(subject: .service(id), owner: owner)
    claim.sets = [
      zones[z].makeSet(owner, .srv, ttl: Self.hostTTL, [target(of: publication)]),
      zones[z].makeSet(owner, .txt, ttl: Self.otherTTL, [.txt(publication.text)]),
    ]
    claim.denial = zones[z].makeSet(
      owner, .nsec, ttl: Self.hostTTL, [.nsec(next: name.name, types: [.txt, .srv])])
    for (pointer, target) in pointers(publication, name) {
      claim.dependents.append(zones[z].holdShared(pointer, ttl: Self.otherTTL, .ptr(target)))
    }
    let number = zones[z].claims.insert(claim)
    zones[z].owners[owner].claim = number
    zones[z].services[id] = number
    begin(number, z, now)
  }

  /// The SRV record of a service.
  private func target(of publication: MDNSPublication) -> DNSRecordData {
    let service = publication.service
    var host = DNSName.root
    if publication.host >= 0 {
      host = hosts[publication.host].name
    } else if case .foreign(let name) = service.host {
      host = name
    }
    return .srv(
      priority: service.priority, weight: service.weight, port: service.port, target: host)
  }

  /// The shared records of a service: the pointers of its type, its subtypes, and to its type.
  private func pointers(
    _ publication: MDNSPublication, _ name: ServiceInstanceName
  ) -> [(DNSName, DNSName)] {
    guard let type = try? name.type.name(in: .local) else { return [] }
    var pointers = [(type, name.name)]
    var seen: Set<DNSName> = []
    for subtype in publication.service.subtypes {
      guard let below = try? type.prepending(Array("_sub".utf8)),
        let full = try? below.prepending(subtype), seen.insert(full).inserted
      else { continue }
      pointers.append((full, name.name))
    }
    return pointers + [(Self.enumeration, type)]
  }

  /// Points a service to its host's name as it is now.
  mutating func retarget(_ id: UInt32, _ z: Int, _ now: Int64) {
    guard let publication = publications[id], let number = zones[z].services[id] else { return }
    let set = zones[z].set(zones[z].claims[number].owner, .srv)
    guard set >= 0 else { return }
    let data = target(of: publication)
    guard zones[z].sets[set].data != [data] else { return }
    zones[z].replace(set, [data])
    let isHostReady = isReady(publication.host, z)
    if zones[z].claims[number].isStanding, isHostReady {
      announce(set, z, at: now)
      tellPublished(number, z)
    } else if zones[z].claims[number].isVerified, !zones[z].claims[number].isStanding, isHostReady {
      stand(number, z, now)
    }
  }

  // MARK: Either kind

  /// Takes a claim and all that hangs on it off a link.
  ///
  /// `farewell` gets the records that nobody has any more, with TTL 0.
  mutating func unplace(
    _ number: Int32, _ z: Int, _ farewell: inout [DNSRecord], _ now: Int64
  ) {
    let claim = zones[z].claims[number]
    zones[z].claimQueue.remove(number)
    for set in claim.dependents {
      drop(set, z, wasStanding: claim.isStanding, &farewell, now)
    }
    for set in claim.sets { drop(set, z, wasStanding: claim.isVerified, &farewell, now) }
    if claim.denial >= 0 {
      drop(claim.denial, z, wasStanding: claim.isVerified, &farewell, now)
    }
    if zones[z].owners[claim.owner].claim == number { zones[z].owners[claim.owner].claim = -1 }
    zones[z].dropOwner(claim.owner)
    zones[z].claims.remove(number, leaving: .blank)
    switch claim.subject {
    case .host(let id): zones[z].hosts[id] = nil
    case .service(let id):
      if zones[z].services[id] == number { zones[z].services[id] = nil }
      guard let host = publications[id]?.host, host >= 0 else { return }
      releaseHost(host, z, &farewell, now)
    }
  }

  /// Lets go of a set; if it was the last that had it, it is gone, and others are told so.
  mutating func drop(
    _ id: Int32, _ z: Int, wasStanding: Bool, _ farewell: inout [DNSRecord], _ now: Int64
  ) {
    zones[z].sets[id].holders -= 1
    if wasStanding { zones[z].sets[id].standing -= 1 }
    let set = zones[z].sets[id]
    let name = zones[z].owners[set.owner].name
    // A type that another host has too must not be taken out of caches.
    let isOthers = set.othersUntil > now && name == Self.enumeration
    if set.holders <= 0, set.isTold, !isOthers, set.type != .nsec {
      for data in set.data {
        farewell.append(DNSRecord(name: name, cacheFlush: set.isUnique, ttl: 0, data: data))
      }
      zones[z].sets[id].isTold = false
    }
    if set.holders <= 0 { zones[z].dropSet(id) }
  }
}
