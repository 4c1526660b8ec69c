import Glibc
import LanCore
import LanWire
import Testing

@testable import LanSystem

@Suite(
  "Multicast DNS sockets in network namespaces", .serialized, .timeLimit(.minutes(3)),
  .enabled(if: Lab.isPossible, Comment(rawValue: Lab.skipped)))
struct MDNSNodeTests {
  /// A message that means nothing: a response without records.
  private static let response: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  private func send(_ node: MDNSNode, _ bytes: [UInt8], on link: MDNSLink) {
    node.sockets?.send(
      MDNSPacket(bytes: bytes, interfaceIndex: link.index, families: link.families))
  }

  @Test(
    "a packet leaves each link over both families from its own address, port 5353, hop limit 255")
  func sends() throws {
    let lab = try Lab(cables: 2)
    let far = (try Peer(.ipv4, in: lab.far), try Peer(.ipv6, in: lab.far))
    try lab.inside {
      let reactor = try Reactor()
      let node = MDNSNode(on: reactor)
      try node.start()
      #expect(node.links.count == 2)
      for (number, link) in node.links.values.enumerated() {
        #expect(link.families == .both)
        #expect(link.mtu == 1_500)
        send(node, Self.response + [UInt8(number)], on: link)
      }
      #expect(node.sockets?.sent == 4)
      var seen: [Peer.Datagram] = []
      _ = try reactor.run {
        seen += (try? far.0.received()) ?? []
        seen += (try? far.1.received()) ?? []
        return seen.count >= 4
      }
      #expect(seen.count == 4)
      #expect(seen.allSatisfy { $0.info.hopLimit == 255 && $0.info.source.port == 5353 })
      for cable in 0..<2 {
        let index = far.0.indexes["v\(cable)"]
        let sources = seen.filter { $0.info.interfaceIndex == index }.map(\.info.source.address)
        #expect(sources.contains { $0 == IPAddress(parsing: "10.77.\(cable).1") })
        #expect(sources.contains { $0.isIPv6 && $0.isLinkLocal })
      }
      node.stop()
    }
  }

  @Test("what is sent to the groups on any link is heard, and nothing after the stop")
  func receives() throws {
    let lab = try Lab(cables: 2)
    let far = (try Peer(.ipv4, in: lab.far), try Peer(.ipv6, in: lab.far))
    try lab.inside {
      let reactor = try Reactor()
      let node = MDNSNode(on: reactor)
      let client = RecordingClient()
      node.add(client)
      try node.start()
      for cable in ["v0", "v1"] {
        try far.0.send(Self.response, on: cable)
        try far.1.send(Self.response, on: cable)
      }
      #expect(try reactor.run { node.statistics.received == 4 })
      let batches = client.batches
      #expect(batches >= 1)
      node.stop()
      #expect(client.links.isEmpty)
      try far.0.send(Self.response, on: "v0")
      try reactor.run(for: .milliseconds(50))
      #expect(node.statistics.received == 4)
      #expect(client.batches == batches)
    }
  }

  @Test("only the named interface is used, and it stays so under another name")
  func filter() throws {
    let lab = try Lab(cables: 2)
    let near = lab.near
    try lab.inside {
      let reactor = try Reactor()
      var configuration = MDNSNode.Configuration()
      configuration.interfaces = ["v1"]
      let node = MDNSNode(configuration, on: reactor)
      let client = RecordingClient()
      node.add(client)
      try node.start()
      #expect(client.links.values.map(\.name) == ["v1"])
      let index = client.links.keys.first
      #expect(Lab.shell("ip -n \(near) link set v1 name w1"))
      #expect(try reactor.run { client.link("w1") != nil })
      #expect(client.links.keys.first == index)
      #expect(client.log == ["set v1", "set w1"])
      node.stop()
    }
  }

