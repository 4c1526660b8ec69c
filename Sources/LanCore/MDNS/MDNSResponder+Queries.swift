import LanWire

/// Questions of others.
extension MDNSResponder {
  /// Sets that one message may make us look at; each question is for one name, so that only a
  /// message made to cost comes near.
  private static let workLimit = 16_384

  /// Takes a query: what it asks for of ours is answered, known answers aside, and a probe for a
  /// name that we probe for too is decided.
  mutating func takeQuery(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ arrival: MDNSArrival, _ z: Int, _ now: Int64
  ) {
    let isLegacy = arrival.sourcePort != 5_353
    // Nobody off the link is told anything by unicast (RFC 6762 sections 5.5 and 11).
    let isOnLink = zones[z].state.isOnLink(arrival.source)
    guard isOnLink || arrival.isMulticast && !isLegacy else { return }
    if view.authorityCount > 0, !isLegacy {
      noteProposals(message, view, z)
      decide(message, view, arrival, z, now)
    }
    chosen.removeAll(keepingCapacity: true)
    work = 0
    for number in view.questions where work < Self.workLimit {
      choose(index.questions[number], message, z, isDirect: !arrival.isMulticast)
    }
    let earlier = isLegacy ? nil : heldPosition(arrival)
    guard !chosen.isEmpty || earlier != nil else { return }
    if !isLegacy { noteKnown(message, view, z) }
    if let earlier {
      continueHeld(earlier, view, z, now)
    } else if view.header.isTruncated, view.authorityCount == 0, !isLegacy,
      held.count < Self.heldLimit
    {
      hold(view, arrival, z, now)
    } else {
      answer(message, view, arrival, z, now)
    }
  }

  /// Notes for which of our names a message proposes records.
  private mutating func noteProposals(_ message: Span<UInt8>, _ view: DNSMessageView, _ z: Int) {
    for number in view.records(in: .authority) {
      let name = Int(index.records[number].name)
      let owner = zones[z].owner(message, at: name, hash: MDNSZone.hash(message, at: name))
      if owner >= 0 { zones[z].owners[owner].proposed = serial }
    }
  }

  /// Finds the sets that a question asks for.
  private mutating func choose(
    _ question: DNSQuestionView, _ message: Span<UInt8>, _ z: Int, isDirect: Bool
  ) {
    guard question.dnsClass == .in || question.dnsClass.rawValue == 255 else { return }
    let name = Int(question.name)
    let owner = zones[z].owner(message, at: name, hash: MDNSZone.hash(message, at: name))
    work += 1
    guard owner >= 0 else { return }
    let wantsUnicast = question.wantsUnicastResponse || isDirect
    var isAnswered = false
    var denial: Int32 = -1
    for set in zones[z].owners[owner].sets where zones[z].sets[set].standing > 0 {
      work += 1
      let type = zones[z].sets[set].type
      if type == .nsec { denial = set }
      guard type == question.type || question.type == .any && type != .nsec else { continue }
      isAnswered = true
      choose(set, owner, z, wantsUnicast)
    }
    // A name of ours that lacks the type (RFC 6762 section 6.1).
    if !isAnswered, denial >= 0 { choose(denial, owner, z, wantsUnicast) }
  }

  private mutating func choose(_ set: Int32, _ owner: Int32, _ z: Int, _ wantsUnicast: Bool) {
    let isProbe = zones[z].owners[owner].proposed == serial
    if zones[z].sets[set].question == serial {
      // Asked for twice; one who takes multicast gets it.
      if !wantsUnicast { chosen[zones[z].sets[set].choice].wantsUnicast = false }
      return
    }
    zones[z].sets[set].question = serial
    zones[z].sets[set].choice = chosen.count
    chosen.append(MDNSChoice(set: set, wantsUnicast: wantsUnicast, isProbe: isProbe))
  }

