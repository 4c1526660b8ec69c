import LanCore
import LanSystem
import LanWire

/// Probes, and what is done where they fail.
extension PingPeerRun {
  /// Records that were doubted and are announced still are not doubted again before this.
  private static let doubtInterval: Int64 = 10_000_000_000

  /// Sends probes to a peer.
  func test(_ trial: PingPeerTrial, _ endpoints: [SocketEndpoint]) {
    guard let reactor, !isEnding else { return }
    let endpoints = endpoints.filter { configuration.families.contains(MDNSFamilies($0.address)) }
    guard !endpoints.isEmpty else {
      return fail(
        trial, "noAddress",
        "\(printable(Array(trial.target.text.utf8))) has no address of the wanted family")
    }
    var settings = configuration.probe
    settings.mode = trial.subject.mode
    settings.startDelay = trial.startDelay
    let probe = PeerProbe(endpoints, settings, on: reactor)
    probe.onEvent = { [unowned self, unowned trial] in take($0, of: trial) }
    trial.probe = probe
    trial.state = .testing
    screen.showHead(trial.subject)
    screen.flush()
    watchRecords(of: trial)
    probe.start()
  }

  private func take(_ event: PeerProbeEvent, of trial: PingPeerTrial) {
    show(event, of: trial)
    guard !isEnding else { return }
    switch event {
    case .finished:
      if trial.state == .testing { trial.state = .finished }
      judge()
    case .lost, .disconnected:
      if case .impossible(let error) = trial.state { return giveUp(trial, error) }
      if event.isFailureOfConnection { doubt(trial) }
    default: break
    }
  }

  /// This host's own settings or limits do not let probes out.
  private func giveUp(_ trial: PingPeerTrial, _ error: SystemError) {
    trial.probe?.onEvent = nil
    trial.probe?.stop()
    var text = "cannot send to \(printable(Array(trial.target.text.utf8))): \(error.reason)"
    if let source = configuration.probe.source {
      text += "; is \(source) an address of this host? 'ip address' lists them"
    } else if error.isForbidden, configuration.interface != nil {
      text += "; '--interface' needs CAP_NET_RAW, run as root"
    }
    screen.showFailure(error.peerWord, text, of: trial.target.text)
    complain(text)
    judge()
  }

  // MARK: Names that change

  private func watchRecords(of trial: PingPeerTrial) {
    guard let node, node.isRunning, trial.records == nil, let answers = trial.answers else {
      return
    }
    guard let place = answers.multicastPlace else { return }
    let records = ServiceReconfirmation(
      place.service, host: place.host, families: configuration.families, node: node)
    records.onEvent = { [unowned self, unowned trial] event in
      if !isEnding { take(event, of: trial) }
    }
    trial.records = records
    records.start()
  }

  /// Using the records failed: they are asked for again (RFC 6762 section 10.4).
  private func doubt(_ trial: PingPeerTrial) {
    guard trial.state == .testing else { return }
    let now = MonotonicClock.now
    if let last = trial.doubted, now - last < Self.doubtInterval { return }
    if trial.target.known != nil { return }
    if case .address = trial.target.query.subject { return }
    (trial.doubted, trial.isInDoubt) = (now, true)
    if let records = trial.records {
      records.reconfirm()
    } else {
      resolveAgain(trial, isDoubted: true)
    }
  }

  private func take(_ event: ReconfirmationMachine.Event, of trial: PingPeerTrial) {
    switch event {
    case .announced: say(.announced, of: trial)
    case .gone:
      // A peer that plays withdraws its service; that is nobody's failure.
      if trial.isInDoubt { say(.gone, of: trial) }
    case .changed: resolveAgain(trial, isDoubted: trial.isInDoubt)
    }
  }

  private func resolveAgain(_ trial: PingPeerTrial, isDoubted: Bool) {
    lookUp(trial.target.query, for: trial) { [unowned self] result in
      switch result {
      case .failure:
        if isDoubted { say(.gone, of: trial) }
      case .success(let answers):
        let found = endpoints(answers)
        if let place = answers.multicastPlace { trial.records?.follow(place.host) }
        if Set(found) == Set(trial.probe?.endpoints ?? []) {
          if isDoubted { say(.announced, of: trial) }
          return
        }
        say(.moved(found), of: trial)
        trial.probe?.move(to: found)
      }
    }
  }

  private func say(_ outcome: PingPeerReconfirmation, of trial: PingPeerTrial) {
    trial.isInDoubt = false
    guard trial.outcome != outcome else { return }
    trial.outcome = outcome
    let name = printable(Array(trial.target.text.utf8))
    switch outcome {
    case .announced: complain("\(name) is still announced, at the same place")
    case .gone: complain("\(name) is gone: nobody answers for it any more")
    case .moved(let endpoints):
      let places = endpoints.map(PingPeerWords.text).joined(separator: ", ")
      complain("\(name) has moved to \(places); going on there")
    }
    screen.show(outcome, of: trial.target.text)
    screen.flush()
  }
}

extension PeerProbeEvent {
  /// The connection failed, or could not be made: what led to it may not be true any more.
  var isFailureOfConnection: Bool {
    switch self {
    case .disconnected: true
    case .lost(_, let failure):
      switch failure {
      case .timeout, .corrupted: false
      default: true
      }
    default: false
    }
  }
}

extension [ResolveAnswer] {
  /// The service and host by whose multicast records the answers came; nil for other ones.
  var multicastPlace: (service: ServiceInstanceName?, host: DNSName)? {
    guard let first, first.origin.provider == .mdns else { return nil }
    switch first {
    case .service(let service): return (service.name, service.host)
    case .address(let address): return (try? DNSName(address.name)).map { (nil, $0) }
    case .record: return nil
    }
  }
}
