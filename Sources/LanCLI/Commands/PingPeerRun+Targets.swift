import LanCore
import LanSystem
import LanWire

/// From what was named to connections.
extension PingPeerRun {
  /// How long a bare host's WiTap service is looked for.
  private static let hostPatience = Duration.milliseconds(1_600)
  /// The port of echo (RFC 862).
  private static let echoPort: UInt16 = 7
  /// How often a name is asked for again by a run that waits for a peer.
  private static let repetition = Duration.seconds(1)

  /// Begins with targets side by side.
  func test(_ targets: [PingPeerTarget]) {
    trials = targets.map { PingPeerTrial($0, configuration) }
    let spread = min(configuration.probe.interval, .seconds(1))
    for (place, trial) in trials.enumerated() {
      trial.subject.isOneOfMany = trials.count > 1
      trial.startDelay = spread * place / trials.count
    }
    let bare = trials.filter(\.target.isBareHost)
    for trial in trials where !trial.target.isBareHost { begin(trial) }
    if !bare.isEmpty { lookForServices(of: bare) }
    judge()
  }

  private func begin(_ trial: PingPeerTrial) {
    let type = trial.target.serviceType
    if let known = trial.target.known {
      trial.subject.mode = PingPeerMode.choose(
        configuration.mode, type, modeWord: known.modeWord)
      return test(trial, DestinationSources.ordered(endpoints(known)))
    }
    trial.subject.mode = PingPeerMode.choose(configuration.mode, type, modeWord: nil)
    if case .address(let address, let zone) = trial.target.query.subject {
      let port = trial.target.query.port ?? Self.echoPort
      let scope = self.scope(zone, of: address)
      if address.needsZone, scope == 0 {
        return fail(
          trial, "badZone",
          """
          link-local address \(address) means nothing without its interface; say \
          '\(address)%eth0' or add '--interface eth0'
          """)
      }
      return test(trial, [SocketEndpoint(address, port: port, scope: scope)])
    }
    resolve(trial) { [unowned self] answers in
      take(answers, for: trial)
      test(trial, endpoints(answers))
    }
  }

  private func scope(_ zone: String?, of address: IPAddress) -> UInt32 {
    guard address.needsZone, let name = zone ?? configuration.interface else { return 0 }
    return InterfaceList.index(of: name) ?? UInt32(name) ?? 0
  }

  private func endpoints(_ known: PingPeerTarget.Known) -> [SocketEndpoint] {
    known.places.filter { configuration.families.contains(MDNSFamilies($0.address)) }.map {
      SocketEndpoint($0.address, port: known.port, scope: scope($0.zone, of: $0.address))
    }
  }

  /// What the answers say about how the peer is tested.
  private func take(_ answers: [ResolveAnswer], for trial: PingPeerTrial) {
    trial.answers = answers
    guard case .service(let service)? = answers.first else { return }
    trial.subject.mode = PingPeerMode.choose(
      configuration.mode, service.name.type, modeWord: PingPeerMode.word(in: service.text))
  }

  /// The places of the answers, in their order.
  func endpoints(_ answers: [ResolveAnswer]) -> [SocketEndpoint] {
    var found: [SocketEndpoint] = []
    for case .address(let value) in answers {
      let scope = value.address.needsZone ? value.origin.interfaceIndex ?? 0 : 0
      let endpoint = SocketEndpoint(
        value.address, port: value.port ?? Self.echoPort, scope: scope)
      if !found.contains(endpoint) { found.append(endpoint) }
    }
    return found
  }

  // MARK: Names

  /// Resolves a target and calls `handler` with the answers; a name that does not resolve is said.
  private func resolve(
    _ trial: PingPeerTrial, _ handler: @escaping ([ResolveAnswer]) -> Void
  ) {
    lookUp(trial.target.query, for: trial) { [unowned self] result in
      switch result {
      case .success(let answers): handler(answers)
      case .failure(let failure):
        let text = ResolveText.sentence(failure, of: trial.target.query)
        guard configuration.probe.endsWhenAnswered else { return fail(trial, failure.word, text) }
        complainOnce("\(text); waiting for it")
        reactor?.schedule(after: Self.repetition) { [unowned self] in
          if !isEnding { resolve(trial, handler) }
        }
      }
    }
  }

  /// Looks a query up once.
  func lookUp(
    _ query: ResolveQuery, for trial: PingPeerTrial,
    _ handler: @escaping (Result<[ResolveAnswer], ResolveFailure>) -> Void
  ) {
    guard let context else { return }
    var options = ServiceResolver.Options()
    options.families = configuration.families
    let resolver = ServiceResolver(query, options: options, in: context)
    trial.resolver?.onEvent = nil
    trial.resolver?.stop()
    trial.resolver = resolver
    resolver.onEvent = { [unowned self] event in
      guard !isEnding else { return }
      switch event {
      case .didResolve(let answers): handler(.success(answers))
      case .didNotResolve(let failure): handler(.failure(failure))
      case .contradiction(let found): complain(ResolveText.sentence(found, of: query))
      case .diagnostic(let text): complainOnce(text)
      case .willResolve, .answer, .didStop: break
      }
    }
    resolver.resolve()
  }

  func fail(_ trial: PingPeerTrial, _ word: String, _ text: String) {
    trial.state = .unresolved
    screen.showFailure(word, text, of: trial.target.text)
    complain(text)
    judge()
  }

  // MARK: Bare hosts

  /// Finds out which hosts have a WiTap service; the others are tested on the port of echo.
  private func lookForServices(of bare: [PingPeerTrial]) {
    guard let node, let reactor else { return }
    let finder = PingPeerFinder(
      PingPeerMode.tapTypes.map(\.type), configuration, node: node, on: reactor)
    self.finder = finder
    var waiting = bare
    func take() {
      let peers = finder.peers.filter(\.isComplete)
      for trial in waiting {
        guard let peer = peers.first(where: { $0.isService(of: trial.target.query) }) else {
          continue
        }
        waiting.removeAll { $0 === trial }
        trial.target.query.subject = .service(peer.name)
        begin(trial)
      }
      if waiting.isEmpty { finder.stop() }
    }
    finder.onChange = { take() }
    finder.onEnd = { [unowned self] in
      take()
      finder.stop()
      for trial in waiting { beginEcho(trial) }
    }
    do {
      try finder.start(Self.hostPatience)
    } catch {
      // Without multicast DNS there is no service to be found.
      for trial in waiting { beginEcho(trial) }
    }
  }

  private func beginEcho(_ trial: PingPeerTrial) {
    trial.target.query.port = Self.echoPort
    begin(trial)
  }
}

extension FoundPeer {
  /// True if the query is for the host that the service runs on.
  fileprivate func isService(of query: ResolveQuery) -> Bool {
    services.contains { service in
      switch query.subject {
      case .host:
        return query.name != nil && service.host == query.name
      case .address(let address, _):
        return service.addresses.contains(address) || address.isOwnLoop && service.isOwn
      case .service, .record: return false
      }
    }
  }
}

extension IPAddress {
  fileprivate var isOwnLoop: Bool {
    switch self {
    case .v4(let value): value.isLoopback
    case .v6(let value): value.isLoopback
    }
  }
}
