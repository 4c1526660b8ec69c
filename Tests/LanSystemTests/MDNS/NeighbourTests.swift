import Foundation
import LanCore
import LanWire
import TestKit
import Testing

@testable import LanSystem

/// Another stack on the machine under test, which answers for the reverse name of one address.
private final class OtherStack {
  private let peer: Peer
  private let name: DNSName
  private let record: DNSRecord
  private(set) var questions = 0

  init(in namespace: String, _ host: String) throws {
    peer = try Peer(.ipv4, in: namespace)
    let address = try #require(IPAddress(parsing: "10.77.0.1"))
    name = DNSName(reverseOf: address)
    record = DNSRecord(name: name, cacheFlush: true, ttl: 120, data: .ptr(try DNSName(host)))
  }

  func say(ttl: UInt32 = 120) throws {
    var record = record
    record.ttl = ttl
    try peer.send(try SampleMessage.response([record]), on: "v0")
  }

  func listen() {
    for datagram in (try? peer.received()) ?? [] {
      guard let message = try? DNSMessage(datagram.bytes.span), message.flags & 0x8000 == 0,
        message.authorities.isEmpty, message.questions.contains(where: { $0.name == name })
      else { continue }
      questions += 1
      try? say()
    }
  }
}

@Suite(
  "Another stack on this machine", .serialized, .timeLimit(.minutes(2)),
  .enabled(if: Lab.isPossible, Comment(rawValue: Lab.skipped)))
struct NeighbourTests {
  @Test("its host name is used as long as it is there, then our own; with no record fought over")
  func foreign() throws {
    let lab = try Lab()
    let near = lab.near
    try lab.hearing { far, reactor in
      let other = try OtherStack(in: near, "other.local")
      let publisher = ServicePublisher(.deck(host: nil), on: reactor)
      let log = PublisherLog(publisher)
      try publisher.publish()
      #expect(publisher.node.isPortShared)
      #expect(
        try reactor.run(hearing: far) {
          other.listen()
          return log.services.count == 1
        })
      #expect(log.services.first?.host == (try DNSName("other.local")))
      #expect(log.services.first?.isHostForeign == true && other.questions > 0)
      #expect(far.answers(.a).isEmpty && far.answers(.aaaa).isEmpty)
      let reverse = try DNSName("1.0.77.10.in-addr.arpa")
      #expect(!far.probes.contains { $0.message.questions.contains { $0.name == reverse } })
      try other.say(ttl: 0)
      #expect(try reactor.run(hearing: far) { log.services.count == 2 })
      #expect(log.services.last?.isHostForeign == false)
      #expect(log.services.last?.host.firstLabel == HostLabel.own)
      #expect(!far.answers(.a).isEmpty)
      publisher.stop()
      #expect(try reactor.run { !publisher.isPublishing })
    }
  }

  @Test("a stack that says nothing delays the first probe by no more than 300 ms and its jitter")
  func silent() throws {
    let lab = try Lab()
    let near = lab.near
    try lab.hearing { far, reactor in
      let silent = try Peer(.ipv4, in: near)
      let publisher = ServicePublisher(.deck(host: nil), on: reactor)
      let log = PublisherLog(publisher)
      let start = MonotonicClock.now
      try publisher.publish()
      #expect(try reactor.run(hearing: far) { !far.probes.isEmpty })
      #expect(MonotonicClock.now - start > 300_000_000)
      #expect(try reactor.run(hearing: far) { log.services.count == 1 })
      #expect(log.services.first?.isHostForeign == false)
      publisher.stop()
      #expect(try reactor.run { !publisher.isPublishing })
      withExtendedLifetime(silent) {}
    }
  }

  @Test("a host name that the user gives is published beside another stack's, without its PTR")
  func given() throws {
    let lab = try Lab()
    let near = lab.near
    try lab.hearing { far, reactor in
      let other = try OtherStack(in: near, "other.local")
      let publisher = ServicePublisher(.deck(host: "lab"), on: reactor)
      let log = PublisherLog(publisher)
      try publisher.publish()
      #expect(
        try reactor.run(hearing: far) {
          other.listen()
          return log.services.count == 1
        })
      #expect(log.services.first?.host == (try DNSName("lab.local")))
      #expect(log.services.first?.isHostForeign == false)
      #expect(!far.answers(.a).isEmpty)
      let targets = Set(far.answers(.ptr).map(\.data))
      #expect(!targets.contains(.ptr(try DNSName("lab.local"))))
      publisher.stop()
      #expect(try reactor.run { !publisher.isPublishing })
    }
  }

  @Test("a node that only browses answers nothing and has no responder") func browsing() throws {
    try Lab().hearing { far, reactor in
      let browser = ServiceBrowser(try SpokenService.configuration(), on: reactor)
      try browser.start()
      try far.peers[0].send(try SampleMessage.query(["_witap2._tcp.local"]), on: "v0")
      _ = try reactor.run(hearing: far, seconds: 0.5) { false }
      #expect(browser.node.publishing == nil && far.responses.isEmpty)
      browser.stop()
    }
  }
}
