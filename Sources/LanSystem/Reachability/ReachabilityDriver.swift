import LanCore
import LanWire

/// Does what a `ReachabilityMachine` wants: asks the kernel, and hands the answers back.
final class ReachabilityDriver {
  /// What the machine wants that is not the driver's.
  enum Demand {
    /// Something to tell.
    case tell(ReachabilityEvent.Content)
    /// A name to resolve.
    case resolve(String)
  }

  var machine: ReachabilityMachine
  let transport: any NetlinkTransport
  /// The facts beside rtnetlink about a link.
  var inspect: (LinkState) -> [KernelMessage] = { _ in [] }
  /// Takes what is not the driver's.
  var onDemand: (Demand) -> Void = { _ in }
  /// The time, in nanoseconds of the clock that the machine's times are of.
  let now: () -> Int64
  /// How many steps are done at once: each is one round of look-ups or less, so that this is far
  /// more than any change causes.
  private static let stepLimit = 10_000
  private var collected: [Int: ReachabilityReport] = [:]

  init(
    _ machine: ReachabilityMachine, _ transport: any NetlinkTransport,
    now: @escaping () -> Int64 = { MonotonicClock.now }
  ) {
    self.machine = machine
    self.transport = transport
    self.now = now
  }

  /// Reads the present state and begins.
  ///
  /// - Throws: `NetlinkError`, with nothing begun.
  func start() throws(NetlinkError) {
    let state = try readState()
    let rules = (try? readRules()) ?? []
    machine.start(links: state.links, addresses: state.addresses, rules: rules, at: now())
    if !state.isConsistent {
      machine.resynchronised(
        links: state.links, addresses: state.addresses, isConsistent: false, at: now())
    }
    performOutputs()
  }

  /// Does everything that is due.
  func run() {
    defer { tellReports() }
    for _ in 0..<Self.stepLimit {
      performOutputs()
      guard let due = machine.nextDeadline, due <= now() else { return }
      machine.deadlineReached(at: now())
    }
  }

  /// Does what the machine has asked for so far, without looking at the clock.
  func performOutputs() {
    for _ in 0..<Self.stepLimit {
      let outputs = machine.takeOutput()
      if outputs.isEmpty { return }
      for output in outputs { perform(output) }
    }
  }

  private func perform(_ output: ReachabilityOutput) {
    switch output {
    case .lookups(let lookups): answer(lookups)
    case .report(let report): collect(report)
    case .event(let event): tell(.kernel(event))
    case .resync(let overruns): tell(.resync(overruns: overruns))
    case .resolve(let name): onDemand(.resolve(name))
    case .inspect(let link):
      for message in inspect(link) { machine.handle(message, at: now()) }
    case .readRules:
      if let rules = attempt({ () throws(NetlinkError) in try self.readRules() }) {
        machine.setRules(rules)
      }
    case .readState: resynchronise()
    }
  }

  /// Reads links and addresses anew.
  func resynchronise() {
    guard let state = attempt({ () throws(NetlinkError) in try self.readState() }) else {
      // As good as another loss: it is tried again, after a wait that grows.
      return machine.overrun(at: now())
    }
    machine.resynchronised(
      links: state.links, addresses: state.addresses, isConsistent: state.isConsistent, at: now())
  }

  /// Holds the reports of a round back, so that they come in the order of the targets.
  private func collect(_ report: ReachabilityReport) {
    if collected[report.target] != nil { tellReports() }
    collected[report.target] = report
  }

  private func tellReports() {
    let reports = collected.values.sorted { $0.target < $1.target }
    collected = [:]
    for report in reports { onDemand(.tell(.report(report))) }
  }

  private func tell(_ content: ReachabilityEvent.Content) {
    tellReports()
    onDemand(.tell(content))
  }

  private func attempt<Value>(_ body: () throws(NetlinkError) -> Value) -> Value? {
    do throws(NetlinkError) {
      return try body()
    } catch {
      tell(.diagnostic(.kernelNotAsked(error)))
      return nil
    }
  }

  // MARK: Questions to the kernel

  private struct State {
    var links: [LinkState]
    var addresses: [InterfaceAddress]
    var isConsistent: Bool
  }

  private func readState() throws(NetlinkError) -> State {
    let links = try transport.links()
    let addresses = try transport.addresses()
    return State(
      links: links.values.compactMap { LinkState($0) },
      addresses: addresses.values.compactMap { InterfaceAddress($0) },
      isConsistent: links.isConsistent && addresses.isConsistent)
  }

  private func readRules() throws(NetlinkError) -> [PolicyRule] {
    var rules: [PolicyRule] = []
    for family in [NetlinkAddressFamily.ipv4, .ipv6] {
      do throws(NetlinkError) {
        rules += try transport.rules(family).values.compactMap { PolicyRule($0) }
      } catch {
        // A kernel without the family, or without policy routing, has no rules to tell of.
        guard case .refused = error else { throw error }
      }
    }
    return rules
  }

  /// Answers look-ups; those that fail altogether are asked again by the machine.
  private func answer(_ lookups: [KernelLookup]) {
    var replies: [(KernelLookup, KernelReply)] = []
    replies.reserveCapacity(lookups.count)
    var routes: [RouteLookup] = []
    for lookup in lookups {
      if case .route(let route) = lookup {
        routes.append(route)
      } else if let reply = attempt({ () throws(NetlinkError) in try self.answerOne(lookup) }) {
        replies.append((lookup, reply))
      }
    }
    _ = attempt { () throws(NetlinkError) in
      try transport.lookUp(routes) { index, answer in
        let lookup = KernelLookup.route(routes[index])
        replies.append((lookup, KernelReply(answer, to: lookup)))
      }
    }
    for (lookup, reply) in replies { machine.handle(reply, to: lookup, at: now()) }
  }

  private func answerOne(_ lookup: KernelLookup) throws(NetlinkError) -> KernelReply {
    do throws(NetlinkError) {
      switch lookup {
      case .route(let route): return KernelReply(try transport.lookUp(route), to: lookup)
      case .neighbour(let key):
        let neighbour = try transport.neighbour(key.address, index: key.interfaceIndex)
        return neighbour.map { KernelReply($0) } ?? .neighbour(.unknown)
      case .nextHop(let id):
        return try transport.nextHop(id).map { KernelReply($0) } ?? .failure(.notFound)
      }
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      return KernelReply(refusal, to: lookup)
    }
  }
}

extension KernelReply {
  /// What the transport's answer to a route look-up says.
  init(_ answer: RouteAnswer, to lookup: KernelLookup) {
    switch answer {
    case .route(let route): self.init(route)
    case .refused(let error): self.init(error, to: lookup)
    case .malformed(let error):
      self = .failure(.other(number: 0, text: "the answer \(error)"))
    }
  }
}
