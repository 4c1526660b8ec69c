import LanWire

/// Rivals for our names (RFC 6762 sections 8.1, 8.2 and 9).
extension MDNSResponder {
  // MARK: Answers of rivals

  /// Another host has a record of a name of ours, and not one of our records.
  mutating func judge(
    _ number: Int32, _ record: DNSRecordView, _ arrival: MDNSArrival, _ z: Int, _ now: Int64
  ) {
    let claim = zones[z].claims[number]
    if isOfThisMachine(claim, arrival) { return }
    guard claim.isVerified else {
      // What was said before the first probe is no answer to it. The answer to a probe may come by
      // unicast, as it was asked for.
      guard claim.probes > 0,
        arrival.isMulticast || zones[z].state.isOnLink(arrival.source)
      else { return }
      brake.note(now)
      lose(number, z, to: arrival.source, now)
      return
    }
    guard arrival.isMulticast, record.type != .nsec,
      zones[z].set(claim.owner, record.type) >= 0
    else { return }
    brake.note(now)
    if case .host(let id) = claim.subject { hosts[id].since = hosts[id].since ?? now }
    if case .service(let id) = claim.subject { publications[id]?.since = now }
    begin(number, z, now)
  }

  /// True for what this machine itself says about its name: a second program of ours, which perhaps
  /// knows of a new address already.
  private func isOfThisMachine(_ claim: MDNSClaim, _ arrival: MDNSArrival) -> Bool {
    guard case .host(let host) = claim.subject, hosts[host].addresses == nil else { return false }
    return isOwn(arrival.source)
  }

  // MARK: Simultaneous probes

  /// Compares what another host proposes with what we propose for a name that both probe for; who
  /// has the greater data goes on, the other waits a second (RFC 6762 section 8.2).
  mutating func decide(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ arrival: MDNSArrival, _ z: Int, _ now: Int64
  ) {
    for number in view.questions {
      let name = Int(index.questions[number].name)
      let hash = MDNSZone.hash(message, at: name)
      let owner = zones[z].owner(message, at: name, hash: hash)
      guard owner >= 0, zones[z].owners[owner].proposed == serial,
        zones[z].owners[owner].claim >= 0, zones[z].owners[owner].decided != serial
      else { continue }
      zones[z].owners[owner].decided = serial
      let claim = zones[z].owners[owner].claim
      guard !zones[z].claims[claim].isVerified, zones[z].claims[claim].probes > 0,
        !isOfThisMachine(zones[z].claims[claim], arrival)
      else { continue }
      let theirs = proposal(message, view, of: name, hash: hash)
      guard let theirs, MDNSProposal(zones[z].records(of: claim)) < theirs else { continue }
      begin(claim, z, at: now + Self.second)
    }
  }

  /// What a message proposes for the name at an offset; nil if all of it is ours, on whichever link.
  private func proposal(
    _ message: Span<UInt8>, _ view: DNSMessageView, of name: Int, hash: UInt32
  ) -> MDNSProposal? {
    var records: [MDNSProposal.Record] = []
    var isOurs = true
    for number in view.records(in: .authority) {
      let record = index.records[number]
      guard DNSNameView.equal(message, at: Int(record.name), message, at: name) else { continue }
      isOurs = isOurs && self.isOurs(record, message, hash: hash)
      let data = MDNSDataCursor(record.type, record.rdataRange).copy(message)
      records.append(
        MDNSProposal.Record(
          dnsClass: record.dnsClass.rawValue, type: record.type.rawValue, data: data))
    }
    return isOurs ? nil : MDNSProposal(records)
  }

  // MARK: Renaming

  /// Another host has the name: another one is tried, or none.
  private mutating func lose(_ number: Int32, _ z: Int, to rival: IPAddress, _ now: Int64) {
    switch zones[z].claims[number].subject {
    case .service(let id): loseService(id, z, to: rival, now)
    case .host(let id): loseHost(id, z, to: rival, now)
    }
  }

  private mutating func loseService(_ id: UInt32, _ z: Int, to rival: IPAddress, _ now: Int64) {
    guard var publication = publications[id] else { return }
    guard publication.service.mayRename else {
      output.events.append(.refused(MDNSService.ID(id), rival: rival))
      remove(id, now)
      return
    }
    let (old, name) = (publication.label, publication.name?.name)
    repeat {
      publication.label = MDNSLabelSuffix.next(after: publication.label, isHost: false, &chance)
    } while publication.name.map { serviceNames[$0.name] != nil } ?? false
    if let name { serviceNames[name] = nil }
    if let new = publication.name?.name { serviceNames[new] = id }
    publication.since = publication.since ?? now
    output.events.append(
      .renamed(MDNSService.ID(id), from: old, to: publication.label, rival: rival))
    publications[id] = publication
    replace(id, after: z, now)
    tellStruggle(id, since: publication.since, now)
  }

  private mutating func loseHost(_ id: Int32, _ z: Int, to rival: IPAddress, _ now: Int64) {
    let users = publications.filter { $0.value.host == id }.keys.sorted()
    guard configuration.mayRenameHost else {
      for user in users {
        output.events.append(.refused(MDNSService.ID(user), rival: rival))
        remove(user, now)
      }
      return
    }
    let old = hosts[id].label
    repeat {
      hosts[id].label = MDNSLabelSuffix.next(after: hosts[id].label, isHost: true, &chance)
    } while (0..<hosts.bound).contains {
      $0 != id && hosts[$0].users > 0 && hosts[$0].name == hosts[id].name
    }
    if hosts[id].addresses == nil { hostLabel = hosts[id].label }
    hosts[id].since = hosts[id].since ?? now
    output.events.append(.hostRenamed(from: old, to: hosts[id].label, rival: rival))
    for other in zones.indices {
      replaceHost(id, other, saysGoodbye: other != z, now)
      for user in users { retarget(user, other, now) }
    }
    for user in users { tellStruggle(user, since: hosts[id].since, now) }
  }

  /// Tells once that no name was free for a minute (RFC 6762 section 9).
  private mutating func tellStruggle(_ id: UInt32, since: Int64?, _ now: Int64) {
    guard let since, now - since >= 60 * Self.second, publications[id]?.isStruggling == false
    else { return }
    publications[id]?.isStruggling = true
    output.events.append(.struggling(MDNSService.ID(id)))
  }
}
