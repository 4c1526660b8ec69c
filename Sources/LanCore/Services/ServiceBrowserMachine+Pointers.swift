import LanWire

// Types that are browsed for, and the instances that their PTR records name.
extension ServiceBrowserMachine {
  /// Begins to browse for a type; gives its number, or nil for a type whose name is too long.
  @discardableResult
  mutating func addPointer(
    _ type: ServiceType, isConfigured: Bool, _ effort: MDNSEffort = .unlimited
  ) -> Int32? {
    guard let name = try? type.browseName(in: configuration.domain),
      let base = try? type.name(in: configuration.domain)
    else { return nil }
    if let id = pointerIDs[name] { return id }
    let id = pointers.insert(
      Pointer(name: name, type: type, base: base, isConfigured: isConfigured))
    pointerIDs[name] = id
    ask(name, .ptr, .start, effort)
    settling.round(at: clock)
    return id
  }

  /// Ends browsing for a type that is not announced any more and has no instances.
  mutating func dropPointerIfIdle(_ id: Int32) {
    guard let pointer = pointers[id], !pointer.isConfigured, pointer.instanceCount == 0,
      pointer.announcements == 0
    else { return }
    pointers.remove(id)
    pointerIDs[pointer.name] = nil
    ask(pointer.name, .ptr, .stop)
  }

  mutating func takePointer(_ answer: MDNSAnswer, _ target: DNSName) {
    guard let pointerID = pointerIDs[answer.name], let pointer = pointers[pointerID] else {
      takeListing(answer, target)
      return
    }
    if configuration.listsTypes {
      noteHeard(pointerID, target, on: answer.interfaceIndex)
      return
    }
    let key = LinkName(name: target, link: answer.interfaceIndex)
    let source = Source(pointer: pointerID, ttl: answer.ttl, families: answer.families)
    guard let id = instanceIDs[key] else {
      addInstance(key, source, pointer)
      return
    }
    if let index = instances[id]?.sources.firstIndex(where: { $0.pointer == pointerID }) {
      instances[id]?.sources[index].families.formUnion(answer.families)
      instances[id]?.sources[index].ttl = answer.ttl
      return
    }
    instances[id]?.sources.append(source)
    pointers[pointerID]?.instanceCount += 1
    markDirty(id)
  }

  private mutating func addInstance(_ key: LinkName, _ source: Source, _ pointer: Pointer) {
    guard isInstance(key.name, of: pointer) else { return }
    guard instances.count < configuration.instanceLimit else {
      tellLimit(configuration.instanceLimit)
      return
    }
    let id = instances.insert(Instance(name: key.name, link: key.link, sources: [source]))
    instanceIDs[key] = id
    pointers[source.pointer]?.instanceCount += 1
    untoldCount += 1
    noteNews()
    markDirty(id)
    guard configuration.resolves else { return }
    let (due, isNever) = clock.addingReportingOverflow(configuration.completion)
    if !isNever { completions.append(instances.reference(id), due: due) }
    for type in [DNSRecordType.srv, .txt] {
      ask(key.name, type, on: key.link, .start, .attempts(Self.recordAttempts))
    }
  }

  /// False for the name of a type, which some publishers point to.
  private func isInstance(_ name: DNSName, of pointer: Pointer) -> Bool {
    if name.wire.count > pointer.base.wire.count, name.wire[1] != 0x5F,
      name.hasSuffix(pointer.base)
    {
      return true
    }
    return ServiceInstanceName(name, defaultDomain: configuration.domain) != nil
  }

  mutating func tellLimit(_ limit: Int) {
    guard !hasToldLimit else { return }
    hasToldLimit = true
    events.append(.diagnostic(.tooManyInstances(limit: limit)))
  }

  /// Notes that a PTR record was heard over another version of IP.
  mutating func widen(_ answer: MDNSAnswer, _ target: DNSName) {
    guard let pointerID = pointerIDs[answer.name],
      let id = instanceIDs[LinkName(name: target, link: answer.interfaceIndex)],
      let index = instances[id]?.sources.firstIndex(where: { $0.pointer == pointerID })
    else { return }
    instances[id]?.sources[index].families.formUnion(answer.families)
  }

  mutating func losePointer(_ answer: MDNSAnswer, _ target: DNSName, _ cause: MDNSRemovalCause) {
    guard let pointerID = pointerIDs[answer.name] else {
      loseListing(answer, target)
      return
    }
    if configuration.listsTypes {
      loseHeard(pointerID, target, on: answer.interfaceIndex)
      return
    }
    let key = LinkName(name: target, link: answer.interfaceIndex)
    guard let id = instanceIDs[key],
      let index = instances[id]?.sources.firstIndex(where: { $0.pointer == pointerID })
    else {
      dropPointerIfIdle(pointerID)
      return
    }
    if instances[id]?.sources.count == 1 {
      removeInstance(id, key, cause)
    } else {
      instances[id]?.sources.remove(at: index)
      markDirty(id)
    }
    pointers[pointerID]?.instanceCount -= 1
    dropPointerIfIdle(pointerID)
  }

  private mutating func removeInstance(
    _ id: Int32, _ key: LinkName, _ cause: MDNSRemovalCause
  ) {
    guard let instance = instances[id] else { return }
    let last = before.removeValue(forKey: id)
    if instance.isTold {
      if let last = last ?? snapshot(id) { tell(.removed(last, cause)) }
    } else {
      untoldCount -= 1
    }
    instances.remove(id)
    instanceIDs[key] = nil
    if instance.host >= 0 { releaseHost(instance.host, by: id) }
    if configuration.resolves { stopAsking(instance) }
  }

  mutating func stopAsking(_ instance: Instance) {
    for type in [DNSRecordType.srv, .txt] { ask(instance.name, type, on: instance.link, .stop) }
  }
}
