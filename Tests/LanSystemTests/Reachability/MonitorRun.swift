import Foundation
import LanCore
import LanWire

@testable import LanSystem

/// A monitor on a loop of its own, driven by the thread of a test.
final class MonitorRun {
  let reactor: Reactor
  let monitor: ReachabilityMonitor
  private(set) var events: [ReachabilityEvent] = []

  init(_ configuration: ReachabilityMonitor.Configuration) throws {
    reactor = try Reactor()
    monitor = ReachabilityMonitor(configuration, on: reactor)
    monitor.onEvent = { [unowned self] in events.append($0) }
    try monitor.start()
  }

  deinit { try? monitor.stop() }

  var reports: [ReachabilityReport] {
    events.compactMap { if case .report(let report) = $0.content { report } else { nil } }
  }
  var probes: [ProbeReport] {
    events.compactMap { if case .verification(let report) = $0.content { report } else { nil } }
  }
  var kernelEvents: [KernelEvent] {
    events.compactMap { if case .kernel(let event) = $0.content { event } else { nil } }
  }
  var resyncs: [Int] {
    events.compactMap { if case .resync(let count) = $0.content { count } else { nil } }
  }
  var diagnostics: [ReachabilityDiagnostic] {
    events.compactMap { if case .diagnostic(let one) = $0.content { one } else { nil } }
  }

  /// Runs the loop until `isDone`, ten seconds at most; true if it came to be.
  @discardableResult
  func run(seconds: Double = 10, until isDone: @escaping () -> Bool) -> Bool {
    let end = MonotonicClock.now + Int64(seconds * 1e9)
    while !isDone(), MonotonicClock.now < end { run(for: .milliseconds(10)) }
    return isDone()
  }

  /// Runs the loop for a while.
  func run(for duration: Duration) {
    reactor.schedule(after: duration) { [reactor] in reactor.stop() }
    try? reactor.run()
  }

  /// Runs until the last report about `target` is as wanted.
  func settles(
    _ target: Int = 0, seconds: Double = 10, _ isRight: @escaping (ReachabilityReport) -> Bool
  ) -> Bool {
    run(seconds: seconds) { [unowned self] in monitor.reports[target].map(isRight) ?? false }
  }
}

extension ReachabilityMonitor.Configuration {
  /// A configuration for targets as they are typed.
  init(_ targets: [String], polls: Bool = false) throws {
    self.init(targets: try targets.map { ReachabilityQuestion(try .parse($0)) })
    self.polls = polls
  }
}

extension NetlinkLab {
  /// Two ends of a cable in one namespace; `v0` has 192.0.2.10/24 and 2001:db8::10/64.
  static let cable = """
    ip netns exec $ns sysctl -qw net.ipv6.conf.default.accept_dad=0
    ip -n $ns link add v0 type veth peer name v1
    ip -n $ns addr add 192.0.2.10/24 dev v0; ip -n $ns addr add 2001:db8::10/64 dev v0 nodad
    ip -n $ns link set v1 up; ip -n $ns link set v0 up
    """
  /// The same with default routes of both families.
  static let routed = """
    \(cable)
    ip -n $ns route add default via 192.0.2.1 dev v0
    ip -n $ns route add default via 2001:db8::1 dev v0
    """

  /// Runs an `ip` command inside.
  func ip(_ arguments: String) -> Bool { Lab.shell("ip -n \(name) \(arguments)") }
}
