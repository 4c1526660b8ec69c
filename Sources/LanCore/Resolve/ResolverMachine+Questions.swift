import LanWire

/// What is asked, and whose answers are heard.
extension ResolverMachine {
  func isWanted(_ index: UInt32) -> Bool {
    configuration.interfaces.isEmpty || configuration.interfaces.contains(index)
  }

  mutating func ask(_ name: DNSName, _ type: DNSRecordType, at now: Int64) {
    let effort: MDNSEffort =
      configuration.isWatching ? .unlimited : .attempts(configuration.timing.attempts)
    let indices: [UInt32?] =
      configuration.interfaces.isEmpty ? [nil] : configuration.interfaces.sorted()
    for index in indices {
      let question = MDNSQuestion(name, type, interfaceIndex: index)
      guard asked[question] == nil else { continue }
      asked[question] = now
      demands.append(.start(question, effort))
    }
  }

  mutating func askAddresses(of host: DNSName, at now: Int64) {
    guard !host.isRoot else { return }
    for type in addressTypes { ask(host, type, at: now) }
  }

  /// The types of the wanted families; both are asked at once.
  var addressTypes: [DNSRecordType] {
    (configuration.families.contains(.ipv4) ? [.a] : [])
      + (configuration.families.contains(.ipv6) ? [.aaaa] : [])
  }

  func concerns(_ answer: MDNSAnswer) -> Bool {
    guard isWanted(answer.interfaceIndex) else { return false }
    return asked.keys.contains {
      $0.name == answer.name && ($0.type == answer.type || $0.type == .any)
    }
  }

  /// When the alias is asked for; nil where there is no need or that was done.
  var aliasTime: Int64? {
    guard case .host = query.subject, known.isEmpty, denied.isEmpty, !asked.isEmpty,
      !asked.keys.contains(where: { $0.type == .cname })
    else { return nil }
    return started + configuration.timing.alias
  }

  /// The hosts that SRV and CNAME records name, of a chain of aliases at most as many as are
  /// sensible.
  var targets: [DNSName] {
    guard Set(asked.keys.map(\.name)).count <= Self.nameLimit else { return [] }
    return known.compactMap { entry in
      switch entry.answer.data {
      case .srv(_, _, _, let target): target
      case .cname(let target):
        if case .host = query.subject { target } else { nil }
      default: nil
      }
    }
  }

  /// Names that are asked about for one query at most.
  private static let nameLimit = 256
}
