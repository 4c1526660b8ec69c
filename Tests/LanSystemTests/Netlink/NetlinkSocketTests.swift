import Foundation
import Glibc
import LanWire
import TestKit
import Testing

@testable import LanSystem

private func address(_ text: String) throws -> IPAddress {
  try #require(IPAddress(parsing: text))
}

@Suite(
  "The kernel is asked over netlink",
  .enabled(if: Lab.isPossible, Comment(rawValue: Lab.skipped)))
struct NetlinkSocketTests {
  static let script = """
    ip netns exec $ns sysctl -qw net.ipv6.conf.default.accept_dad=0
    ip -n $ns link add v0 type veth peer name v1; ip -n $ns link add br0 type bridge
    ip -n $ns link set v1 master br0
    for l in v0 v1 br0; do ip -n $ns link set $l up; done
    ip -n $ns addr add 192.0.2.1/24 dev v0; ip -n $ns addr add 2001:db8::1/64 dev v0
    ip -n $ns addr add 198.51.100.1 peer 198.51.100.2/32 dev br0 valid_lft 600 preferred_lft 300
    ip -n $ns route add default via 192.0.2.254; ip -n $ns -6 route add default via 2001:db8::ff
    ip -n $ns route add unreachable 203.0.113.0/26; ip -n $ns route add prohibit 203.0.113.64/26
    ip -n $ns route add blackhole 203.0.113.128/26
    ip -n $ns rule add fwmark 7 table 99 pref 90; ip -n $ns route add default dev br0 table 99
    ip -n $ns rule add uidrange 4000-4100 prohibit pref 91
    ip -n $ns neigh add 192.0.2.254 lladdr 02:00:00:00:00:fe dev v0
    """

  @Test("links are those that ip prints")
  func links() throws {
    let lab = try NetlinkLab(Self.script)
    let expected = try lab.ip("link show").map { link in
      let kind = (link["linkinfo"] as? [String: Any])?["info_kind"] as? String
      return [
        "\(link["ifindex"] ?? "")", "\(link["ifname"] ?? "")", "\(link["mtu"] ?? "")", kind ?? "",
        "\(link["operstate"] ?? "")", "\(link["master"] ?? "")", "\(link["address"] ?? "")",
      ]
    }
    try lab.inside {
      let dump = try NetlinkSocket().links()
      let names = Dictionary(uniqueKeysWithValues: dump.values.map { ($0.index, $0.name) })
      let states = ["UNKNOWN", "NOTPRESENT", "DOWN", "LOWERLAYERDOWN", "TESTING", "DORMANT", "UP"]
      let found = dump.values.map { link in
        [
          "\(link.index)", link.name, "\(link.mtu ?? 0)", link.kind,
          states[Int(link.state?.rawValue ?? 0)], link.master.flatMap { names[$0] } ?? "",
          link.mac.map { "\($0)" } ?? "",
        ]
      }
      #expect(dump.isConsistent && found == expected)
      let socket = try NetlinkSocket()
      #expect(try socket.link(2)?.name == names[2])
      #expect(try socket.link(4711) == nil)
    }
  }

  @Test("addresses and rules are those that ip prints")
  func addresses() throws {
    let lab = try NetlinkLab(Self.script)
    var expected: Set<String> = []
    for link in try lab.ip("addr show") {
      for info in link["addr_info"] as? [[String: Any]] ?? [] {
        let valid = (info["valid_life_time"] as? Int).map {
          $0 == 4_294_967_295 ? "for ever" : "\($0 / 60)"
        }
        expected.insert(
          "\(link["ifindex"] ?? "") \(info["local"] ?? "")/\(info["prefixlen"] ?? "") "
            + "\(info["address"] ?? info["local"] ?? "") \(valid ?? "")")
      }
    }
    let rules = try lab.ip("rule show").map { "\($0["priority"] ?? "") \($0["table"] ?? "")" }
    let wanted = expected
    try lab.inside {
      let socket = try NetlinkSocket()
      let found = try socket.addresses().values.map { value in
        let valid = value.validLifetime.map { "\($0 / 60)" } ?? "for ever"
        return "\(value.index) \(value.local.map { "\($0)" } ?? "")/\(value.prefixLength) "
          + "\(value.peer.map { "\($0)" } ?? "") \(valid)"
      }
      #expect(Set(found) == wanted && found.count == wanted.count)
      #expect(try socket.addresses(.ipv6).values.allSatisfy { $0.family == .ipv6 })
      let names: [UInt32: String] = [255: "local", 254: "main", 253: "default", 99: "99"]
      let list = try socket.rules(.ipv4).values.map { rule in
        "\(rule.priority) \(rule.action == .table ? names[rule.table] ?? "" : "")"
      }
      #expect(list == rules)
    }
  }

