import Foundation
import Glibc
import LanCore
import LanWire
import TestKit
import Testing

@testable import LanSystem

@Suite(
  "A service publisher on a link", .serialized, .timeLimit(.minutes(2)),
  .enabled(if: Lab.isPossible, Comment(rawValue: Lab.skipped)))
struct ServicePublisherTests {
  private static let type = "_witap2._tcp.local"

  @Test("published once on all links, goodbye over both families before it did stop, and again")
  func order() throws {
    try Lab(cables: 2).hearing { far, reactor in
      let publisher = ServicePublisher(.deck(), on: reactor)
      let log = PublisherLog(publisher)
      try publisher.publish()
      #expect(throws: ServicePublisherError.alreadyActive) { try publisher.publish() }
      #expect(try reactor.run(hearing: far) { log.lines.count == 2 })
      #expect(log.lines == ["will publish", "did publish Deck on v0 v1"])
      #expect(log.services.first?.host == (try DNSName("lab.local")))
      #expect(log.services.first?.isHostForeign == false)
      #expect(publisher.name?.instance == Array("Deck".utf8))
      var hasStopped = false
      far.forget()
      publisher.stop { hasStopped = true }
      #expect(!hasStopped && publisher.isPublishing)
      #expect(try reactor.run(hearing: far) { hasStopped })
      #expect(log.lines.last == "did stop" && !publisher.isPublishing)
      far.listen()
      let goodbyes = far.responses.filter {
        $0.message.answers.contains { $0.data.type == .ptr && $0.ttl == 0 }
      }
      #expect(Set(goodbyes.map(\.info.interfaceIndex)).count == 2)
      #expect(Set(goodbyes.map(\.info.source.address.isIPv6)).count == 2)
      #expect(publisher.node.publishing == nil && !publisher.node.isRunning)

      try publisher.publish()
      #expect(try reactor.run(hearing: far) { log.lines.last == "did publish Deck on v0 v1" })
      publisher.stop()
      #expect(try reactor.run { !publisher.isPublishing })
    }
  }

  @Test("what makes no sense, and no interface, are told with nothing begun or sent")
  func refused() throws {
    try Lab().hearing { far, reactor in
      var configuration = ServicePublisher.Configuration.deck(String(repeating: "a", count: 64))
      let long = ServicePublisher(configuration, on: reactor)
      let first = PublisherLog(long)
      #expect(throws: ServicePublisherError.self) { try long.publish() }
      #expect(first.lines == ["did not publish -72004"] && !long.isPublishing)
      configuration = .deck()
      configuration.interfaces = ["v7"]
      let nowhere = ServicePublisher(configuration, on: reactor)
      let second = PublisherLog(nowhere)
      #expect(throws: ServicePublisherError.self) { try nowhere.publish() }
      #expect(second.lines == ["will publish", "did not publish -72004"])
      try reactor.run(for: .milliseconds(300))
      far.listen()
      #expect(far.heard.isEmpty)
    }
  }

