import LanWire

/// When and how answers are given (RFC 6762 sections 5.4, 6 and 7).
extension MDNSResponder {
  /// Replies that wait at a time; more are given at once.
  private static let replyLimit = 128
  /// Answers that were given so short a time ago are for askers of now too: the same question comes
  /// over both versions of IP.
  private static let recent: Int64 = 50 * millisecond

  /// Answers what was chosen.
  mutating func answer(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ arrival: MDNSArrival, _ z: Int, _ now: Int64
  ) {
    let isLegacy = arrival.sourcePort != 5_353
    var unicast: [Int32] = []
    var multicast: [Int32] = []
    var probed: [Int32] = []
    var isShared = view.header.questionCount > 1
    for choice in chosen where isLegacy || !zones[z].sets[choice.set].isKnown(to: serial) {
      if choice.isProbe, !isLegacy {
        if choice.wantsUnicast, isReachable(arrival.source, z) { unicast.append(choice.set) }
        probed.append(choice.set)
        continue
      }
      isShared = isShared || !zones[z].sets[choice.set].isUnique
      if isLegacy || choice.wantsUnicast && isForUnicast(choice.set, arrival.source, z, now) {
        unicast.append(choice.set)
      } else {
        multicast.append(choice.set)
      }
    }
    let delay = isShared && probed.isEmpty ? sharedTime(z, now) : now
    let destination = MDNSDestination(arrival.source, port: arrival.sourcePort)
    if isLegacy {
      replyLegacy(unicast, message, view, destination, z, at: delay, now)
    } else {
      reply(unicast, to: destination, z, at: delay, now)
    }
    for set in multicast {
      plan(set, z, earliest: delay == now ? now : now + 20 * Self.millisecond, due: delay, now)
    }
    for set in probed { defend(set, z, isToldByUnicast: unicast.contains(set), now) }
    runAnswers(z, now)
  }

  /// True if an answer goes to the asker alone: it can be told so, and all others have heard the
  /// records within a quarter of their time (RFC 6762 section 5.4).
  func isForUnicast(_ set: Int32, _ source: IPAddress, _ z: Int, _ now: Int64) -> Bool {
    let quarter = Int64(zones[z].sets[set].ttl) * Self.second / 4
    return isReachable(source, z) && zones[z].sets[set].multicast > now - quarter
  }

  /// True if port 5353 of an asker is reached by unicast: it is on the link (RFC 6762 section 11),
  /// and no other program on this machine, of which only one gets what is sent there (15.1).
  private func isReachable(_ source: IPAddress, _ z: Int) -> Bool {
    zones[z].state.isOnLink(source) && !isOwn(source)
  }

  /// When an answer that others may give too is given: after 20 to 120 ms, with those that were
  /// asked for shortly before if that is possible (RFC 6762 sections 6 and 6.4).
  ///
  /// The first 4 ms are left out so that questions sent back to back always share a packet, and the
  /// last one lest a late timer makes it more than 120.
  private mutating func sharedTime(_ z: Int, _ now: Int64) -> Int64 {
    let lowest = now + 20 * Self.millisecond
    let highest = now + 119 * Self.millisecond
    if zones[z].batch < lowest || zones[z].batch > highest {
      zones[z].batch = chance.pick(lowest + 4 * Self.millisecond, highest)
    }
    return zones[z].batch
  }

  /// Lets a set be multicast at `due`, but not within a second of the last time (RFC 6762 section
  /// 6).
  mutating func plan(_ set: Int32, _ z: Int, earliest: Int64, due: Int64, _ now: Int64) {
    let last = zones[z].sets[set].multicast
    guard last <= now - Self.recent else { return }
    let free = last > now - Self.second ? last + Self.second : now
    schedule(set, z, earliest: max(earliest, free), due: max(due, free), now)
  }

