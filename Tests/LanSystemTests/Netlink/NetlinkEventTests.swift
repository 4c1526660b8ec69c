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
}
