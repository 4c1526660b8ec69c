import Glibc
import LanCore
import LanWire
import Synchronization
import TestKit
import Testing

@testable import LanSystem

/// One line for each call of a delegate.
private final class RecordingDelegate: ServiceBrowserDelegate {
  var calls: [String] = []
  var onCall: (() -> Void)?

  private func note(_ text: String) {
    calls.append(text)
    onCall?()
  }
  private func name(_ service: DiscoveredService) -> String {
    String(decoding: service.instance, as: UTF8.self)
  }
  func serviceBrowserWillSearch(_ browser: ServiceBrowser) { note("will search") }
  func serviceBrowser(_ browser: ServiceBrowser, didNotSearch reason: ServiceBrowserError) {
    note("did not search \(reason.code)")
  }
  func serviceBrowserDidStopSearch(_ browser: ServiceBrowser) { note("did stop") }
  func serviceBrowser(
    _ browser: ServiceBrowser, didFind service: DiscoveredService, moreComing: Bool
  ) { note("found \(name(service))\(moreComing ? " …" : "")") }
  func serviceBrowser(
    _ browser: ServiceBrowser, didUpdate service: DiscoveredService, moreComing: Bool
  ) { note("updated \(name(service)) port \(service.port ?? 0)\(moreComing ? " …" : "")") }
  func serviceBrowser(
    _ browser: ServiceBrowser, didRemove service: DiscoveredService, cause: MDNSRemovalCause,
    moreComing: Bool
  ) { note("removed \(name(service)) \(cause)\(moreComing ? " …" : "")") }
}

/// What a host says about its services.
enum SpokenService {
  /// The records of instances of `_witap2._tcp` on one host.
  static func response(
    _ instances: [String], port: UInt16 = 7_000, ttl: UInt32 = 4_500
  ) throws -> [UInt8] {
    var records: [DNSRecord] = []
    for instance in instances {
      let name = "\(instance)._witap2._tcp.local"
      records += [
        try SampleMessage.pointer("_witap2._tcp.local", to: name, ttl: ttl),
        try SampleMessage.record(
          name, ttl: min(ttl, 120), flush: true,
          .srv(priority: 0, weight: 0, port: port, target: try DNSName("deck.local"))),
        try SampleMessage.record(name, ttl: ttl, flush: true, .txt([[]])),
      ]
    }
    // A service that goes does not take its host with it.
    if ttl > 0 { records.append(try SampleMessage.address("deck.local", ttl: min(ttl, 120))) }
    return try SampleMessage.response(records)
  }

  static func configuration(_ interfaces: [String] = []) throws -> ServiceBrowser.Configuration {
    var search = ServiceBrowserMachine.Configuration(domain: try DNSName("local"))
    search.types = [ServiceType(service: "witap2", transport: "tcp")]
    var configuration = ServiceBrowser.Configuration(search)
    configuration.interfaces = interfaces
    return configuration
  }
}

/// What consumers of streams noted.
private final class SeenLines: Sendable {
  private let lines = Mutex<[String]>([])

  func contains(_ line: String) -> Bool { lines.withLock { $0.contains(line) } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }

  /// Notes the services that a stream tells, until it ends or there were `limit`.
  func follow(
    _ stream: AsyncStream<ServiceEvent>, _ label: String, limit: Int, on reactor: Reactor
  ) {
    Task(executorPreference: reactor) {
      var count = 0
      for await event in stream {
        guard case .added(let service) = event else { continue }
        self.add("\(label) \(service.name)")
        count += 1
        if count == limit { break }
      }
      self.add("\(label) ended")
    }
  }
}

@Suite(
  "A service browser on a link", .serialized, .timeLimit(.minutes(2)),
  .enabled(if: Lab.isPossible, Comment(rawValue: Lab.skipped)))
