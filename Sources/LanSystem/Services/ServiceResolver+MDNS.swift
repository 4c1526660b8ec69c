import LanCore
import LanWire

/// Multicast DNS.
extension ServiceResolver {
  func beginMulticast() {
    var settings = ResolverMachine.Configuration()
    settings.families = options.families
    settings.isWatching = options.isWatching
    if case .address(_, let zone?) = query.subject, let index = InterfaceList.index(named: zone) {
      settings.interfaces = [index]
    }
    do throws(MDNSError) {
      speak(by: try context.runningNode(), settings)
    } catch {
      switch error {
      case .noMulticastInterface:
        tell(.diagnostic("\(error)"))
        finish(.mdns, .noInterface)
      case .portInUse: askOnce(error, settings)
      default: finish(.mdns, .failed("\(error)"))
      }
    }
  }

  /// Where nobody else may use port 5353, one-shot questions from another port still have answers
  /// (RFC 6762 section 5.1).
  private func askOnce(_ reason: MDNSError, _ settings: ResolverMachine.Configuration) {
    do throws(MDNSError) {
      let node = OneShotNode(context.configuration.interfaces, on: context.reactor)
      try node.start()
      tell(.diagnostic("\(reason); asking from another port, which hears no later news"))
      speak(by: node, settings)
    } catch {
      finish(.mdns, .failed("\(reason)"))
    }
  }

  private func speak(
    by speaker: any MulticastSpeaker, _ settings: ResolverMachine.Configuration
  ) {
    let resolution = MulticastResolution(self, ResolverMachine(query, settings), speaker)
    multicast = resolution
    resolution.start()
  }

  /// The event with its answers in the order to be tried in.
  func ordered(_ event: ResolveEvent) -> ResolveEvent {
    guard case .didResolve(let answers) = event else { return event }
    switch query.subject {
    case .host, .record: return .didResolve(DestinationSources.ordered(answers))
    case .service: return .didResolve(DestinationSources.ordered(grouped(answers)))
    case .address: return event
    }
  }

  /// Services by priority and weight (RFC 2782), each with its addresses behind it.
  private func grouped(_ answers: [ResolveAnswer]) -> [ResolveAnswer] {
    var services: [ResolvedService] = []
    var addresses: [ResolvedAddress] = []
    for answer in answers {
      if case .service(let value) = answer { services.append(value) }
      if case .address(let value) = answer { addresses.append(value) }
    }
    var result: [ResolveAnswer] = []
    for (_, service) in services.enumerated().sorted(by: { left, right in
      (left.element.priority, right.element.weight, left.offset)
        < (right.element.priority, left.element.weight, right.offset)
    }) {
      let own = addresses.filter { $0.isAddress(of: service) }
      addresses.removeAll { $0.isAddress(of: service) }
      result += [.service(service)] + own.map { .address($0) }
    }
    return result + addresses.map { .address($0) }
  }
}

extension ResolvedAddress {
  /// True if it is the host's of `service`, as heard from the same side.
  fileprivate func isAddress(of service: ResolvedService) -> Bool {
    port == service.port && origin.provider == service.origin.provider
      && origin.interfaceIndex == service.origin.interfaceIndex
      && name.lowercased() == "\(service.host)".lowercased()
  }
}

/// Who speaks multicast DNS for clients.
protocol MulticastSpeaker: AnyObject {
  func add(_ client: any MDNSClient)
  func remove(_ client: any MDNSClient)
}

extension MDNSNode: MulticastSpeaker {}

/// A resolver's part in the conversation with a multicast DNS node.
final class MulticastResolution {
  private weak var resolver: ServiceResolver?
  private var machine: ResolverMachine
  private let node: any MulticastSpeaker
  private var isOver = false
  private var isStopped = false

  init(_ resolver: ServiceResolver, _ machine: ResolverMachine, _ node: any MulticastSpeaker) {
    self.resolver = resolver
    self.machine = machine
    self.node = node
  }

  func start() {
    machine.start(at: MonotonicClock.now)
    node.add(self)
  }

  func stop() {
    isStopped = true
    node.remove(self)
  }

  /// Passes on what the machine has to tell.
  private func tell() {
    let changes = machine.changes
    machine.changes = []
    for change in changes { resolver?.take(change.answer, change.action, from: .mdns) }
    if machine.isFinished, !isOver {
      isOver = true
      resolver?.finish(.mdns, machine.failure)
    } else if !changes.isEmpty {
      resolver?.proceed()
    }
  }
}

extension MulticastResolution: MDNSClient {
  func setLink(_ link: MDNSLink, at now: Int64) { machine.setLink(link, at: now) }

  func removeLink(_ index: UInt32, at now: Int64) { machine.removeLink(index, at: now) }

  func handle(_ change: MDNSChange, at now: Int64) { machine.handle(change, at: now) }

  func batchEnded(at now: Int64) {
    machine.batchEnded(at: now)
    tell()
  }

  var nextDeadline: Int64? { isStopped ? nil : machine.nextDeadline }

  func deadlineReached(at now: Int64) {
    machine.deadlineReached(at: now)
    tell()
  }

  func takeDemands() -> [MDNSDemand] {
    let demands = machine.demands
    machine.demands = []
    return demands.map { MDNSDemand($0) }
  }
}
