import Foundation
import LanCore
import LanWire
import Synchronization
import TestKit
import Testing

@testable import LanSystem

@Suite(.serialized, .enabled(if: Lab.isPossible, "\(Lab.skipped)"))
struct ReachabilityMonitorTests {
  private static func run(
    _ script: String, _ body: @escaping @Sendable (NetlinkLab) throws -> Void
  ) throws {
    let lab = try NetlinkLab(script)
    nonisolated(unsafe) let shared = lab
    try lab.inside { try body(shared) }
  }

  @Test("the first verdict about every target is there when start returns")
  func snapshots() throws {
    try Self.run(NetlinkLab.routed) { _ in
      let run = try MonitorRun(try .init(["default", "192.0.2.20", "198.51.100.1", "127.0.0.1"]))
      #expect(run.reports.map(\.target) == [0, 1, 2, 3])
      #expect(run.reports.allSatisfy { $0.isSnapshot && $0.cause == .start })
      #expect(run.reports[0].verdict.best.gateway == IPAddress(parsing: "192.0.2.1"))
      #expect(run.reports[1].verdict.flags == [.reachable, .isDirect])
      #expect(run.reports[2].verdict.flags == .reachable)
      #expect(run.reports[3].verdict.flags == [.reachable, .isLocalAddress])
    }
  }

  @Test("changes begins with the present state and ends with stop")
  func stream() async throws {
    let lab = try NetlinkLab(NetlinkLab.routed)
    let stream = Mutex<AsyncStream<ReachabilityReport>?>(nil)
    nonisolated(unsafe) let shared = lab
    try lab.inside {
      let run = try MonitorRun(try .init(["default"]))
      #expect(shared.ip("link set v1 down"))
      #expect(run.settles { !$0.verdict.status.isReachable })
      stream.withLock { $0 = run.monitor.changes }
      #expect(shared.ip("link set v1 up"))
      #expect(run.settles { $0.verdict.status.isReachable })
      try run.monitor.stop()
    }
    var statuses: [Bool] = []
    if let stream = stream.withLock({ $0 }) {
      for await report in stream { statuses.append(report.verdict.status.isReachable) }
    }
    #expect(statuses.first == false && statuses.last == true)
  }

  @Test("loss and return of the carrier are told with their link as the cause")
  func carrier() throws {
    try Self.run(NetlinkLab.routed) { lab in
      let run = try MonitorRun(try .init(["default"]))
      #expect(lab.ip("link set v1 down"))
      #expect(run.settles { $0.verdict.reason == .noCarrier })
      // The link itself, or the one below it, whichever the kernel told of first.
      #expect(run.monitor.reports[0]?.cause.word == "link")
      #expect(run.monitor.reports[0]?.previous?.status == .reachableViaWiFi)
      #expect(lab.ip("link set v1 up"))
      #expect(run.settles { $0.verdict.status == .reachableViaWiFi })
    }
  }

