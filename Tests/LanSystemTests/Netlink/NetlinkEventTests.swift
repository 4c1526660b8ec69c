import Foundation
import Glibc
import LanWire
import TestKit
import Testing

@testable import LanSystem

@Suite(
  "The kernel tells of changes over netlink",
  .enabled(if: Lab.isPossible, Comment(rawValue: Lab.skipped)))
struct NetlinkEventTests {
  static let script = """
    ip -n $ns link add v0 type veth peer name v1
    ip -n $ns link set v0 up; ip -n $ns link set v1 up; ip -n $ns addr add 192.0.2.1/24 dev v0
    """
  static let routes = """
    for i in $(seq 0 1); do for j in $(seq 0 249); do
    echo "route add 198.18.$i.$j/32 dev v0"; done; done | ip -n $ns -batch -
    """

  /// What came, gathered until the loop was stopped.
  final class Gathered {
    var events: [RouteNetlinkEvent] = []
    var overruns = 0
    var batches = 0
  }

  private func gather(
    _ source: NetlinkEventSource, linger: Duration = .zero, for time: Duration,
    until isDone: @escaping (Gathered) -> Bool
  ) throws -> Gathered {
    let reactor = try Reactor()
    let gathered = Gathered()
    try source.start(
      on: reactor, linger: linger,
      onMessage: { message, bytes in
        if let event = try? RouteNetlinkEvent(message, in: bytes) { gathered.events.append(event) }
      },
      onBatch: { batch in
        gathered.batches += 1
        if batch.isOverrun { gathered.overruns += 1 }
        if isDone(gathered) { reactor.stop() }
      })
    reactor.schedule(after: time) { reactor.stop() }
    try reactor.run()
    source.stop()
    return gathered
  }