  @Test("route look-ups are those that ip prints, and refusals have their error numbers")
  func lookups() throws {
    let lab = try NetlinkLab(Self.script)
    let printed = try lab.ip("route get 198.18.0.1")[0]
    let marked = try lab.ip("route get 198.18.0.1 mark 7")[0]
    let gateway = "\(printed["gateway"] ?? "")"
    let source = "\(printed["prefsrc"] ?? "")"
    let device = "\(marked["dev"] ?? "")"
    try lab.inside {
      let socket = try NetlinkSocket()
      guard case .route(let route) = try socket.lookUp(RouteLookup(try address("198.18.0.1")))
      else { throw LabError(what: "no route") }
      #expect(route.gateway.map { "\($0)" } == gateway)
      #expect(route.preferredSource.map { "\($0)" } == source)
      var lookup = RouteLookup(try address("198.18.0.1"))
      lookup.mark = 7
      guard case .route(let other) = try socket.lookUp(lookup) else { throw LabError(what: "mark") }
      #expect(try socket.link(other.outputIndex ?? 0)?.name == device && other.table == 99)
      for (text, errno) in [
        ("203.0.113.1", EHOSTUNREACH), ("203.0.113.65", EACCES), ("203.0.113.129", EINVAL),
      ] {
        for matchesFIB in [false, true] {
          let answer = try socket.lookUp(RouteLookup(try address(text), matchesFIB: matchesFIB))
          #expect(answer == .refused(NetlinkErrorMessage(errno: errno, request: .getRoute)))
        }
      }
      lookup = RouteLookup(try address("198.18.0.1"))
      lookup.user = 4001
      #expect(
        try socket.lookUp(lookup)
          == .refused(NetlinkErrorMessage(errno: EACCES, request: .getRoute)))
    }
  }

  @Test("a wrong request is refused with the kernel's words (strict checking)")
  func strictChecking() throws {
    let lab = try NetlinkLab("")
    try lab.inside {
      let socket = try NetlinkSocket()
      try #require(socket.isStrict)
      // A dump of links whose header asks for one of them.
      var header = [UInt8](repeating: 0, count: 16)
      header[4] = 1
      header[8] = 1
      let request = NetlinkRequest(.getLink, flags: .dump, header: header)
      #expect {
        _ = try socket.dump(request, restarted: {}) { _, _ in }
      } throws: { error in
        guard case .refused(let refusal)? = error as? NetlinkError else { return false }
        return refusal.errno == EINVAL && !refusal.text.isEmpty
          && "\(error)".contains(refusal.text)
      }
      // The socket is as good as before.
      #expect(try socket.links().values.map(\.name) == ["lo"])
    }
  }

  @Test("neighbours, next hops and families that are not there are no error")
  func absent() throws {
    let lab = try NetlinkLab(Self.script + "\nip -n $ns nexthop add id 7 via 192.0.2.9 dev v0")
    try lab.inside {
      let socket = try NetlinkSocket()
      let links = try socket.links().values
      let index = try #require(links.first { $0.name == "v0" }?.index)
      let neighbour = try socket.neighbour(try address("192.0.2.254"), index: index)
      #expect(neighbour?.mac == MACAddress(bits: 0x0200_0000_00FE))
      #expect(neighbour?.state == .permanent)
      #expect(try socket.neighbour(try address("192.0.2.77"), index: index) == nil)
      #expect(try socket.neighbours(.ipv4, index: index).values.count == 1)
      #expect(try socket.nextHop(7)?.gateway == (try address("192.0.2.9")))
      #expect(try socket.nextHop(8) == nil)
      let generic = try NetlinkSocket(.generic)
      #expect(try generic.genericFamily("nlctrl")?.id == .genericController)
      #expect(try generic.genericFamily("no-such-family") == nil)
    }
  }

  @Test("2,000 look-ups are each answered, for their own target")
  func pipelined() throws {
    let lab = try NetlinkLab(Self.script)
    try lab.inside {
      let socket = try NetlinkSocket()
      // Every fifth target is refused.
      let lookups = (0..<2000).map { number in
        RouteLookup(
          .v4(
            IPv4Address(bits: (number % 5 == 0 ? 0xCB00_7100 : 0xC612_0000) + UInt32(number % 60))))
      }
      var answers = [Int](repeating: 0, count: lookups.count)
      var wrong = 0
      let start = MonotonicClock.now
      try socket.lookUp(lookups) { index, answer in
        answers[index] += 1
        switch answer {
        case .route(let route):
          if route.destination != lookups[index].destination || index % 5 == 0 { wrong += 1 }
        case .refused(let error): if error.errno != EHOSTUNREACH || index % 5 != 0 { wrong += 1 }
        case .malformed: wrong += 1
        }
      }
      print("2,000 look-ups took \((MonotonicClock.now - start) / 1000) us")
      #expect(answers.allSatisfy { $0 == 1 } && wrong == 0)
    }
  }

  @Test("a dump that changes interrupt again and again still has everything that did not change")
  func interruptedDumps() throws {
    let lab = try NetlinkLab(
      """
      ip -n $ns link add v0 type veth peer name v1; ip -n $ns link set v0 up
      for i in $(seq 0 7); do for j in $(seq 1 250); do
      echo "addr add 198.18.$i.$j/32 dev v0"; done; done | ip -n $ns -batch -
      """)
    let churn = """
      for i in $(seq 3000); do echo "addr add 203.0.113.1/32 dev v0"
      echo "addr del 203.0.113.1/32 dev v0"; done | ip -n \(lab.name) -batch -
      """
    try lab.inside {
      let writer = try ChildProcess.spawn("/bin/sh", ["-c", churn])
      let socket = try NetlinkSocket()
      var interrupted = 0
      for _ in 0..<60 {
        let dump = try socket.addresses(.ipv4)
        if !dump.isConsistent { interrupted += 1 }
        let stable = Set(
          dump.values.compactMap { value -> IPAddress? in
            if case .v4(let address)? = value.local, address.bits >> 16 == 0xC612 {
              value.local
            } else {
              nil
            }
          })
        #expect(stable.count == 2000)
      }
      _ = try ChildProcess.wait(for: writer)
      print("\(interrupted) of 60 dumps were interrupted in every attempt")
    }
  }
}
