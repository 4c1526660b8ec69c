import Foundation
import Glibc
import LanWire
import Synchronization
import Testing

@testable import LanSystem

@Suite(
  "Multicast sockets in network namespaces", .serialized, .timeLimit(.minutes(2)),
  .enabled(if: Lab.isPossible, Comment(rawValue: Lab.skipped)))
struct MulticastSocketTests {
  @Test("joining shows in the kernel's lists of both families, leaving takes it out again")
  func membership() throws {
    let lab = try Lab()
    try lab.inside {
      let interface = try #require(try InterfaceList.named("v0"))
      func joined(_ file: String, _ group: String) -> Bool {
        (try? String(contentsOfFile: "/proc/thread-self/net/\(file)", encoding: .utf8))?
          .contains(group) == true
      }
      let v4 = "FB0000E0"
      let v6 = "ff0200000000000000000000000000fb"
      #expect(!joined("igmp", v4) && !joined("igmp6", v6))
      let membership = MulticastMembership()
      #expect(membership.join(interface).isEmpty)
      #expect(membership.join(interface).isEmpty)
      #expect(joined("igmp", v4) && joined("igmp6", v6))
      membership.leave(interface.index)
      #expect(!joined("igmp", v4) && !joined("igmp6", v6))
      #expect(membership.join(interface).isEmpty)
    }
    try lab.inside {
      let text = try String(contentsOfFile: "/proc/thread-self/net/igmp", encoding: .utf8)
      #expect(!text.contains("FB0000E0"))
      // IPv6 off: that family fails with the interface's name, the other one works.
      let path = "/proc/sys/net/ipv6/conf/v0/disable_ipv6"
      let membership = MulticastMembership()
      if (try? "1".write(toFile: path, atomically: false, encoding: .utf8)) != nil {
        let interface = try #require(try InterfaceList.named("v0"))
        let failures = membership.join(interface)
        #expect(failures.allSatisfy { $0.interface == "v0" && $0.group.isIPv6 })
      }
    }
  }

  @Test("more groups than one socket may hold are joined by several") func manyGroups() throws {
    let lab = try Lab()
    try lab.inside {
      let interface = try #require(try InterfaceList.named("v0"))
      let groups = (1...50).map {
        MulticastSocketCapture.Group(.v4(.init(bits: 0xEF01_0000 + $0)), port: 1)
      }
      #expect(MulticastMembership(groups: groups.map(\.address)).join(interface).isEmpty)
    }
  }

