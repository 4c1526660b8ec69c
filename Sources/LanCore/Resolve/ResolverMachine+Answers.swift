import LanWire

/// What the records that are known come to, and when they are enough.
extension ResolverMachine {
  // MARK: Answers

  /// The answers as they stand, services by priority and weight (RFC 2782, RFC 6763 section 5),
  /// each with its addresses behind it.
  func answers(at now: Int64) -> [ResolveAnswer] {
    switch query.subject {
    case .host:
      return aliases.flatMap { addresses(of: $0, port: query.port).map { .address($0) } }
    case .address(let address, _):
      return known.compactMap { entry in
        guard case .ptr(let name) = entry.answer.data else { return nil }
        return .address(
          ResolvedAddress(
            name: "\(name)", address: address, port: query.port, origin: origin(entry)))
      }
    case .service(let service): return services(service, at: now)
    case .record:
      return known.map { entry in
        .record(
          ResolvedRecord(
            name: entry.answer.name, data: entry.answer.data, origin: origin(entry)))
      }
    }
  }

  /// The host's name and the names that it is an alias of, each once.
  private var aliases: [DNSName] {
    var names = [query.name].compactMap { $0 }
    var next = 0
    while next < names.count {
      for entry in known where entry.answer.name == names[next] {
        if case .cname(let target) = entry.answer.data, !names.contains(target) {
          names.append(target)
        }
      }
      next += 1
    }
    return names
  }

  private func services(_ service: ServiceInstanceName, at now: Int64) -> [ResolveAnswer] {
    var found: [ResolvedService] = []
    for entry in known {
      guard case .srv(let priority, let weight, let port, let target) = entry.answer.data else {
        continue
      }
      let link = entry.answer.interfaceIndex
      let text = text(of: service.name, on: link)
      let deadline = textDeadline(of: service.name, on: link)
      if text == nil, let deadline, now < deadline, port != 0, !target.isRoot { continue }
      found.append(
        ResolvedService(
          name: service, host: target, port: port, priority: priority, weight: weight,
          text: text, origin: origin(entry)))
    }
    found.sort {
      ($0.priority, $1.weight, $0.origin.interfaceIndex ?? 0)
        < ($1.priority, $0.weight, $1.origin.interfaceIndex ?? 0)
    }
    return found.flatMap { service -> [ResolveAnswer] in
      let hosts =
        service.isPlaceholder
        ? [] : addresses(of: service.host, port: service.port, on: service.origin.interfaceIndex)
      return [.service(service)] + hosts.map { .address($0) }
    }
  }

  private func addresses(
    of host: DNSName, port: UInt16?, on link: UInt32? = nil
  ) -> [ResolvedAddress] {
    known.compactMap { entry in
      guard entry.answer.name == host, link == nil || entry.answer.interfaceIndex == link else {
        return nil
      }
      let address: IPAddress
      switch entry.answer.data {
      case .a(let value): address = .v4(value)
      case .aaaa(let value): address = .v6(value)
      default: return nil
      }
      return ResolvedAddress(
        name: "\(entry.answer.name)", address: address, port: port, origin: origin(entry))
    }
  }

  private func origin(_ entry: Known) -> ResolveOrigin {
    var origin = ResolveOrigin(.mdns, elapsed: max(entry.arrived - started, 0))
    origin.interfaceIndex = entry.answer.interfaceIndex
    origin.interface = links[entry.answer.interfaceIndex]?.name
    origin.ttl = entry.answer.ttl
    return origin
  }

  // MARK: TXT

  /// The strings of the TXT record on a link; an empty record is the same as none (RFC 6763
  /// section 6.1).
  private func text(of name: DNSName, on link: UInt32) -> [[UInt8]]? {
    for entry in known where entry.answer.interfaceIndex == link && entry.answer.name == name {
      if case .txt(let strings) = entry.answer.data { return strings }
    }
    return nil
  }

  /// Until when a service is held back for its TXT record; nil where that is known or denied.
  private func textDeadline(of name: DNSName, on link: UInt32) -> Int64? {
    if text(of: name, on: link) != nil { return nil }
    if denied.contains(Denial(name: name, type: .txt, interfaceIndex: link)) { return nil }
    return started + configuration.timing.silence
  }

  /// When a service that is held back for its TXT record is told without it.
  var textDeadline: Int64? {
    guard case .service(let service) = query.subject else { return nil }
    let waits = known.contains { entry in
      guard case .srv = entry.answer.data else { return false }
      return textDeadline(of: service.name, on: entry.answer.interfaceIndex) != nil
    }
    let deadline = started + configuration.timing.silence
    return waits && lastTold(before: deadline) ? deadline : nil
  }

  private func lastTold(before deadline: Int64) -> Bool { !isFinished || lastChange < deadline }

  // MARK: Enough

  /// When all is known that will be, as things stand.
  var finishTime: Int64 {
    let end = started + configuration.timing.schedule
    var finish = started
    for (name, types) in wanted {
      guard let time = finishTime(name, types) else { return end }
      finish = max(finish, time)
    }
    return min(finish, end)
  }

  /// The names that answers are wanted of, with the types.
  private var wanted: [(DNSName, [DNSRecordType])] {
    switch query.subject {
    case .host:
      let names = aliases
      // Of an alias itself there is nothing more to know.
      return names.filter { name in
        names.count == 1 || !known.contains { $0.answer.name == name && $0.answer.type == .cname }
      }.map { ($0, addressTypes) }
    case .address: return query.name.map { [($0, [.ptr])] } ?? []
    case .record(let name, let type): return [(name, [type])]
    case .service(let service):
      var hosts: Set<DNSName> = []
      for entry in known {
        if case .srv(_, _, _, let target) = entry.answer.data, !target.isRoot {
          hosts.insert(target)
        }
      }
      return [(service.name, [.srv, .txt])] + hosts.map { ($0, addressTypes) }
    }
  }

  /// When all is known about one name; nil while nobody said anything about it.
  private func finishTime(_ name: DNSName, _ types: [DNSRecordType]) -> Int64? {
    let timing = configuration.timing
    let entries = known.filter { $0.answer.name == name }
    let denials = denied.filter { $0.name == name }
    let spoke = Set(entries.map(\.answer.interfaceIndex) + denials.map(\.interfaceIndex))
    // A service without SRV record is not found, however much TXT there is.
    guard !spoke.isEmpty, let asked = asked.filter({ $0.key.name == name }).values.min() else {
      return nil
    }
    let first = entries.map(\.arrived).min() ?? lastChange
    var finish = lastChange + timing.settle
    if spoke.count < links.count { finish = max(finish, first + timing.otherLinks) }
    let isSilent = spoke.contains { link in
      types.contains { type in
        !denials.contains { $0.type == type && $0.interfaceIndex == link }
          && !entries.contains {
            $0.answer.interfaceIndex == link && ($0.answer.type == type || type == .any)
          }
      }
    }
    if isSilent {
      finish = max(finish, first + timing.half)
      // Hosts of one family that say nothing of the other are common; a service without its TXT
      // record is not, and the second question may bring it.
      if types != addressTypes { finish = max(finish, asked + timing.silence) }
    }
    if isShared(entries, types) { finish = max(finish, asked + timing.silence) }
    return finish
  }

  /// More hosts than one may answer, each in its own time.
  private func isShared(_ entries: [Known], _ types: [DNSRecordType]) -> Bool {
    guard case .record = query.subject else { return false }
    return types.contains(.any) || entries.contains { !$0.answer.isUnique }
  }
}
