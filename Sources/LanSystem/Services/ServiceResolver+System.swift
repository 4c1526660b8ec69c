import LanCore
import LanWire

/// The hosts file and the system's resolver.
extension ServiceResolver {
  /// Asks a source.
  func begin(_ source: ResolveSource) {
    switch source {
    case .hosts: beginHosts()
    case .system: beginSystem()
    case .mdns: beginMulticast()
    case .dns: beginDNS(source)
    case .dnsIfLocalIsServed: checkLocal()
    }
  }

  private func beginHosts() {
    var entries: [(HostsFile.Entry, name: String)] = []
    switch query.subject {
    case .host(let name):
      entries = context.hosts.entries(of: name).map { ($0, name) }
      entries.removeAll { !options.families.contains(MDNSFamilies($0.0.address)) }
    case .address(let address, let zone):
      entries = context.hosts.entries(of: address, zone: zone).map { ($0, $0.names[0]) }
    case .service, .record: break
    }
    for (entry, name) in entries {
      var origin = ResolveOrigin(.hosts, elapsed: elapsed)
      set(&origin, scope: entry.zone.flatMap(InterfaceList.index(named:)) ?? 0)
      take(
        .address(
          ResolvedAddress(
            name: Self.plain(name), address: entry.address, port: query.port, origin: origin)),
        from: .hosts)
    }
    finish(.hosts, entries.isEmpty ? .notFound : nil)
  }

  private func beginSystem() {
    switch query.subject {
    case .host(let name):
      let families = options.families
      ask({ SystemLookup.addresses(of: name, families) }) { [unowned self] answer, error in
        takeAddresses(answer ?? .failure(.failed(error.map { "\($0)" } ?? "")), of: name)
      }
    case .address(let address, let zone):
      let scope = zone.flatMap(InterfaceList.index(named:)) ?? 0
      ask({ SystemLookup.name(of: address, scope: scope) }) { [unowned self] answer, error in
        takeName(
          answer ?? .failure(.failed(error.map { "\($0)" } ?? "")), of: address, zone: zone, scope)
      }
    case .service, .record: finish(.system, .notFound)
    }
  }

  private func takeAddresses(
    _ answer: Result<[SystemLookup.Address], SystemLookup.Failure>, of name: String
  ) {
    guard case .success(let found) = answer else { return finishSystem(answer) }
    let entries = context.hosts.entries(of: name)
    let answers = found.map { entry -> ResolveAnswer in
      let isInFile = entries.contains { $0.address == entry.address.unmapped }
      var origin = ResolveOrigin(
        isInFile ? .hosts : context.nameServices.provider, elapsed: elapsed)
      set(&origin, scope: entry.scope)
      return .address(
        ResolvedAddress(
          name: Self.plain(name), address: entry.address.unmapped, port: query.port,
          origin: origin))
    }
    for answer in answers { takeInRound(answer, from: .system) }
    finishRound(.system, found.isEmpty ? .notFound : nil)
  }

  private func takeName(
    _ answer: Result<String, SystemLookup.Failure>, of address: IPAddress, zone: String?,
    _ scope: UInt32
  ) {
    guard case .success(let name) = answer else { return finishSystem(answer) }
    let entries = context.hosts.entries(of: address, zone: zone)
    let isInFile = entries.contains { $0.names.contains(name) }
    var origin = ResolveOrigin(isInFile ? .hosts : context.nameServices.provider, elapsed: elapsed)
    set(&origin, scope: scope)
    takeInRound(
      .address(
        ResolvedAddress(
          name: Self.plain(name), address: address, port: query.port, origin: origin)),
      from: .system)
    finishRound(.system)
  }

  private func finishSystem<Answer>(_ answer: Result<Answer, SystemLookup.Failure>) {
    guard case .failure(let failure) = answer else { return finishRound(.system) }
    switch failure {
    case .notFound: finishRound(.system, .notFound)
    case .noAddress: finishRound(.system, .noAddress)
    case .noAnswer: finishRound(.system, .noAnswer)
    case .failed(let text): finishRound(.system, .failed(text))
    }
  }

  /// Names the link of an answer.
  func set(_ origin: inout ResolveOrigin, scope: UInt32) {
    guard scope != 0 else { return }
    origin.interfaceIndex = scope
    origin.interface = InterfaceList.name(of: scope)
  }

  /// A name without the dot at its end.
  static func plain(_ name: String) -> String {
    name.hasSuffix(".") && name != "." ? String(name.dropLast()) : name
  }
}

extension InterfaceList {
  /// The number of an interface that is given by its name, or by its number as text.
  static func index(named text: String) -> UInt32? { index(of: text) ?? UInt32(text) }
}