  @Test("publishers share a node and a host; each goes with its own goodbye, TXT changes by itself")
  func shared() throws {
    try Lab().hearing { far, reactor in
      let node = MDNSNode(on: reactor)
      let one = ServicePublisher(.deck("One"), node: node)
      let two = ServicePublisher(.deck("Two", host: nil), node: node)
      let logs = [PublisherLog(one), PublisherLog(two)]
      try one.publish()
      try two.publish()
      #expect(try reactor.run(hearing: far) { logs.allSatisfy { $0.services.count == 1 } })
      #expect(logs.map { $0.services[0].host.description } == ["lab.local", "lab.local"])
      let other = ServicePublisher(.deck("Three", host: "other"), node: node)
      #expect(throws: ServicePublisherError.self) { try other.publish() }
      // Past the announcements.
      _ = try reactor.run(hearing: far, seconds: 2.2) { false }
      far.forget()
      two.update(text: [Array("n=1".utf8)])
      two.update(text: [Array("n=2".utf8)])
      #expect(!two.update(text: [[UInt8](repeating: 0x61, count: 256)]))
      #expect(try reactor.run(hearing: far, seconds: 2) { !far.answers(.txt).isEmpty })
      _ = try reactor.run(hearing: far, seconds: 1.5) { false }
      let texts = far.answers(.txt)
      #expect(texts.last?.data == .txt([Array("n=2".utf8)]))
      for record in texts {
        #expect(record.name.firstLabel == Array("Two".utf8) && record.cacheFlush)
        #expect(record.data != .txt([Array("mode=tap".utf8)]))
      }
      far.forget()
      var hasStopped = false
      one.stop { hasStopped = true }
      #expect(try reactor.run(hearing: far) { hasStopped })
      let gone = far.answers(.ptr).filter { $0.ttl == 0 }
      #expect(!gone.isEmpty)
      #expect(gone.allSatisfy { $0.data == .ptr((try? DNSName("One.\(Self.type)")) ?? .root) })
      #expect(far.answers(.a).allSatisfy { $0.ttl > 0 })
      #expect(two.isPublishing && node.isRunning)
      two.stop { hasStopped = false }
      #expect(try reactor.run(hearing: far) { !hasStopped })
      #expect(node.publishing == nil && node.isRunning)
      node.stop()
    }
  }

  /// Answers each probe for an instance as somebody who has it.
  private static func defend(_ far: FarHost, _ instance: String) throws {
    let name = try DNSName("\(instance).\(type)")
    let claim = try SampleMessage.response([
      try SampleMessage.record(
        name.description, flush: true,
        .srv(priority: 0, weight: 0, port: 9, target: try DNSName("rival.local")))
    ])
    far.onMessage = { [weak far] heard in
      guard !heard.message.authorities.isEmpty,
        heard.message.questions.contains(where: { $0.name == name })
      else { return }
      try? far?.peers[0].send(claim, on: "v0")
    }
  }