  /// Lets a set be multicast at `due`, or with others from `earliest` on.
  mutating func schedule(
    _ set: Int32, _ z: Int, earliest: Int64, due: Int64, _ now: Int64
  ) {
    zones[z].sets[set].asked = now
    if zones[z].sets[set].isPlanned {
      zones[z].sets[set].earliest = min(zones[z].sets[set].earliest, earliest)
      zones[z].sets[set].due = min(zones[z].sets[set].due, due)
    } else {
      zones[z].sets[set].isPlanned = true
      zones[z].sets[set].earliest = earliest
      zones[z].sets[set].due = due
      zones[z].planned.append(set)
    }
    zones[z].answerDue = min(zones[z].answerDue, zones[z].sets[set].due)
  }

  /// Defends a name against a probe: at once, but 250 ms after the last time by multicast
  /// (RFC 6762 sections 6 and 8.1).
  ///
  /// An asker that was answered by unicast and asks again did not hear it.
  private mutating func defend(
    _ set: Int32, _ z: Int, isToldByUnicast: Bool, _ now: Int64
  ) {
    let claim = zones[z].owners[zones[z].sets[set].owner].claim
    var isRepeated = false
    if claim >= 0 {
      let last = zones[z].claims[claim].defended
      isRepeated = last > now - 2 * Self.second && last < now
      zones[z].claims[claim].defended = now
    }
    let last = zones[z].sets[set].multicast
    let quarter = Int64(zones[z].sets[set].ttl) * Self.second / 4
    guard !isToldByUnicast || isRepeated || last <= now - quarter else { return }
    let free = last > now - Self.probeGap ? last + Self.probeGap : now
    schedule(set, z, earliest: free, due: free, now)
  }

  /// Multicasts what is due, and what may go along.
  mutating func runAnswers(_ z: Int, _ now: Int64) {
    guard zones[z].answerDue <= now else { return }
    var ready: [Int32] = []
    var waiting: [Int32] = []
    var next = Int64.max
    for set in zones[z].planned {
      guard zones[z].sets[set].earliest <= now else {
        waiting.append(set)
        next = min(next, zones[z].sets[set].due)
        continue
      }
      zones[z].sets[set].isPlanned = false
      let one = zones[z].sets[set]
      if one.standing > 0, !one.isGiven(since: one.asked) { ready.append(set) }
    }
    zones[z].planned = waiting
    zones[z].answerDue = next
    if !ready.isEmpty { sendResponse(ready, z, now) }
  }

  // MARK: Unicast

  /// Answers one asker at a time.
  mutating func reply(
    _ sets: [Int32], to destination: MDNSDestination, _ z: Int, at due: Int64, _ now: Int64
  ) {
    guard !sets.isEmpty else { return }
    let reply = MDNSReply(
      interfaceIndex: zones[z].index, destination: destination, due: due,
      sets: sets.map { zones[z].reference($0) })
    give(reply, z, now)
  }

  private mutating func replyLegacy(
    _ sets: [Int32], _ message: Span<UInt8>, _ view: DNSMessageView,
    _ destination: MDNSDestination, _ z: Int, at due: Int64, _ now: Int64
  ) {
    guard !sets.isEmpty else { return }
    var reply = MDNSReply(
      interfaceIndex: zones[z].index, destination: destination, due: due,
      sets: (sets.filter { zones[z].sets[$0].type != .nsec }
        + sets.filter { zones[z].sets[$0].type == .nsec }).map { zones[z].reference($0) })
    let questions = index.questions[view.questions].prefix(32).compactMap {
      try? DNSQuestion($0, message)
    }
    reply.style = MDNSPacketStyle(isLegacy: true, id: view.header.id, questions: questions)
    give(reply, z, now)
  }

  private mutating func give(_ reply: MDNSReply, _ z: Int, _ now: Int64) {
    if reply.due <= now || replies.count >= Self.replyLimit {
      sendReply(reply, z, now)
    } else {
      replies.append(reply)
    }
  }

  /// Gives the replies that are due.
  mutating func runReplies(_ now: Int64) {
    guard replies.contains(where: { $0.due <= now }) else { return }
    let due = replies.filter { $0.due <= now }
    replies.removeAll { $0.due <= now }
    for reply in due {
      if let z = zone(of: reply.interfaceIndex) { sendReply(reply, z, now) }
    }
  }
}