  /// Notes which of our records the asker knows: those with at least half of their time left
  /// (RFC 6762 section 7.1).
  private mutating func noteKnown(_ message: Span<UInt8>, _ view: DNSMessageView, _ z: Int) {
    for number in view.records(in: .answer) {
      let record = index.records[number]
      guard record.problem == nil, record.dnsClass == .in else { continue }
      let name = Int(record.name)
      let owner = zones[z].owner(message, at: name, hash: MDNSZone.hash(message, at: name))
      guard owner >= 0, let found = zones[z].find(owner, record, message) else { continue }
      let ttl = MDNSQuerier.lifetime(record.ttl)
      if UInt64(ttl) * 2 >= UInt64(zones[z].sets[found.set].ttl) {
        zones[z].sets[found.set].mark(found.member, serial)
      }
    }
  }

  // MARK: Queries in several packets

  private static let heldLimit = 64

  private func heldPosition(_ arrival: MDNSArrival) -> Int? {
    held.firstIndex {
      $0.source == arrival.source && $0.interfaceIndex == arrival.interfaceIndex
    }
  }

  /// A query whose known answers go on in another packet waits for 400 to 500 ms (RFC 6762 section
  /// 7.2).
  private mutating func hold(
    _ view: DNSMessageView, _ arrival: MDNSArrival, _ z: Int, _ now: Int64
  ) {
    let query = MDNSHeldQuery(
      interfaceIndex: arrival.interfaceIndex, source: arrival.source, arrived: now,
      due: now + chance.pick(400 * Self.millisecond, 500 * Self.millisecond), answers: [])
    held.append(query)
    addHeld(held.count - 1, z)
    if held[held.count - 1].answers.isEmpty { held.removeLast() }
  }

  /// The next packet of a query: what it knows need not be answered, and what it asks for is.
  private mutating func continueHeld(
    _ position: Int, _ view: DNSMessageView, _ z: Int, _ now: Int64
  ) {
    for answer in held[position].answers.indices {
      let set = held[position].answers[answer].set
      guard zones[z].holds(set), zones[z].sets[set.id].known.serial == serial else { continue }
      held[position].answers[answer].known |= zones[z].sets[set.id].known.bits
    }
    held[position].answers.removeAll { answer in
      !zones[z].holds(answer.set) || answer.known == zones[z].sets[answer.set.id].allBits
    }
    addHeld(position, z)
    if view.header.isTruncated, now - held[position].arrived < 3 * Self.second {
      let due = now + chance.pick(400 * Self.millisecond, 500 * Self.millisecond)
      held[position].due = max(held[position].due, due)
    }
    if held[position].answers.isEmpty { held.remove(at: position) }
  }

  private mutating func addHeld(_ position: Int, _ z: Int) {
    let before = Set(held[position].answers.map(\.set))
    for choice in chosen where !zones[z].sets[choice.set].isKnown(to: serial) {
      let set = zones[z].reference(choice.set)
      guard !before.contains(set) else { continue }
      let known = zones[z].sets[choice.set].known
      held[position].answers.append(
        MDNSHeldQuery.Answer(
          set: set, known: known.serial == serial ? known.bits : 0,
          wantsUnicast: choice.wantsUnicast))
    }
  }

  /// Answers the queries whose wait is over.
  mutating func releaseHeld(_ now: Int64) {
    while let position = held.firstIndex(where: { $0.due <= now }) {
      let query = held.remove(at: position)
      guard let z = zone(of: query.interfaceIndex) else { continue }
      var unicast: [Int32] = []
      var multicast: [Int32] = []
      for answer in query.answers where zones[z].holds(answer.set) {
        let set = answer.set.id
        if zones[z].sets[set].isGiven(since: query.arrived) { continue }
        if answer.wantsUnicast, isForUnicast(set, query.source, z, now) {
          unicast.append(set)
        } else {
          multicast.append(set)
        }
      }
      reply(unicast, to: MDNSDestination(query.source), z, at: now, now)
      for set in multicast { plan(set, z, earliest: now, due: now, now) }
    }
  }
}