struct ServiceBrowserTests {
  @Test("the delegate is told in NSNetServiceBrowser's order, more coming within a batch alone")
  func delegateOrder() throws {
    let lab = try Lab()
    let far = try Peer(.ipv4, in: lab.far)
    try lab.inside {
      let reactor = try Reactor()
      let browser = ServiceBrowser(try SpokenService.configuration(), on: reactor)
      let delegate = RecordingDelegate()
      browser.delegate = delegate
      try browser.start()
      #expect(delegate.calls == ["will search"])
      #expect(throws: ServiceBrowserError.alreadyActive) { try browser.start() }
      try far.send(try SpokenService.response(["A", "B", "C"]), on: "v0")
      #expect(try reactor.run { delegate.calls.count == 4 })
      #expect(delegate.calls[1...].allSatisfy { $0.hasPrefix("found") })
      #expect(delegate.calls[1...].map { $0.hasSuffix("…") } == [true, true, false])
      #expect(browser.services.map { $0.interface } == ["v0", "v0", "v0"])
      #expect(browser.services.allSatisfy { $0.isComplete && $0.heardOver == .ipv4 })

      delegate.calls = []
      try reactor.run(for: .milliseconds(1_100))
      try far.send(try SpokenService.response(["A"], port: 7_001), on: "v0")
      #expect(try reactor.run { delegate.calls == ["updated A port 7001"] })
      delegate.calls = []
      try far.send(try SpokenService.response(["A", "B"], ttl: 0), on: "v0")
      #expect(try reactor.run { delegate.calls.count == 2 })
      #expect(delegate.calls.map { $0.hasSuffix("goodbye …") } == [true, false])
      #expect(browser.services.count == 1)
      delegate.calls = []
      browser.stop()
      browser.stop()
      #expect(delegate.calls == ["did stop"])
      // One search at a time, but one after the other.
      try browser.start()
      browser.stop()
      #expect(delegate.calls == ["did stop", "will search", "did stop"])
    }
  }

  @Test("a search that cannot begin says so with NSNetServices' number") func didNotSearch() throws
  {
    let lab = try Lab()
    try lab.inside {
      let reactor = try Reactor()
      let browser = ServiceBrowser(try SpokenService.configuration(["v7"]), on: reactor)
      let delegate = RecordingDelegate()
      browser.delegate = delegate
      #expect(throws: ServiceBrowserError.self) { try browser.start() }
      #expect(delegate.calls == ["will search", "did not search -72004"])
      #expect(!browser.isSearching)
    }
  }

  @Test("a delegate that stops the browser in a call hears of nothing after it") func stopInside()
    throws
  {
    let lab = try Lab()
    let far = try Peer(.ipv4, in: lab.far)
    try lab.inside {
      let reactor = try Reactor()
      let browser = ServiceBrowser(try SpokenService.configuration(), on: reactor)
      let delegate = RecordingDelegate()
      browser.delegate = delegate
      try browser.start()
      delegate.onCall = { [unowned delegate] in
        if delegate.calls.last?.hasPrefix("found") == true { browser.stop() }
      }
      try far.send(try SpokenService.response(["A", "B", "C"]), on: "v0")
      #expect(try reactor.run { delegate.calls.contains("did stop") })
      try reactor.run(for: .milliseconds(50))
      #expect(delegate.calls.count == 3)
      #expect(delegate.calls.last == "did stop")
    }
  }

  @Test("a stream begins with what is present; ending it ends no search, stopping ends it")
  func streams() throws {
    let lab = try Lab()
    let far = try Peer(.ipv4, in: lab.far)
    try lab.inside {
      let reactor = try Reactor()
      let browser = ServiceBrowser(try SpokenService.configuration(), on: reactor)
      try browser.start()
      try far.send(try SpokenService.response(["A"]), on: "v0")
      #expect(try reactor.run { browser.services.count == 1 })
      let seen = SeenLines()
      func consume(_ stream: AsyncStream<ServiceEvent>, _ label: String, limit: Int) {
        seen.follow(stream, label, limit: limit, on: reactor)
      }
      consume(browser.events, "one", limit: 1)
      consume(browser.events, "all", limit: .max)
      #expect(try reactor.run { seen.contains("one ended") })
      try far.send(try SpokenService.response(["B"]), on: "v0")
      #expect(try reactor.run { seen.contains("all B._witap2._tcp.local") })
      #expect(browser.isSearching)
      #expect(!seen.contains("one B._witap2._tcp.local"))
      browser.stop()
      #expect(try reactor.run { seen.contains("all ended") })
    }
  }

