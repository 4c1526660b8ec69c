import LanWire

// Answers and their ends.
extension ServiceBrowserMachine {
  mutating func take(_ answer: MDNSAnswer) {
    switch answer.data {
    case .ptr(let target): takePointer(answer, target)
    case .srv, .txt: takeFact(answer)
    case .a(let address): takeAddress(.v4(address), answer)
    case .aaaa(let address): takeAddress(.v6(address), answer)
    default: break
    }
  }

  mutating func lose(_ answer: MDNSAnswer, _ cause: MDNSRemovalCause) {
    switch answer.data {
    case .ptr(let target): losePointer(answer, target, cause)
    case .srv, .txt: loseFact(answer, cause)
    case .a(let address): loseAddress(.v4(address), answer, cause)
    case .aaaa(let address): loseAddress(.v6(address), answer, cause)
    default: break
    }
  }

  // MARK: SRV and TXT

  private mutating func takeFact(_ answer: MDNSAnswer) {
    let key = LinkName(name: answer.name, link: answer.interfaceIndex)
    guard let id = instanceIDs[key],
      instances[id]?.resolution.add(answer) == true
    else { return }
    if answer.type == .srv {
      instances[id]?.isDoubted = false
      if let targets = instances[id]?.resolution.targets, targets.count > 1 {
        rechecks.append(
          .instance(instances.reference(id)), due: clock + InstanceResolution.flushTime)
      }
      followTarget(id)
    }
    markDirty(id)
  }

  private mutating func loseFact(_ answer: MDNSAnswer, _ cause: MDNSRemovalCause) {
    let key = LinkName(name: answer.name, link: answer.interfaceIndex)
    guard let id = instanceIDs[key] else { return }
    remember(id)
    guard instances[id]?.resolution.remove(answer.data) == true else { return }
    if answer.type == .srv {
      if cause == .expired || cause == .noResponse { doubtPointers(id) }
      followTarget(id)
    }
    markDirty(id)
  }

  /// Takes the owner's word that a record does not exist (RFC 6762 section 6.1).
  mutating func deny(_ question: MDNSQuestion, on link: UInt32) {
    let key = LinkName(name: question.name, link: link)
    switch question.type {
    case .srv, .txt:
      guard let id = instanceIDs[key] else { return }
      if question.type == .srv {
        instances[id]?.resolution.isTargetDenied = true
      } else {
        instances[id]?.resolution.isTextDenied = true
      }
      markDirty(id)
    case .a, .aaaa:
      guard let id = hostIDs[key] else { return }
      hosts[id]?.addresses.denied.insert(question.type == .a ? .ipv4 : .ipv6)
      markUsersDirty(id)
    default: break
    }
  }

  /// Takes it that nobody answered.
  mutating func giveUp(_ question: MDNSQuestion, on link: UInt32) {
    let key = LinkName(name: question.name, link: link)
    switch question.type {
    case .ptr:
      if let id = pointerIDs[question.name] { dropPointerIfIdle(id) }
    case .srv:
      if let id = instanceIDs[key] { doubtPointers(id) }
    case .a, .aaaa:
      guard let id = hostIDs[key] else { return }
      hosts[id]?.addresses.exhausted.insert(question.type == .a ? .ipv4 : .ipv6)
      retry(id)
    default: break
    }
  }

  /// An SRV record that nobody answers for is a reason to doubt what points to it (RFC 6762 section
  /// 10.4).
  private mutating func doubtPointers(_ id: Int32) {
    guard let instance = instances[id], instance.resolution.targets.isEmpty, !instance.isDoubted,
      !configuration.isPassive
    else { return }
    instances[id]?.isDoubted = true
    for source in instance.sources {
      guard let pointer = pointers[source.pointer] else { continue }
      demands.append(
        .reconfirm(pointer.name, .ptr, .ptr(instance.name), interfaceIndex: instance.link))
    }
  }

  // MARK: Addresses

  private mutating func takeAddress(_ address: IPAddress, _ answer: MDNSAnswer) {
    guard let id = hostIDs[LinkName(name: answer.name, link: answer.interfaceIndex)],
      configuration.families.contains(MDNSFamilies(address)),
      let effect = hosts[id]?.addresses.add(address, answer, at: clock)
    else { return }
    switch effect {
    case .none: break
    case .shown: markUsersDirty(id)
    case .held(let until): rechecks.append(.host(hosts.reference(id)), due: until)
    }
  }

  private mutating func loseAddress(
    _ address: IPAddress, _ answer: MDNSAnswer, _ cause: MDNSRemovalCause
  ) {
    guard let id = hostIDs[LinkName(name: answer.name, link: answer.interfaceIndex)],
      let users = hosts[id]?.users
    else { return }
    for user in users { remember(user) }
    guard hosts[id]?.addresses.remove(address) == true else { return }
    markUsersDirty(id)
    guard cause == .expired, hosts[id]?.addresses.isEmpty == true, !configuration.isPassive
    else { return }
    for user in users.sorted() {
      guard let instance = instances[user], !instance.resolution.targets.isEmpty else { continue }
      demands.append(.reconfirm(instance.name, .srv, nil, interfaceIndex: instance.link))
    }
  }

  func markable(_ id: Int32) -> Bool { instances[id].map { !$0.isDirty } ?? false }

  mutating func markDirty(_ id: Int32) {
    guard markable(id) else { return }
    instances[id]?.isDirty = true
    dirty.append(id)
  }

  mutating func markUsersDirty(_ host: Int32) {
    guard let users = hosts[host]?.users else { return }
    if users.count == 1, let user = users.first { return markDirty(user) }
    for user in users.sorted() { markDirty(user) }
  }

  /// Keeps a told instance as it is before something is taken from it.
  private mutating func remember(_ id: Int32) {
    guard instances[id]?.isTold == true, before[id] == nil else { return }
    before[id] = snapshot(id)
  }
}
