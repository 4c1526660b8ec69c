import LanWire

extension MDNSQuerier {
  // MARK: Links

  /// Begins to use a link, or takes news about it; a new link, or one that gained a family, is
  /// asked on anew.
  public mutating func setLink(_ link: MDNSLink, at now: Int64) {
    clock = max(clock, now)
    guard let position = position(of: link.index) else {
      links.append(MDNSLinkState(link))
      for (question, effort) in interests.questions(on: link.index) {
        begin(question, effort, on: links.count - 1, now)
      }
      return
    }
    let gained = !link.families.isSubset(of: links[position].link.families)
    links[position].link = link
    guard gained else { return }
    for (question, _) in interests.questions(on: link.index) {
      let set = cache.set(cache.name(question.name, interface: link.index), question.type)
      if set >= 0, cache.sets[set].series >= 0 {
        restart(cache.sets[set].series, wantsUnicast: true, now)
      }
    }
  }

  /// Ends the use of a link: all that was heard there is removed with the cause `interfaceDown`.
  public mutating func removeLink(_ index: UInt32, at now: Int64) {
    clock = max(clock, now)
    guard let position = position(of: index) else { return }
    for name in 0..<cache.names.bound
    where cache.names[name].isUsed && cache.names[name].interfaceIndex == index {
      for id in records(name, .any) { remove(id, .interfaceDown, now) }
    }
    for (question, _) in interests.questions(on: index) { end(question, on: index, now) }
    links.remove(at: position)
  }

  // MARK: Questions

  /// Begins an interest; what the cache knows is told at once, and the question goes out with
  /// others that begin at about the same time.
  ///
  /// Interests of the same question are counted; the greatest effort holds, until the last one is
  /// stopped. Each start tells what is known again, so whoever listens must know what it has.
  ///
  /// Whoever asks for the service types that there are (`_services._dns-sd._udp.local`, RFC 6763
  /// section 9) is also told, as `added`, the first PTR record that shows the name of a type, asked
  /// for or not; nothing more of that name unless it is asked for.
  public mutating func start(_ question: MDNSQuestion, _ effort: MDNSEffort, at now: Int64) {
    clock = max(clock, now)
    expireUnasked(now)
    let before = interests.add(question, effort)
    for position in links.indices
    where question.interfaceIndex.map({ $0 == links[position].link.index }) ?? true {
      if before == nil {
        begin(question, effort, on: position, now)
      } else {
        join(question, effort, on: position, now)
      }
    }
    if MDNSInterests.isTypeList(question) {
      tellTypes(interfaceIndex: question.interfaceIndex, now)
    }
  }

  /// Ends one interest in a question; the last one ends all asking and telling.
  public mutating func stop(_ question: MDNSQuestion, at now: Int64) {
    clock = max(clock, now)
    guard interests.remove(question) else { return }
    for state in links where question.interfaceIndex.map({ $0 == state.link.index }) ?? true {
      end(question, on: state.link.index, now)
    }
  }

  /// The first interest in a question on a link.
  private mutating func begin(
    _ question: MDNSQuestion, _ effort: MDNSEffort, on position: Int, _ now: Int64
  ) {
    let interface = links[position].link.index
    var name = cache.name(question.name, interface: interface)
    if name < 0 { name = cache.insertName(question.name, interface: interface) }
    var set = cache.set(name, question.type)
    if set < 0 { set = cache.insertSet(name, question.type) }
    let known = cache.sets[set].series
    if known >= 0 {
      // The same question with and without an interface.
      series[known].interests += 1
      raise(known, effort, now)
    } else {
      let id = series.insert(MDNSSeries(set: set, effort: effort))
      cache.setSeries(id, of: set)
      for record in records(name, question.type) { settle(record, now) }
      restart(id, wantsUnicast: true, now)
    }
    tellKnown(name, question, now)
  }

  /// One more interest in a question.
  private mutating func join(
    _ question: MDNSQuestion, _ effort: MDNSEffort, on position: Int, _ now: Int64
  ) {
    let name = cache.name(question.name, interface: links[position].link.index)
    let set = cache.set(name, question.type)
    guard set >= 0, cache.sets[set].series >= 0 else { return }
    raise(cache.sets[set].series, effort, now)
    tellKnown(name, question, now)
  }

  private mutating func raise(_ id: Int32, _ effort: MDNSEffort, _ now: Int64) {
    let before = series[id].effort
    series[id].effort = before.joined(effort)
    let isNew = before.isPassive && !series[id].effort.isPassive
    if isNew {
      let set = cache.sets[series[id].set]
      for record in records(set.name, set.type) { settle(record, now) }
    }
    if isNew || series[id].isExhausted { restart(id, wantsUnicast: true, now) }
  }

  private mutating func tellKnown(_ name: Int32, _ question: MDNSQuestion, _ now: Int64) {
    var isAnswered = false
    for id in records(name, question.type) where cache.records[id].expires > now {
      output.changes.append(.added(answer(id)))
      isAnswered = true
    }
    let set = cache.set(name, question.type)
    guard !isAnswered, denial(of: set, now) != nil else { return }
    series[cache.sets[set].series].isDenied = true
    tellDenied(set)
  }

  private mutating func end(_ question: MDNSQuestion, on interface: UInt32, _ now: Int64) {
    let name = cache.name(question.name, interface: interface)
    let set = cache.set(name, question.type)
    guard set >= 0, cache.sets[set].series >= 0 else { return }
    let id = cache.sets[set].series
    series[id].interests -= 1
    guard series[id].interests == 0 else { return }
    seriesQueue.remove(id)
    series.remove(id, leaving: .blank)
    cache.setSeries(-1, of: set)
    if question.type == .any { cache.endAny(name) }
    misses[set] = nil
    for record in records(name, question.type) { settle(record, now) }
    cache.removeSetIfUnused(set)
    makeRoom(now)
  }

  /// Somebody wants to know about the records of a set.
  func isWatched(_ set: Int32) -> Bool {
    cache.sets[set].series >= 0 || cache.names[cache.sets[set].name].anySet >= 0
  }

  /// Somebody wants the records of a set kept alive by questions.
  func isKept(_ set: Int32) -> Bool {
    if configuration.isPassive { return false }
    let own = cache.sets[set].series
    if own >= 0, !series[own].effort.isPassive { return true }
    let any = cache.names[cache.sets[set].name].anySet
    return any >= 0 && cache.sets[any].series >= 0
      && !series[cache.sets[any].series].effort.isPassive
  }
}
