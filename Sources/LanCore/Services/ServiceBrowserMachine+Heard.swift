import LanWire

// Service types that nothing announces but their instances: somebody answers a question of others,
// or comes, and does not answer for the list of types.
extension ServiceBrowserMachine {
  /// Takes it that a name has a PTR record that was not asked for; false if it is no type's name,
  /// or types are of no interest.
  ///
  /// The type is then browsed for as long as it has an instance. Where only types are listed, its
  /// records are watched and nothing is asked.
  mutating func hear(_ owner: DNSName) -> Bool {
    guard typeListing.question != nil, let type = heardType(owner) else { return false }
    let wanted = configuration.listsTypes ? type : type.base
    guard hasRoom(for: wanted) else {
      tellLimit(configuration.typeLimit)
      return true
    }
    // One that has subtypes only is given up when nobody answers for it.
    let effort: MDNSEffort =
      configuration.listsTypes
      ? .passive : type.subtype == nil ? .unlimited : .attempts(Self.recordAttempts)
    addPointer(wanted, isConfigured: false, effort)
    return true
  }

  /// True if the type is browsed for, or may be.
  func hasRoom(for type: ServiceType) -> Bool {
    if pointers.count < configuration.typeLimit { return true }
    guard let name = try? type.browseName(in: configuration.domain) else { return false }
    return pointerIDs[name] != nil
  }

  private func heardType(_ owner: DNSName) -> ServiceType? {
    guard let depth = owner.serviceTypeDepth, owner.hasSuffix(configuration.domain) else {
      return nil
    }
    let labels = owner.labels
    guard labels.count == depth + 2 + configuration.domain.labelCount,
      var type = ServiceType(serviceLabel: labels[depth], transportLabel: labels[depth + 1])
    else { return nil }
    if depth > 0 {
      guard let subtype = String(validating: labels[0], as: UTF8.self) else { return nil }
      type.subtype = subtype
    }
    return type
  }

  // MARK: Where only types are listed

  /// Takes a record of a type's name.
  mutating func noteHeard(_ id: Int32, _ target: DNSName, on link: UInt32) {
    guard pointers[id]?.heard[link, default: []].insert(target).inserted == true,
      let pointer = pointers[id]
    else { return }
    pointers[id]?.instanceCount += 1
    if pointer.heard[link]?.count == 1 { list(pointer.type.base, by: pointer.name, on: link) }
  }

  /// Takes the end of such a record.
  mutating func loseHeard(_ id: Int32, _ target: DNSName, on link: UInt32) {
    guard pointers[id]?.heard[link]?.remove(target) != nil, let pointer = pointers[id] else {
      return
    }
    pointers[id]?.instanceCount -= 1
    guard pointer.heard[link]?.isEmpty == true else { return }
    pointers[id]?.heard[link] = nil
    unlist(pointer.type.base, by: pointer.name, on: link)
    dropPointerIfIdle(id)
  }
}