  @Test("an unknown interface, and none that can be used, are said with what there is")
  func unknown() throws {
    let lab = try Lab()
    let near = lab.near
    try lab.inside {
      let reactor = try Reactor()
      var configuration = MDNSNode.Configuration()
      configuration.interfaces = ["v7"]
      let unknown = MDNSError.unknownInterface(name: "v7", available: ["lo", "v0"])
      #expect("\(unknown)" == "no interface 'v7'; there are lo, v0")
      #expect(throws: unknown) { try MDNSNode(configuration, on: reactor).start() }
      #expect(Lab.shell("ip -n \(near) link set v0 down"))
      let obstacles: [MDNSInterfaceObstacle] = [
        .init(interface: "lo", reason: .isLoopback), .init(interface: "v0", reason: .isDown),
      ]
      #expect(throws: MDNSError.noMulticastInterface(obstacles)) {
        try MDNSNode(on: reactor).start()
      }
      // Whoever can wait is told when it comes.
      configuration.requiresInterface = false
      let node = MDNSNode(configuration, on: reactor)
      let client = RecordingClient()
      node.add(client)
      try node.start()
      #expect(client.links.isEmpty)
      #expect(Lab.shell("ip -n \(near) link set v0 name v7; ip -n \(near) link set v7 up"))
      #expect(try reactor.run { client.link("v7") != nil })
      node.stop()
    }
  }

  @Test("down and up, carrier lost, removed and added: the link goes and comes with its groups")
  func linkChanges() throws {
    let lab = try Lab()
    let far = try Peer(.ipv4, in: lab.far)
    let (near, other) = (lab.near, lab.far)
    try lab.inside {
      let reactor = try Reactor()
      let node = MDNSNode(on: reactor)
      let client = RecordingClient()
      node.add(client)
      try node.start()
      func isHeard() throws -> Bool {
        let before = node.statistics.received
        try far.send(Self.response, on: "v0")
        return try reactor.run(seconds: 1) { node.statistics.received == before + 1 }
      }
      #expect(try isHeard())
      #expect(Lab.shell("ip -n \(near) link set v0 down"))
      #expect(try reactor.run { client.links.isEmpty })
      #expect(Lab.shell("ip -n \(near) link set v0 up"))
      #expect(try reactor.run { client.link("v0")?.families == .both })
      #expect(try isHeard())
      #expect(Lab.shell("ip -n \(other) link set v0 down"))
      #expect(try reactor.run { client.links.isEmpty })
      #expect(Lab.shell("ip -n \(other) link set v0 up"))
      #expect(try reactor.run { client.link("v0") != nil })
      #expect(try isHeard())
      // Too fast to be seen as down: what was known is old all the same.
      client.log = []
      #expect(Lab.shell("ip -n \(near) link set v0 down; ip -n \(near) link set v0 up"))
      #expect(try reactor.run { client.log.contains("remove v0") && client.link("v0") != nil })
      #expect(try isHeard())
      #expect(Lab.shell("ip -n \(near) link del v0"))
      #expect(try reactor.run { client.links.isEmpty })
      #expect(
        Lab.shell(
          """
          set -e
          ip -n \(near) link add v0 type veth peer name v0 netns \(other)
          ip -n \(near) addr add 10.77.0.1/24 dev v0; ip -n \(other) addr add 10.77.0.2/24 dev v0
          ip -n \(near) link set v0 up; ip -n \(other) link set v0 up
          """))
      #expect(try reactor.run { client.link("v0")?.families == .both })
      #expect(client.diagnostics.isEmpty)
      node.stop()
    }
    let again = try Peer(.ipv4, in: lab.far)
    #expect(again.indexes["v0"] != nil)
  }

  @Test("an address that comes later adds its family, and one that goes takes it away")
  func addresses() throws {
    let lab = try Lab()
    let near = lab.near
    try lab.inside {
      let reactor = try Reactor()
      #expect(Lab.shell("ip -n \(near) addr flush dev v0"))
      let node = MDNSNode(on: reactor)
      let client = RecordingClient()
      node.add(client)
      try node.start()
      #expect(client.links.isEmpty)
      #expect(Lab.shell("ip -n \(near) addr add 10.77.0.1/24 dev v0"))
      #expect(try reactor.run { client.link("v0")?.families == .ipv4 })
      #expect(client.link("v0")?.prefixes.map(\.length) == [24])
      #expect(Lab.shell("ip -n \(near) addr add fe80::77/64 dev v0 nodad"))
      #expect(try reactor.run { client.link("v0")?.families == .both })
      #expect(Lab.shell("ip -n \(near) addr del 10.77.0.1/24 dev v0"))
      #expect(try reactor.run { client.link("v0")?.families == .ipv6 })
      #expect(Lab.shell("ip -n \(near) addr add 10.77.0.9/24 dev v0"))
      #expect(try reactor.run { client.link("v0")?.families == .both })
      #expect(client.diagnostics.isEmpty)
      node.stop()
    }
  }

  @Test(
    "25 interfaces are heard, though a socket may join 20 groups only", arguments: [false, true])
  func manyInterfaces(isShared: Bool) throws {
    let lab = try Lab(cables: 25)
    let far = (try Peer(.ipv4, in: lab.far), try Peer(.ipv6, in: lab.far))
    let other = isShared ? try Peer(.ipv4, in: lab.near) : nil
    try lab.inside {
      let reactor = try Reactor()
      let node = MDNSNode(on: reactor)
      try node.start()
      #expect(node.isPortShared == isShared)
      #expect(node.links.values.filter { $0.families == .both }.count == 25)
      for cable in 0..<25 {
        try far.0.send(Self.response, on: "v\(cable)")
        try far.1.send(Self.response, on: "v\(cable)")
      }
      #expect(try reactor.run { node.statistics.received >= 50 })
      try reactor.run(for: .milliseconds(50))
      #expect(node.statistics.received == 50)
      node.stop()
    }
    _ = other
  }

  @Test("3,000 datagrams that come while nobody reads are all there afterwards") func burst() throws
  {
    let lab = try Lab()
    let far = try Peer(.ipv4, in: lab.far)
    try lab.inside {
      let reactor = try Reactor()
      let node = MDNSNode(on: reactor)
      let client = RecordingClient()
      node.add(client)
      try node.start()
      let bytes = Self.response + [UInt8](repeating: 0, count: 1_300)
      for _ in 0..<3_000 { try far.send(bytes, on: "v0") }
      #expect(try reactor.run { node.statistics.received + node.statistics.lost >= 3_000 })
      #expect(node.statistics.lost == 0)
      #expect(client.batches < 10, "one batch for what was at hand, not \(client.batches)")
      node.stop()
    }
  }

  @Test("datagrams that find no room, or are larger than allowed, are counted and told")
  func losses() throws {
    let lab = try Lab()
    let far = try Peer(.ipv4, in: lab.far)
    try lab.inside {
      let reactor = try Reactor()
      var configuration = MDNSNode.Configuration()
      configuration.receiveBuffer = 100_000
      let node = MDNSNode(configuration, on: reactor)
      let client = RecordingClient()
      node.add(client)
      try node.start()
      let bytes = Self.response + [UInt8](repeating: 0, count: 1_300)
      for _ in 0..<500 { try far.send(bytes, on: "v0") }
      #expect(try reactor.run { node.statistics.lost > 0 })
      #expect(node.statistics.received + node.statistics.lost == 500)
      #expect(client.diagnostics.contains(.datagramsLost(node.statistics.lost)))
      try far.send([UInt8](repeating: 0, count: 9_217), on: "v0")
      #expect(try reactor.run { node.statistics.tooLarge == 1 })
      #expect(client.diagnostics.last == .datagramsTooLarge(1))
      node.stop()
    }
  }

  @Test("a quiet network wakes nobody") func idle() throws {
    let lab = try Lab()
    try lab.inside {
      let reactor = try Reactor()
      let node = MDNSNode(on: reactor)
      try node.start()
      // IPv6's own membership traffic ends.
      try reactor.run(for: .milliseconds(200))
      let before = node.statistics
      try reactor.run(for: .seconds(1))
      #expect(node.statistics == before)
      node.stop()
    }
  }
}