  @Test("browsers share a node: the later one is told what is known, without another question")
  func sharedNode() throws {
    let lab = try Lab(cables: 2)
    let far = try Peer(.ipv4, in: lab.far)
    try lab.inside {
      let reactor = try Reactor()
      let node = MDNSNode(on: reactor)
      let first = ServiceBrowser(try SpokenService.configuration(), node: node)
      var events: [ServiceEvent] = []
      first.onEvent = { events.append($0) }
      try first.start()
      try far.send(try SpokenService.response(["A"]), on: "v0")
      try far.send(try SpokenService.response(["B"]), on: "v1")
      #expect(try reactor.run { first.services.count == 2 })
      let told = events.count
      let second = ServiceBrowser(try SpokenService.configuration(["v1"]), node: node)
      try second.start()
      #expect(try reactor.run { !second.services.isEmpty })
      #expect(second.services.map { "\($0.name)" } == ["B._witap2._tcp.local"])
      let new = events[told...].filter { if case .added = $0 { true } else { false } }
      #expect(new.isEmpty)
      first.stop()
      #expect(node.isRunning)
      second.stop()
      #expect(node.clients.isEmpty)
      node.stop()
    }
  }

  @Test("a link that goes takes its services with it, and the search goes on when it is back")
  func linkDown() throws {
    let lab = try Lab()
    let far = try Peer(.ipv4, in: lab.far)
    let near = lab.near
    try lab.inside {
      let reactor = try Reactor()
      let browser = ServiceBrowser(try SpokenService.configuration(), on: reactor)
      let delegate = RecordingDelegate()
      browser.delegate = delegate
      try browser.start()
      try far.send(try SpokenService.response(["A"]), on: "v0")
      #expect(try reactor.run { delegate.calls.contains("found A") })
      #expect(Lab.shell("ip -n \(near) link set v0 down"))
      #expect(try reactor.run { delegate.calls.last == "removed A interfaceDown" })
      #expect(Lab.shell("ip -n \(near) link set v0 up"))
      #expect(try reactor.run { !browser.node.links.isEmpty })
      _ = try far.received()
      #expect(try reactor.run { ((try? far.received()) ?? []).contains { $0.bytes.count > 30 } })
      try far.send(try SpokenService.response(["A"]), on: "v0")
      #expect(try reactor.run { delegate.calls.last == "found A" })
      browser.stop()
    }
  }

  @Test("with known services there is no wake-up but those that their TTLs ask for") func idle()
    throws
  {
    let lab = try Lab()
    let far = try Peer(.ipv4, in: lab.far)
    try lab.inside {
      let reactor = try Reactor()
      let browser = ServiceBrowser(try SpokenService.configuration(), on: reactor)
      try browser.start()
      for batch in 0..<10 {
        let names = (0..<10).map { "S\(batch)-\($0)" }
        try far.send(try SpokenService.response(names), on: "v0")
      }
      #expect(try reactor.run { browser.services.count == 100 })
      // Questions at 0, 1, 3 and 7 s, of which the AAAA is given up; then nothing before 15 s.
      try reactor.run(for: .milliseconds(11_300))
      let before = browser.node.statistics
      try reactor.run(for: .milliseconds(3_000))
      #expect(browser.node.statistics.timers == before.timers)
      #expect(browser.node.statistics.wakeUps == before.wakeUps)
      browser.stop()
    }
  }
}
