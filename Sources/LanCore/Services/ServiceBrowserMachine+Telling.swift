import LanWire

// What a batch comes to.
extension ServiceBrowserMachine {
  mutating func tell(_ event: ServiceEvent) {
    events.append(event)
    hasNewsInBatch = true
  }

  /// Tells what became of all instances that were touched.
  mutating func tellBatch() {
    let touched = dirty
    dirty.removeAll(keepingCapacity: touched.count <= 1_024)
    for id in touched where instances[id]?.isDirty == true {
      instances[id]?.isDirty = false
      tellInstance(id)
    }
    if !before.isEmpty { before = [:] }
    completions.trim { reference in
      !instances.holds(reference) || instances[reference.id]?.isTold == true
    }
    guard hasNewsInBatch else { return }
    hasNewsInBatch = false
    events.append(.batchEnded)
  }

  private mutating func tellInstance(_ id: Int32) {
    guard let instance = instances[id] else { return }
    guard instance.isTold || isReady(instance), let service = snapshot(id) else { return }
    let facts = Self.facts(service)
    if instance.isTold {
      guard facts != instance.toldFacts else { return }
      tell(.updated(service))
    } else {
      untoldCount -= 1
      instances[id]?.isTold = true
      tell(.added(service))
    }
    instances[id]?.toldFacts = facts
    noteNews()
  }

  /// True if there is no reason to wait any longer before an instance is told.
  private func isReady(_ instance: Instance) -> Bool {
    if !configuration.resolves || instance.isLate || instance.resolution.isTargetDenied {
      return true
    }
    guard let target = instance.resolution.target(at: clock) else { return false }
    if target.isPlaceholder { return true }
    guard instance.host >= 0, let host = hosts[instance.host], instance.resolution.text != nil
    else { return false }
    return host.addresses.hasShown(at: clock) || isHopeless(host)
  }

  mutating func expireCompletions() {
    while let reference = completions.popDue(at: clock) {
      guard instances.holds(reference), instances[reference.id]?.isTold == false else { continue }
      instances[reference.id]?.isLate = true
      markDirty(reference.id)
    }
  }

  mutating func recheck() {
    while let recheck = rechecks.popDue(at: clock) {
      switch recheck {
      case .instance(let reference):
        guard instances.holds(reference) else { continue }
        followTarget(reference.id)
        markDirty(reference.id)
      case .host(let reference):
        if hosts.holds(reference) { markUsersDirty(reference.id) }
      }
    }
  }

  /// The instance as it is now.
  func snapshot(_ id: Int32) -> DiscoveredService? {
    guard let instance = instances[id], let first = instance.sources.first,
      let pointer = pointers[first.pointer]
    else { return nil }
    var service = described(instance, pointer)
    for source in instance.sources {
      service.heardOver.formUnion(source.families)
      if let subtype = pointers[source.pointer]?.type.subtype { service.subtypes.append(subtype) }
    }
    service.ttl = instance.sources.last?.ttl
    service.text = instance.resolution.text
    guard let target = instance.resolution.target(at: clock) else { return service }
    service.host = target.host
    service.port = target.port
    service.priority = target.priority
    service.weight = target.weight
    guard instance.host >= 0, let host = hosts[instance.host] else { return service }
    service.addresses = host.addresses.shown(at: clock)
    if let own = links[instance.link]?.own {
      service.isOwn = service.addresses.contains(where: own.contains)
    }
    return service
  }

  private func described(_ instance: Instance, _ pointer: Pointer) -> DiscoveredService {
    var type = pointer.type.base
    var domain = configuration.domain
    if !instance.name.hasSuffix(pointer.base),
      let parts = ServiceInstanceName(instance.name, defaultDomain: domain)
    {
      type = parts.type
      domain = parts.domain
    }
    let isMulticast = configuration.origin == .mdns
    return DiscoveredService(
      name: instance.name, type: type, domain: domain,
      interfaceIndex: isMulticast ? instance.link : nil,
      interface: isMulticast ? links[instance.link]?.name : nil, origin: configuration.origin)
  }

  /// A hash of what is worth telling; equal for equal facts.
  private static func facts(_ service: DiscoveredService) -> Int {
    var hasher = Hasher()
    hasher.combine(service.host)
    hasher.combine(service.port)
    hasher.combine(service.priority)
    hasher.combine(service.weight)
    hasher.combine(service.text)
    hasher.combine(service.isOwn)
    hasher.combine(service.subtypes)
    var addresses = 0
    for address in service.addresses { addresses ^= address.hashValue }
    hasher.combine(addresses)
    return hasher.finalize()
  }
}
