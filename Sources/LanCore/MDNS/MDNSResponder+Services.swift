import LanWire

/// What is published.
extension MDNSResponder {
  /// Begins to publish a service on the links of these numbers, or on all for nil.
  ///
  /// A service that `MDNSService.problem` speaks against is refused.
  public mutating func publish(
    _ service: MDNSService, on interfaces: Set<UInt32>? = nil, at now: Int64
  ) -> MDNSService.ID {
    clock = max(clock, now)
    lastID += 1
    let id = lastID
    guard service.problem == nil else {
      output.events.append(.refused(MDNSService.ID(id), rival: ownAddress))
      return MDNSService.ID(id)
    }
    var publication = MDNSPublication(
      service: service, label: service.instance, interfaces: interfaces, since: now)
    guard reserve(&publication, id) else { return MDNSService.ID(id) }
    publication.host = takeHost(service.host, now)
    publications[id] = publication
    for z in zones.indices where publication.covers(zones[z].index) { place(id, z, now) }
    return MDNSService.ID(id)
  }

  /// Has a service published on these links.
  public mutating func setInterfaces(
    _ interfaces: Set<UInt32>?, of id: MDNSService.ID, at now: Int64
  ) {
    clock = max(clock, now)
    guard publications[id.number] != nil else { return }
    publications[id.number]?.interfaces = interfaces
    for z in zones.indices {
      let covers = interfaces?.contains(zones[z].index) ?? true
      if covers, zones[z].services[id.number] == nil {
        place(id.number, z, now)
      } else if !covers, let claim = zones[z].services[id.number] {
        var farewell: [DNSRecord] = []
        unplace(claim, z, &farewell, now)
        sendGoodbye(farewell, z, now)
      }
    }
  }

  /// Changes a service's TXT record: announced anew, without probing, at most ten times a minute
  /// (RFC 6762 section 8.4).
  ///
  /// Text that makes no TXT record changes nothing.
  public mutating func update(_ id: MDNSService.ID, text: [[UInt8]], at now: Int64) {
    clock = max(clock, now)
    guard let old = publications[id.number], old.service.text != text else { return }
    var service = old.service
    service.text = text
    guard service.problem == nil else { return }
    publications[id.number]?.service = service
    let due = publications[id.number]?.admitUpdate(now) ?? now
    let strings = publications[id.number]?.text ?? [[]]
    for z in zones.indices {
      guard let claim = zones[z].services[id.number] else { continue }
      let set = zones[z].set(zones[z].claims[claim].owner, .txt)
      guard set >= 0 else { continue }
      zones[z].replace(set, [.txt(strings)])
      if zones[z].claims[claim].isStanding { announce(set, z, at: due) }
    }
    finish(now)
  }

  /// Changes whose name and addresses a service has.
  public mutating func update(_ id: MDNSService.ID, host: MDNSService.Host, at now: Int64) {
    clock = max(clock, now)
    guard let old = publications[id.number], old.service.host != host else { return }
    let new = takeHost(host, now)
    publications[id.number]?.service.host = host
    publications[id.number]?.host = new
    for z in zones.indices {
      guard zones[z].services[id.number] != nil else { continue }
      if new >= 0 { useHost(new, z, now) }
      if old.host >= 0 { releaseHost(old.host, z, now) }
      retarget(id.number, z, now)
    }
    dropHost(old.host)
    finish(now)
  }

  /// Gives a service another name: goodbye to the old one, probing for the new one.
  public mutating func rename(_ id: MDNSService.ID, to instance: [UInt8], at now: Int64) {
    clock = max(clock, now)
    guard var publication = publications[id.number], publication.label != instance else { return }
    publication.service.instance = instance
    guard publication.service.problem == nil else { return }
    let old = publication.name?.name
    publication.label = instance
    publication.since = now
    if let old { serviceNames[old] = nil }
    guard reserve(&publication, id.number) else {
      remove(id.number, now)
      return
    }
    publications[id.number] = publication
    // The wish is another service's of ours, and the next best is the name that it has.
    guard publication.name?.name != old else { return }
    replace(id.number, after: nil, now)
  }

  /// Takes a service back, with a goodbye (RFC 6762 section 10.1).
  public mutating func withdraw(_ id: MDNSService.ID, at now: Int64) {
    clock = max(clock, now)
    remove(id.number, now)
  }

  /// Takes everything back.
  public mutating func withdrawAll(at now: Int64) {
    clock = max(clock, now)
    for z in zones.indices {
      var farewell: [DNSRecord] = []
      for (_, claim) in zones[z].services.sorted(by: { $0.key < $1.key }) {
        unplace(claim, z, &farewell, now)
      }
      sendGoodbye(farewell, z, now)
    }
    for id in publications.keys.sorted() { remove(id, now) }
  }

  // MARK: Names among ourselves

  /// Takes the name of a service, or another where one of ours has it.
  ///
  /// - Returns: False for a service that is refused.
  mutating func reserve(_ publication: inout MDNSPublication, _ id: UInt32) -> Bool {
    let wish = publication.label
    while let name = publication.name?.name, serviceNames[name] != nil {
      guard publication.service.mayRename else {
        output.events.append(.refused(MDNSService.ID(id), rival: ownAddress))
        return false
      }
      publication.label = MDNSLabelSuffix.next(after: publication.label, isHost: false, &chance)
    }
    if let name = publication.name?.name { serviceNames[name] = id }
    guard wish != publication.label else { return true }
    output.events.append(
      .renamed(
        MDNSService.ID(id), from: wish, to: publication.label, rival: ownAddress))
    return true
  }

  /// An address of this machine, the first there is.
  var ownAddress: IPAddress {
    zones.lazy.compactMap { $0.state.link.prefixes.first?.address }.first
      ?? .v4(IPv4Address(bits: 0))
  }

  /// Ends a service everywhere.
  mutating func remove(_ id: UInt32, _ now: Int64) {
    guard let publication = publications[id] else { return }
    for z in zones.indices {
      guard let claim = zones[z].services[id] else { continue }
      var farewell: [DNSRecord] = []
      unplace(claim, z, &farewell, now)
      sendGoodbye(farewell, z, now)
    }
    publications[id] = nil
    if let name = publication.name?.name, serviceNames[name] == id { serviceNames[name] = nil }
    dropHost(publication.host)
    guard publications.isEmpty else { return }
    replies = []
    held = []
  }

  /// Puts a service that has another name in the place of the old one.
  ///
  /// No goodbye is said on the link that the old name was lost on: what points to the name is the
  /// winner's now.
  mutating func replace(_ id: UInt32, after lost: Int?, _ now: Int64) {
    for z in zones.indices {
      guard let claim = zones[z].services[id] else { continue }
      // The new one first, so that what both have stays.
      zones[z].services[id] = nil
      place(id, z, now)
      var farewell: [DNSRecord] = []
      unplace(claim, z, &farewell, now)
      if z != lost { sendGoodbye(farewell, z, now) }
    }
  }

  /// Does what became due by a call itself.
  mutating func finish(_ now: Int64) {
    for z in zones.indices { runAnnouncements(z, now) }
  }
}
