import Foundation
import LanCore
import LanWire
import TestKit
import Testing

@testable import LanSystem

@Suite(.serialized, .enabled(if: Lab.isPossible, "\(Lab.skipped)"))
struct ReachabilityStormLabTests {
  /// Makes changes of many kinds, and leaves another default route and a host route behind.
  private static let storm = """
    { for i in $(seq 0 3999); do echo "route add 198.18.$((i / 250)).$((i % 250))/32 dev v0"; done
    for i in $(seq 0 499); do echo "addr add 203.0.$((i / 250)).$((i % 250))/32 dev v1"; done
    for i in $(seq 0 19); do echo "link add s$i type veth peer name t$i"
    echo "link set s$i up"; echo "link set t$i up"; done
    for i in $(seq 0 3999); do echo "route del 198.18.$((i / 250)).$((i % 250))/32 dev v0"; done
    for i in $(seq 0 19); do echo "link del s$i"; done
    echo "route replace default via 192.0.2.7 dev v0"
    echo "route add blackhole 198.51.100.7/32"; } | ip -n $ns -batch -
    """

  @Test("after a storm that overflows the queues the last word is that of a fresh look")
  func overflow() throws {
    for count in [1, 400] {
      let lab = try NetlinkLab(NetlinkLab.routed)
      nonisolated(unsafe) let shared = lab
      try lab.inside {
        let targets = (0..<count).map { "198.51.\(100 + $0 / 200).\($0 % 200 + 7)" }
        var configuration = try ReachabilityMonitor.Configuration(targets)
        // The kernel's smallest, so that overruns are certain where everything is heard.
        configuration.receiveBuffer = 4_096
        let run = try MonitorRun(configuration)
        try shared.run(Self.storm)
        run.run(for: .milliseconds(2_500))
        let fresh = try ReachabilityMonitor.evaluateOnce(configuration)
        let told = run.monitor.reports
        #expect(fresh.reports.allSatisfy { told[$0.target]?.verdict.best == $0.verdict.best })
        #expect(told[0]?.verdict.reason == .routeBlackhole)
        #expect(!run.resyncs.isEmpty)
        #expect(run.monitor.facts.links.count == fresh.facts.links.count)
        #expect(run.monitor.facts.addresses.count == fresh.facts.addresses.count)
        if count > 1 {
          #expect(told[1]?.verdict.best.gateway == IPAddress(parsing: "192.0.2.7"))
        }
      }
    }
  }

  @Test("routes that lead elsewhere cause no work, with few targets and with many")
  func elsewhere() throws {
    for count in [1, 400] {
      let lab = try NetlinkLab(NetlinkLab.routed)
      nonisolated(unsafe) let shared = lab
      try lab.inside {
        let targets = (0..<count).map { "198.51.\(100 + $0 / 200).\($0 % 200 + 7)" }
        let run = try MonitorRun(try .init(targets))
        run.run(for: .milliseconds(300))
        let before = run.monitor.evaluationCount
        try shared.run(
          """
          for i in $(seq 0 499); do echo "route add 198.18.$((i / 250)).$((i % 250))/32 dev v0"
          done | ip -n $ns -batch -
          """)
        run.run(for: .milliseconds(500))
        #expect(run.monitor.evaluationCount == before)
        #expect(run.resyncs.isEmpty)
        // One that leads to one target is the work of one.
        #expect(shared.ip("route add 198.51.100.7/32 via 192.0.2.9"))
        #expect(run.settles { $0.verdict.best.gateway == IPAddress(parsing: "192.0.2.9") })
        #expect(run.monitor.evaluationCount - before <= 4)
      }
    }
  }
}