  @Test("what the kernel tells no route event for is noticed without a poll")
  func silent() throws {
    try Self.run(NetlinkLab.routed) { lab in
      let run = try MonitorRun(try .init(["198.51.100.1"]))
      #expect(lab.ip("addr del 192.0.2.10/24 dev v0"))
      #expect(run.settles { $0.verdict.reason == .noRoute })
      #expect(
        lab.ip("addr add 192.0.2.10/24 dev v0") && lab.ip("route add default via 192.0.2.1"))
      #expect(run.settles { $0.verdict.status.isReachable })
      #expect(lab.ip("link set v0 down"))
      #expect(run.settles { $0.verdict.reason == .noRoute })
    }
  }

  @Test("a route that comes or goes is noticed, whether the filter or the long list hears of it")
  func routes() throws {
    for extra in [0, 300] {
      try Self.run(NetlinkLab.cable) { lab in
        let more = (0..<extra).map { "203.0.\($0 / 200).\($0 % 200 + 1)" }
        let run = try MonitorRun(try .init(["198.51.100.1"] + more))
        #expect(run.monitor.reports[0]?.verdict.reason == .noRoute)
        #expect(lab.ip("route add 198.51.100.0/24 via 192.0.2.1"))
        #expect(run.settles { $0.verdict.status.isReachable })
        #expect(lab.ip("route add blackhole 198.51.100.1/32"))
        #expect(run.settles { $0.verdict.reason == .routeBlackhole })
        #expect(lab.ip("route del blackhole 198.51.100.1/32"))
        #expect(run.settles { $0.verdict.status.isReachable })
      }
    }
  }

  @Test("events of the kernel come in their meaning, with the gateway of a route that goes")
  func kernelEvents() throws {
    try Self.run(NetlinkLab.cable) { lab in
      var configuration = try ReachabilityMonitor.Configuration(["default"])
      configuration.tellsKernelEvents = true
      let run = try MonitorRun(configuration)
      #expect(lab.ip("route add default via 192.0.2.1 dev v0"))
      #expect(lab.ip("addr add 192.0.2.11/24 dev v0"))
      #expect(lab.ip("route del default via 192.0.2.1 dev v0"))
      #expect(lab.ip("link set v0 mtu 1400"))
      run.run(for: .milliseconds(300))
      let told = run.kernelEvents.map { event -> String in
        switch event.subject {
        case .route(let route, _):
          "\(event.action) route \(route.legs.first?.gateway?.description ?? "-")"
        case .address(let address): "\(event.action) address \(address.address)"
        case .link(let link, _): "\(event.action) link \(link.name)"
        case .neighbour: "\(event.action) neighbour"
        }
      }
      #expect(
        told == [
          "added route 192.0.2.1", "added address 192.0.2.11", "removed route 192.0.2.1",
        ])
    }
  }

  @Test("a mark changes the way as the policy rules say")
  func marks() throws {
    let script =
      NetlinkLab.cable + "\nip -n $ns route add default via 192.0.2.1 table 77"
      + "\nip -n $ns rule add fwmark 7 lookup 77"
    try Self.run(script) { lab in
      var configuration = try ReachabilityMonitor.Configuration(["198.51.100.1", "198.51.100.1"])
      configuration.targets[1].options.mark = 7
      let run = try MonitorRun(configuration)
      #expect(run.reports.map(\.verdict.status.isReachable) == [false, true])
      #expect(lab.ip("rule del fwmark 7 lookup 77"))
      #expect(run.settles(1) { $0.verdict.reason == .noRoute })
    }
  }

  @Test("a verdict that does not last is not told where it has to settle")
  func settle() throws {
    try Self.run(NetlinkLab.routed) { lab in
      var configuration = try ReachabilityMonitor.Configuration(["default"])
      configuration.timing.settle = 400_000_000
      let run = try MonitorRun(configuration)
      #expect(lab.ip("link set v1 down"))
      run.run(for: .milliseconds(150))
      #expect(lab.ip("link set v1 up"))
      run.run(for: .milliseconds(800))
      #expect(run.reports.count == 1)
      #expect(lab.ip("link set v1 down"))
      #expect(run.settles { $0.verdict.reason == .noCarrier })
    }
  }

  @Test(
    "without polls an idle monitor makes no system call",
    .enabled(if: Lab.shell("command -v strace"), "strace is not here"))
  func idle() throws {
    try Self.run(NetlinkLab.routed) { lab in
      let run = try MonitorRun(try .init(["default", "192.0.2.20", "localhost"]))
      #expect(run.settles(2) { $0.verdict.status.isReachable })
      // Timers that were taken back have fired in vain by then.
      run.run(for: .milliseconds(1_500))
      let thread = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
      let number = (thread as NSString).lastPathComponent
      let file = NSTemporaryDirectory() + "lantool-idle-\(number)"
      defer { try? FileManager.default.removeItem(atPath: file) }
      let tracer = try ChildProcess.spawn(
        "/bin/sh",
        ["-c", "sleep 0.2; timeout -s INT 2 strace -tt -qq -o \(file) -p \(number) 2>&1"])
      // Longer than the tracer looks, so that the end of it is not seen.
      run.run(for: .seconds(4))
      _ = try ChildProcess.wait(for: tracer)
      let calls = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      // The wait that was under way when the tracer came, and the one that took its place.
      #expect(calls.count <= 2 && calls.allSatisfy { $0.contains(" epoll_wait(") }, "\(calls)")
    }
  }

  @Test("the safety poll finds what no message tells")
  func poll() throws {
    try Self.run(NetlinkLab.routed) { lab in
      var configuration = try ReachabilityMonitor.Configuration(["198.51.100.1"], polls: true)
      configuration.timing.poll = 200_000_000
      let run = try MonitorRun(configuration)
      // A limit of the whole stack, of which no message tells.
      #expect(
        Lab.shell(
          "ip netns exec \(lab.name) sysctl -qw net.ipv4.conf.v0.ignore_routes_with_linkdown=1"))
      #expect(lab.ip("link set v1 down"))
      #expect(run.settles { !$0.verdict.status.isReachable })
      run.run(for: .milliseconds(500))
      let before = run.reports.count
      run.run(for: .milliseconds(500))
      #expect(run.reports.count == before)
    }
  }

  @Test("an interface that is asked for may come later")
  func scoped() throws {
    try Self.run(NetlinkLab.cable) { lab in
      var configuration = try ReachabilityMonitor.Configuration(["fe80::1%late0"])
      configuration.polls = false
      let run = try MonitorRun(configuration)
      #expect(run.monitor.reports[0]?.verdict.reason == .noSuchInterface)
      #expect(lab.ip("link add late0 type veth peer name late1"))
      #expect(lab.ip("link set late1 up") && lab.ip("link set late0 up"))
      #expect(run.settles { $0.verdict.status.isReachable })
    }
  }

  @Test("once says the same as the monitor, and names are resolved")
  func once() throws {
    try Self.run(NetlinkLab.routed) { _ in
      let configuration = try ReachabilityMonitor.Configuration(
        ["default", "192.0.2.20", "localhost", "198.51.100.1"])
      let snapshot = try ReachabilityMonitor.evaluateOnce(configuration)
      let run = try MonitorRun(configuration)
      #expect(run.run { run.monitor.reports.count == 4 })
      #expect(snapshot.reports.map(\.target) == [0, 1, 2, 3])
      for report in snapshot.reports {
        #expect(run.monitor.reports[report.target]?.verdict == report.verdict)
      }
    }
  }

  @Test("interfaces come in the rank of their metrics, those without a way not at all")
  func ranks() throws {
    let script =
      NetlinkLab.cable + "\nfor i in 2 3 4; do ip -n $ns link add v$i type veth peer name w$i; "
      + "ip -n $ns link set w$i up; ip -n $ns addr add 198.51.$i.1/24 dev v$i; "
      + "ip -n $ns link set v$i up; done; ip -n $ns route add default dev v0 metric 300; "
      + "ip -n $ns route add default via 198.51.3.2 metric 100; "
      + "ip -n $ns route add default via 198.51.2.2 metric 200"
    try Self.run(script) { _ in
      let run = try MonitorRun(try .init(["default"]))
      let ranked = try run.monitor.rankedInterfaces()
      #expect(ranked.map(\.interface.name) == ["v3", "v2", "v0"])
      #expect(ranked.map(\.ipv4Metric) == [100, 200, 300])
    }
  }

  @Test("a resolver that cannot be reached is no proof that a name does not exist")
  func resolverFailure() throws {
    try Self.run("") { _ in
      let configuration = try ReachabilityMonitor.Configuration(["no-such-host.invalid"])
      let snapshot = try ReachabilityMonitor.evaluateOnce(configuration)
      #expect(snapshot.reports.map(\.verdict.reason) == [.resolverFailed])
      #expect(snapshot.reports.map(\.verdict.status) == [.unknown])
    }
  }
}