  @Test("links, addresses and routes that come and go are told in order")
  func changes() throws {
    let lab = try NetlinkLab(Self.script)
    let name = lab.name
    try lab.inside {
      let source = try NetlinkEventSource(groups: NetlinkGroup.facts + NetlinkGroup.routes)
      Lab.shell(
        """
        ip -n \(name) addr add 192.0.2.9/24 dev v0; ip -n \(name) route add 203.0.113.0/24 dev v0
        ip -n \(name) rule add fwmark 1 table 9; ip -n \(name) addr del 192.0.2.9/24 dev v0
        ip -n \(name) link del v0
        """)
      let gathered = try gather(source, for: .seconds(5)) { gathered in
        gathered.events.filter { if case .linkRemoved = $0 { true } else { false } }.count == 2
      }
      let words = gathered.events.compactMap { event -> String? in
        switch event {
        case .address(let value) where value.family == .ipv4:
          "+\(value.local.map { "\($0)" } ?? "")"
        case .addressRemoved(let value) where value.family == .ipv4:
          "-\(value.local.map { "\($0)" } ?? "")"
        case .route(let value) where value.destinationLength == 24: "+route"
        case .rule: "+rule"
        case .linkRemoved(let value): "-\(value.name)"
        default: nil
        }
      }
      #expect(
        words == ["+192.0.2.9", "+route", "+rule", "-192.0.2.9", "-192.0.2.1", "-v1", "-v0"]
          || words == ["+192.0.2.9", "+route", "+rule", "-192.0.2.9", "-192.0.2.1", "-v0", "-v1"])
      #expect(gathered.overruns == 0 && source.forged == 0)
    }
  }

  @Test("lost events are told once, after the queue is empty, and later ones come again")
  func overrun() throws {
    let lab = try NetlinkLab(Self.script)
    let name = lab.name
    try lab.inside {
      let source = try NetlinkEventSource(groups: NetlinkGroup.routes, receiveBuffer: 4096)
      Lab.shell("ns=\(name); \(Self.routes)")
      var gathered = try gather(source, for: .seconds(5)) { $0.overruns > 0 }
      #expect(gathered.overruns == 1 && source.overruns == 1)
      #expect(gathered.events.count < 500)
      // The present state has all that was missed.
      var count = 0
      let isConsistent = try NetlinkSocket().dump(.routes(.ipv4), restarted: { count = 0 }) {
        message, bytes in
        if let prefix = try? RoutePrefix(message, in: bytes), prefix.length == 32,
          case .v4(let value)? = prefix.destination, value.bits >> 17 == 0x6309
        {
          count += 1
        }
      }
      #expect(isConsistent && count == 500)
      Lab.shell("ip -n \(name) route del 198.18.0.7/32 dev v0")
      gathered = try gather(source, for: .seconds(5)) { !$0.events.isEmpty }
      #expect(gathered.events.count == 1 && gathered.overruns == 0)
    }
  }

  @Test("with a linger, a storm costs a few wake-ups and the last change is still told")
  func linger() throws {
    let lab = try NetlinkLab(Self.script)
    let name = lab.name
    try lab.inside {
      let source = try NetlinkEventSource(groups: NetlinkGroup.routes, receiveBuffer: 65536)
      let storm = try ChildProcess.spawn(
        "/bin/sh",
        ["-c", "ns=\(name); \(Self.routes); ip -n $ns route add 203.0.113.77/32 dev v0"])
      let gathered = try gather(source, linger: .milliseconds(20), for: .seconds(5)) { gathered in
        // Either the last route, or the word that it may have been among the lost ones.
        gathered.overruns > 0
          || gathered.events.contains {
            if case .route(let route) = $0 {
              "\(route.destination ?? .v4(.mdnsGroup))" == "203.0.113.77"
            } else {
              false
            }
          }
      }
      _ = try ChildProcess.wait(for: storm)
      #expect(gathered.batches < 50)
    }
  }

  @Test("messages of other processes are ignored, also when they look like the kernel's")
  func forged() throws {
    let lab = try NetlinkLab(Self.script)
    let name = lab.name
    try lab.inside {
      let source = try NetlinkEventSource(groups: NetlinkGroup.facts)
      let forger = """
        import socket, struct
        s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        s.sendto(struct.pack("<IHHIIBBHiII", 32, 17, 0, 0, 0, 0, 0, 1, 2, 0, 0), (\(source.port), 0))
        """
      let isSent = Lab.shell("ip netns exec \(name) python3 -c '\(forger)'")
      try #require(isSent)
      Lab.shell("ip -n \(name) link set v0 mtu 1400")
      let gathered = try gather(source, for: .seconds(5)) { !$0.events.isEmpty }
      #expect(source.forged == 1)
      let isClean = gathered.events.allSatisfy {
        if case .linkRemoved = $0 { false } else { true }
      }
      #expect(isClean && !gathered.events.isEmpty)
    }
  }

  private func hearsRoute(_ source: NetlinkEventSource) -> Bool {
    var isHeard = false
    _ = source.receive { message, _ in
      if message.header.type == .newRoute || message.header.type == .deleteRoute { isHeard = true }
    }
    return isHeard
  }

  @Test("the kernel drops the events of routes that cannot matter, and only those")
  func filtered() throws {
    let lab = try NetlinkLab(
      Self.script + "\nip netns exec $ns sysctl -qw net.ipv6.conf.v0.accept_dad=0"
        + "\nip -n $ns addr add 2001:db8:ffff::1/64 dev v0 nodad")
    let name = lab.name
    try lab.inside {
      let source = try NetlinkEventSource(groups: NetlinkGroup.facts + NetlinkGroup.routes)
      let targets = ["198.18.1.77", "203.0.113.9", "2001:db8:1:2:8000::9", "2001:db8:5::1"]
      let prefixes: [(String, Bool)] = [
        ("198.18.1.77/32", true), ("198.18.1.76/32", false), ("198.18.1.64/27", true),
        ("198.18.1.0/26", false), ("198.0.0.0/8", true), ("128.0.0.0/1", true),
        ("0.0.0.0/1", false), ("203.0.113.8/31", true), ("203.0.113.10/31", false),
        ("2001:db8:1:2::/64", true), ("2001:db8:1:2:8000::/65", true),
        ("2001:db8:1:2::/65", false), ("2001:db8:1::/48", true), ("2001:db8:2::/48", false),
        ("2001:db8:5::1/128", true), ("2001:db8:5::2/128", false), ("2000::/3", true),
        ("2001:db8:1:2:8000::8/126", true), ("2001:db8:1:2:8000::c/126", false),
        ("2001:db8:1:2:8000::/96", true), ("2001:db8:1:2:8000:1::/96", false),
        ("default", true),
      ]
      #expect(source.hearRoutes(to: try targets.map { try #require(IPAddress(parsing: $0)) }))
      for (prefix, isHeard) in prefixes {
        Lab.shell("ip -n \(name) route add \(prefix) dev v0")
        #expect(hearsRoute(source) == isHeard, "\(prefix)")
        Lab.shell("ip -n \(name) route del \(prefix) dev v0")
        #expect(hearsRoute(source) == isHeard, "\(prefix) removed")
      }
      Lab.shell("ip -n \(name) link set v0 mtu 1400")
      #expect(source.receive { _, _ in }.messages > 0)
      #expect(!source.hearRoutes(to: nil))
      Lab.shell("ip -n \(name) route add 192.88.99.1/32 dev v0")
      #expect(hearsRoute(source))
      let many = (0..<129).map { IPAddress.v4(IPv4Address(bits: $0)) }
      #expect(!source.hearRoutes(to: many) && source.hearRoutes(to: many.dropLast()))
    }
  }
}