  @Test("without any privilege, joined sockets hear both groups") func socketCapture() async throws
  {
    let lab = try Lab()
    let names = [lab.near, lab.far]
    // The sender needs root, so it is started beside the process that has given that up.
    let far = lab.far
    let sender = try WorkerThread {
      for _ in 0..<10 {
        Lab.send(from: far, "v0", .v4)
        Lab.send(from: far, "v0", .v6)
        usleep(300_000)
      }
    }
    await #expect(processExitsWith: .exitCode(0)) { [names = names as [String]] in
      try NetworkNamespace.enter(names[0])
      guard setuid(65534) == 0, !Privilege.holds(.netRaw) else { exit(3) }
      let reactor = try Reactor()
      var families: Set<Bool> = []
      let capture = try MulticastSocketCapture(
        groups: MulticastSocketCapture.Group.mdns, interfaces: try InterfaceList.multicast(),
        on: reactor
      ) { bytes, info in
        let isRight =
          info.source.port == 5353 && info.destination.address.isMDNSGroup
          && info.destination.port == 5353 && info.hopLimit == 255 && bytes.count == 36
          && InterfaceList.name(of: info.interfaceIndex) == "v0" && !info.isTruncated
          && abs(WallClock.now - info.time) < 200_000_000
        guard isRight else { exit(4) }
        families.insert(info.source.address.isIPv6)
        if families.count == 2 { reactor.stop() }
      }
      guard capture.failures.isEmpty, capture.socketCount == 2 else { exit(5) }
      reactor.schedule(after: .seconds(10)) { exit(6) }
      try reactor.run()
      exit(0)
    }
    sender.join()
  }

  @Test("a listening socket takes no unicast away from another stack on the port")
  func noStealing() throws {
    let lab = try Lab()
    try lab.inside {
      let reactor = try Reactor()
      var stolen = 0
      let stack = try DatagramSocket(.ipv4, isShared: true)
      try stack.bind(to: SocketEndpoint(.v4(.init(bits: 0)), port: 5353))
      let capture = try MulticastSocketCapture(
        groups: MulticastSocketCapture.Group.mdns, interfaces: try InterfaceList.multicast(),
        on: reactor
      ) { _, _ in stolen += 1 }
      let batch = try #require(DatagramBatch(capacity: 64, size: 512))
      let own = SocketEndpoint(.v4(.init(bits: 0x0A4D_0001)), port: 5353)
      // Different source ports, as the kernel picks among sharing sockets by a hash over them.
      for _ in 0..<32 {
        let sender = try DatagramSocket(.ipv4)
        let payload: [UInt8] = [1, 2, 3]
        #expect(try sender.send(payload.span, to: own))
      }
      reactor.schedule(after: .milliseconds(20)) { reactor.stop() }
      try reactor.run()
      #expect(try stack.receive(into: batch) == 32)
      #expect(stolen == 0)
      capture.stop()
    }
  }

  @Test("the list of interfaces has names, flags and addresses") func interfaces() throws {
    let lab = try Lab(cables: 2)
    try lab.inside {
      let list = try InterfaceList.all()
      #expect(list.map(\.name).sorted() == ["lo", "v0", "v1"])
      let v0 = try #require(list.first { $0.name == "v0" })
      #expect(v0.isUp && v0.isMulticast && !v0.isLoopback && v0.mac != nil)
      #expect(v0.addresses.contains(.init(.v4(.init(bits: 0x0A4D_0001)), prefixLength: 24)))
      #expect(v0.addresses.contains { $0.address.isLinkLocal && $0.prefixLength == 64 })
      #expect(try InterfaceList.multicast().map(\.name).sorted() == ["v0", "v1"])
      #expect(InterfaceList.name(of: v0.index) == "v0")
    }
  }

  @Test("a datagram leaves by the interface and from the address that it was told to")
  func sending() throws {
    let lab = try Lab(cables: 2)
    let far = lab.far
    try lab.inside {
      let interface = try #require(try InterfaceList.named("v1"))
      let socket = try DatagramSocket(.ipv4, isShared: true)
      try socket.setHopLimit(255)
      try socket.bind(to: SocketEndpoint(.v4(.init(bits: 0)), port: 5353))
      let heard = Mutex<[DatagramInfo]>([])
      let thread = try WorkerThread {
        do {
          try NetworkNamespace.enter(far)
          let reactor = try Reactor()
          let capture = try MulticastSocketCapture(
            groups: MulticastSocketCapture.Group.mdns, interfaces: try InterfaceList.multicast(),
            on: reactor
          ) { _, info in
            heard.withLock { $0.append(info) }
            reactor.stop()
          }
          reactor.schedule(after: .seconds(5)) { reactor.stop() }
          try reactor.run()
          capture.stop()
        } catch { Issue.record(error) }
      }
      let payload: [UInt8] = [1, 2, 3]
      let group = SocketEndpoint(.v4(.mdnsGroup), port: 5353)
      for _ in 0..<100 where heard.withLock({ $0.isEmpty }) {
        #expect(try socket.send(payload.span, to: group, interfaceIndex: interface.index))
        usleep(20_000)
      }
      thread.join()
      let info = try #require(heard.withLock { $0.first })
      #expect(info.source.description == "10.77.1.1:5353")
      #expect(info.hopLimit == 255)
    }
  }
}
