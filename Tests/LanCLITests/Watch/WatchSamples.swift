import LanCore
import LanSystem
import LanWire

@testable import LanCLI

/// Verdicts made by hand, for renderers.
enum WatchSamples {
  static let moment = WatchMoment(wall: 1_796_000_000_123_456_789, monotonic: 5_000_000_000)

  static func address(_ text: String) -> IPAddress {
    IPAddress(parsing: text) ?? .v4(IPv4Address(bits: 0))
  }

  /// A way over `v0` by a gateway.
  static func way(
    _ flags: ReachabilityFlags = [.reachable], medium: Medium = .ethernet,
    source: String? = "192.0.2.10", gateway: String? = "192.0.2.1"
  ) -> WayVerdict {
    var way = WayVerdict()
    way.flags = flags
    way.status = ReachabilityStatus(flags)
    way.interface = InterfaceName(index: 7, name: "v0")
    way.medium = medium
    way.source = source.map(address)
    way.gateway = gateway.map(address)
    return way
  }

  /// No way, for a reason.
  static func noWay(_ reason: VerdictReason, on name: String? = nil) -> WayVerdict {
    var way = WayVerdict()
    way.reason = reason
    if let name {
      way.interface = InterfaceName(index: 7, name: name)
      way.medium = .ethernet
    }
    return way
  }

  /// Reachable by IPv4, not by IPv6.
  static var reachable: Verdict {
    let way = way()
    return Verdict(
      best: way, ipv4: way, ipv6: noWay(.noRoute),
      why: [
        WhyFact(
          .route, .supports, isIPv6: false, subject: .prefix(.all(isIPv6: false)),
          values: [
            .init("kind", .text("unicast")), .init("table", .number(254)),
            .init("protocol", .number(16)), .init("metric", .number(100)),
          ]),
        WhyFact(
          .link, .supports, isIPv6: false, subject: .interface("v0"),
          values: [
            .init("medium", .text("ethernet")), .init("up", .flag(true)),
            .init("carrier", .flag(true)), .init("operState", .text("up")),
          ]),
        WhyFact(
          .noRoute, .decides, isIPv6: true, values: [.init("reason", .text("no-route"))]),
      ])
  }

  static var noCarrier: Verdict {
    let way = noWay(.noCarrier, on: "v0")
    return Verdict(best: way, ipv4: way, ipv6: noWay(.noRoute))
  }

  static func report(
    _ verdict: Verdict, target: ReachabilityTarget = .defaultPath, number: Int = 0,
    from previous: Verdict? = nil, cause: ChangeCause = .start, at time: Int64 = 5_000_000_000
  ) -> ReachabilityReport {
    ReachabilityReport(
      target: number, question: ReachabilityQuestion(target), verdict: verdict,
      previous: previous, cause: cause, time: time, suppressedChanges: 0)
  }

  /// What `body` writes.
  static func written(_ body: (inout OutputBuffer) -> Void) -> String {
    var out = OutputBuffer()
    body(&out)
    return out.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
  }
}
