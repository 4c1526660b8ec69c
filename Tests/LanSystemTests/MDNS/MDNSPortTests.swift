import Glibc
import LanCore
import LanWire
import Testing

@testable import LanSystem

@Suite("Who has port 5353") struct MDNSPortUseTests {
  private static let table = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       1: 00000000:14E9 00000000:0000 07 00000000:00000000 00:00000000 00000000   115        0 28034 2
       2: 00000000:14EA 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 28035 2
       3: FB0000E0:14E9 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 28036 2
       4: cut
    """
  private static let table6 = """
      sl  local_address                         remote_address
       1: 000002FF00000000 cut
       2: 000002FF0000000000000000FB000000:14E9 00000000000000000000000000000000:0000 07 0:0 0:0 0 7 0 9 2
    """

  @Test("the kernel's tables are read, and lines of other ports left alone") func tables() {
    let entries = SocketTable.entries(on: 5_353, in: Self.table)
    #expect(entries.map(\.inode) == [28_034, 28_036])
    #expect(entries.map(\.user) == [115, 1_000])
    #expect(entries.map { "\($0.address)" } == ["0.0.0.0", "224.0.0.251"])
    let entries6 = SocketTable.entries(on: 5_353, in: Self.table6)
    #expect(entries6.map { "\($0.address)" } == ["ff02::fb"])
  }
}

@Suite(
  "Multicast DNS beside other stacks", .serialized, .timeLimit(.minutes(2)),
  .enabled(if: Lab.isPossible, Comment(rawValue: Lab.skipped)))
struct MDNSPortTests {
  private static let response: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  @Test("alone, unicast to port 5353 is heard") func alone() throws {
    let lab = try Lab()
    let far = try Peer(.ipv4, in: lab.far)
    try lab.inside {
      let reactor = try Reactor()
      let node = MDNSNode(on: reactor)
      try node.start()
      #expect(!node.isPortShared)
      try far.send(Self.response, to: "10.77.0.1")
      #expect(try reactor.run { node.statistics.received == 1 })
      node.stop()
    }
  }

  @Test("beside another stack all unicast is left to that, and multicast is heard by both")
  func shared() throws {
    let lab = try Lab()
    let far = try (0..<16).map { try Peer(.ipv4, in: lab.far, port: 20_000 + $0) }
    let other = try Peer(.ipv4, in: lab.near)
    try lab.inside {
      let reactor = try Reactor()
      let node = MDNSNode(on: reactor)
      try node.start()
      #expect(node.isPortShared)
      #expect(!node.querier.configuration.mayAskUnicast)
      // Many ports, so that the kernel would spread them over sockets if it could.
      for peer in far { try peer.send(Self.response, to: "10.77.0.1") }
      try far[0].send(Self.response, on: "v0")
      #expect(try reactor.run { node.statistics.received == 1 })
      try reactor.run(for: .milliseconds(50))
      #expect(node.statistics.received == 1)
      #expect(try other.received().count == 17)
      node.stop()
    }
  }

  @Test("a second node of this program is another stack, and the first keeps its unicast")
  func two() throws {
    let lab = try Lab()
    let far = try Peer(.ipv4, in: lab.far)
    try lab.inside {
      let reactor = try Reactor()
      let (first, second) = (MDNSNode(on: reactor), MDNSNode(on: reactor))
      try first.start()
      try second.start()
      #expect(!first.isPortShared)
      #expect(second.isPortShared)
      try far.send(Self.response, to: "10.77.0.1")
      try far.send(Self.response, on: "v0")
      #expect(try reactor.run { first.statistics.received == 2 })
      #expect(try reactor.run { second.statistics.received == 1 })
      first.stop()
      second.stop()
    }
  }

  @Test("a port that is held alone names its holder and what to do", arguments: [false, true])
  func exclusive(isIPv6: Bool) throws {
    let lab = try Lab()
    try lab.inside {
      let reactor = try Reactor()
      let holder = try DatagramSocket(isIPv6 ? .ipv6 : .ipv4)
      let everything: IPAddress =
        isIPv6 ? .v6(IPv6Address(high: 0, low: 0)) : .v4(IPv4Address(bits: 0))
      try holder.bind(to: SocketEndpoint(everything, port: 5353))
      let node = MDNSNode(on: reactor)
      do {
        try node.start()
        Issue.record("the port could be taken")
      } catch MDNSError.portInUse(let holder) {
        #expect(holder?.pid == getpid())
        #expect(holder?.process?.isEmpty == false)
        #expect("\(MDNSError.portInUse(holder))".contains("(process \(getpid()))"))
      } catch {
        Issue.record("\(error)")
      }
      #expect(!node.isRunning)
      #expect(node.links.isEmpty)
      withExtendedLifetime(holder) {}
    }
  }

  @Test("a holder of one address only leaves the groups to us") func singleAddress() throws {
    let lab = try Lab()
    let far = try Peer(.ipv4, in: lab.far)
    try lab.inside {
      let reactor = try Reactor()
      let holder = try DatagramSocket(.ipv4)
      try holder.bind(to: SocketEndpoint(.v4(IPv4Address(bits: 0x0A4D_0001)), port: 5353))
      let node = MDNSNode(on: reactor)
      try node.start()
      #expect(node.isPortShared)
      try far.send(Self.response, on: "v0")
      #expect(try reactor.run { node.statistics.received == 1 })
      node.stop()
      withExtendedLifetime(holder) {}
    }
  }
}