  @Test("a taken name is told with the one that is registered, which is tried first the next time")
  func renamed() throws {
    let lab = try Lab()
    let state = "/tmp/lantool-state-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: state) }
    try lab.hearing { far, reactor in
      var configuration = ServicePublisher.Configuration.deck()
      configuration.isNameGiven = false
      configuration.stateFolder = state
      try Self.defend(far, "Deck")
      let first = ServicePublisher(configuration, on: reactor)
      let log = PublisherLog(first)
      try first.publish()
      #expect(try reactor.run(hearing: far) { !log.services.isEmpty })
      #expect(
        log.lines == ["will publish", "renamed Deck to Deck (2)", "did publish Deck (2) on v0"])
      first.stop()
      #expect(try reactor.run(hearing: far) { !first.isPublishing })
      far.onMessage = nil

      for (isGiven, expected) in [(false, "Deck (2)"), (true, "Deck")] {
        configuration.isNameGiven = isGiven
        let next = ServicePublisher(configuration, on: reactor)
        let log = PublisherLog(next)
        try next.publish()
        #expect(try reactor.run(hearing: far) { !log.services.isEmpty })
        #expect(log.lines == ["will publish", "did publish \(expected) on v0"])
        next.stop()
        #expect(try reactor.run(hearing: far) { !next.isPublishing })
      }
    }
  }

  @Test("a taken name that may not be changed is told as a collision, and nothing is announced")
  func collision() throws {
    try Lab().hearing { far, reactor in
      var configuration = ServicePublisher.Configuration.deck()
      configuration.service.mayRename = false
      try Self.defend(far, "Deck")
      let publisher = ServicePublisher(configuration, on: reactor)
      let log = PublisherLog(publisher)
      try publisher.publish()
      #expect(try reactor.run(hearing: far) { log.lines.count == 2 })
      #expect(log.lines == ["will publish", "did not publish -72001"])
      #expect(!publisher.isPublishing)
      #expect(far.answers(.srv).isEmpty && far.answers(.ptr).isEmpty)
    }
  }

  @Test("SE-09: what forty services say comes in datagrams that each decode alone and fit the link")
  func forty() throws {
    try Lab().hearing { far, reactor in
      let node = MDNSNode(on: reactor)
      let crowd = PublisherCrowd(40, node)
      try crowd.publish()
      #expect(try reactor.run(hearing: far, seconds: 20) { crowd.isPublished })
      _ = try reactor.run(hearing: far, seconds: 3) { false }
      far.forget()
      try far.peers[0].send(try SampleMessage.query([Self.type]), on: "v0")
      try far.peers[1].send(try SampleMessage.query([Self.type]), on: "v0")
      #expect(
        try reactor.run(hearing: far, seconds: 3) {
          Set(far.answers(.ptr).map(\.data)).count == 40
        })
      _ = try reactor.run(hearing: far, seconds: 0.3) { false }
      #expect(Set(far.answers(.ptr).map(\.data)).count == 40)
      for message in far.heard {
        #expect(!message.hasForwardPointer)
        #expect(message.size <= (message.info.source.address.isIPv6 ? 1_452 : 1_472))
      }
      crowd.stop()
      #expect(try reactor.run(hearing: far) { crowd.left == 0 })
      let gone = far.answers(.ptr).filter { $0.ttl == 0 && "\($0.name)" == Self.type }
      #expect(Set(gone.map(\.data)).count == 40)
      node.stop()
    }
  }

  @Test("a packet with a destination goes there alone, by its link and from port 5353")
  func unicast() throws {
    let lab = try Lab(cables: 2)
    let namespace = lab.far
    try lab.hearing { far, reactor in
      let node = MDNSNode(on: reactor)
      try node.start()
      let link = try #require(node.links.values.first { $0.name == "v1" })
      let bytes = try SampleMessage.query(["_a._tcp.local"])
      let target = try #require(IPAddress(parsing: "10.77.1.2"))
      node.sockets?.send(
        MDNSPacket(bytes: bytes, interfaceIndex: link.index, to: MDNSDestination(target)))
      #expect(try reactor.run(hearing: far) { far.heard.count == 1 })
      let info = try #require(far.heard.first).info
      #expect(info.destination.address == target && info.source.port == 5_353)
      #expect(info.source.address == IPAddress(parsing: "10.77.1.1") && info.hopLimit == 255)
      // A link-local address is reached by the link of the packet.
      let asked = MDNSLinkLocal.address(in: namespace, "v1")
      let local = try #require(asked)
      node.sockets?.send(
        MDNSPacket(bytes: bytes, interfaceIndex: link.index, to: MDNSDestination(local)))
      #expect(try reactor.run(hearing: far) { far.heard.count == 2 })
      #expect(far.heard.last?.info.destination.address == local)
      #expect(far.heard.last?.info.source.address.isLinkLocal == true)
      node.stop()
    }
  }
}

/// Many services on one node, each with 100 bytes of TXT.
private final class PublisherCrowd {
  private var publishers: [ServicePublisher] = []
  private var logs: [PublisherLog] = []
  /// How many are published still.
  private(set) var left = 0

  init(_ count: Int, _ node: MDNSNode) {
    for number in 0..<count {
      var configuration = ServicePublisher.Configuration.deck("Deck \(number)")
      configuration.service.text = [[UInt8](repeating: 0x61, count: 99)]
      publishers.append(ServicePublisher(configuration, node: node))
    }
    logs = publishers.map { PublisherLog($0) }
  }

  func publish() throws {
    for publisher in publishers { try publisher.publish() }
    left = publishers.count
  }

  var isPublished: Bool { logs.allSatisfy { !$0.services.isEmpty } }

  func stop() {
    for publisher in publishers { publisher.stop { self.left -= 1 } }
  }
}

/// Asks `ip` for an address.
private enum MDNSLinkLocal {
  static func address(in namespace: String, _ interface: String) -> IPAddress? {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "ip", "-n", namespace, "-6", "-o", "addr", "show", "dev", interface, "scope", "link",
    ]
    process.standardOutput = pipe
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let words = text.split(whereSeparator: { " \n/".contains($0) })
    return words.first { $0.hasPrefix("fe80") }.flatMap { IPAddress(parsing: String($0)) }
  }
}
