import LanCore
import LanWire

/// Sends probes to targets whose verdict is new, a bounded number at a time.
final class ProbeRunner {
  /// How many probes are under way at once.
  static let limit = 64

  private let probe: ReachabilityProbe
  private let timeout: Duration
  private let reactor: Reactor
  private let resolver: NameResolver
  private let transport: any NetlinkTransport
  private let emit: (ProbeReport) -> Void
  private var running: [Int: ProbeAttempt] = [:]
  private var waiting: [ReachabilityReport] = []
  private var latest: [Int: ReachabilityReport] = [:]
  /// Called when nothing is under way any more.
  var onIdle: () -> Void = {}

  init(
    _ probe: ReachabilityProbe, timeout: Duration?, reactor: Reactor, resolver: NameResolver,
    transport: any NetlinkTransport, _ emit: @escaping (ProbeReport) -> Void
  ) {
    self.probe = probe
    self.timeout = timeout ?? (probe == .neighbour ? .seconds(9) : .seconds(5))
    self.reactor = reactor
    self.resolver = resolver
    self.transport = transport
    self.emit = emit
  }

  /// True while a probe is under way or waits.
  var isBusy: Bool { !running.isEmpty || !waiting.isEmpty }

  /// Takes a report: what was found before holds no more.
  func submit(_ report: ReachabilityReport) {
    latest[report.target] = report
    running.removeValue(forKey: report.target)?.stop()
    waiting.removeAll { $0.target == report.target }
    if report.verdict.status.isReachable { waiting.append(report) }
    fill()
  }

  /// Sends a probe to every target again.
  func repeatAll() {
    for report in latest.values.sorted(by: { $0.target < $1.target }) { submit(report) }
  }

  func stop() {
    for attempt in running.values { attempt.stop() }
    (running, waiting, latest) = ([:], [], [:])
  }

  private func fill() {
    while running.count < Self.limit, !waiting.isEmpty {
      let report = waiting.removeFirst()
      let request = ProbeRequest(report, MonotonicClock.now + timeout.wholeNanoseconds)
      let attempt = attempt(request)
      running[report.target] = attempt
      let started = MonotonicClock.now
      attempt.onEnd = { [weak self, unowned attempt] outcome, detail in
        self?.end(
          ProbeReport(
            target: report.target, probe: attempt.probe, address: attempt.address,
            outcome: outcome, detail: detail, elapsed: MonotonicClock.now - started))
      }
      // In the next round, so that the report is told before what a probe found.
      attempt.timer = reactor.schedule(after: .zero) { [weak attempt] in attempt?.begin() }
    }
  }

  private func attempt(_ request: ProbeRequest) -> ProbeAttempt {
    switch probe {
    case .neighbour: NeighbourAttempt(probe, request, reactor, transport)
    case .icmp: EchoAttempt(probe, request, reactor)
    case .tcp(let port): ConnectAttempt(probe, request, reactor, port: port)
    case .http(let http): HTTPAttempt(probe, request, reactor, http, resolver)
    }
  }

  private func end(_ report: ProbeReport) {
    running[report.target] = nil
    emit(report)
    fill()
    if !isBusy { onIdle() }
  }
}

/// What a probe is bound to.
struct ProbeRequest {
  /// The target's address; nil for the default path.
  var address: IPAddress?
  /// The way to it.
  var way: WayVerdict
  /// The interface that the target is bound to; nil for any.
  var interface: String?
  /// The local address that the target is bound to.
  var local: IPAddress?
  /// The mark of the packets.
  var mark: UInt32?
  var usesIPv4: Bool
  var usesIPv6: Bool
  /// When the probe ends, by the monotonic clock.
  var deadline: Int64

  init(_ report: ReachabilityReport, _ deadline: Int64) {
    let options = report.question.options
    let verdict = report.verdict
    way = verdict.best
    switch report.question.target {
    case .defaultPath: address = nil
    case .address(let target, _): address = target.unmapped
    case .host:
      let best = verdict.addresses.first { $0.way == verdict.best }
      address = (best ?? verdict.addresses.first { $0.way.isReachable })?.address
    }
    interface = report.question.interface
    local = options.local
    mark = options.mark
    usesIPv4 = options.usesIPv4
    usesIPv6 = options.usesIPv6
    self.deadline = deadline
  }

  /// Where a packet to `address` is sent: with the link's number for a link-local one.
  func endpoint(_ address: IPAddress, port: UInt16) -> SocketEndpoint {
    SocketEndpoint(
      address, port: port, scope: address.needsZone ? way.interface?.index ?? 0 : 0)
  }
}
