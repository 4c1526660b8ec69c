import Foundation
import LanCore
import LanWire
import TestKit
import Testing

@testable import LanSystem

/// A search on a loop of its own, driven by the thread of a test.
private final class Search {
  let reactor: Reactor
  let browser: UnicastServiceBrowser
  private(set) var events: [ServiceEvent] = []

  init(
    _ types: String..., servers: [SocketEndpoint] = [DNSLab.server],
    change: (inout UnicastServiceBrowser.Configuration) -> Void = { _ in }
  ) throws {
    reactor = try Reactor()
    var search = UnicastBrowserMachine.Configuration(domain: try DNSName("example.org"))
    search.types = try types.map { try ServiceType(parsing: $0) }
    var configuration = UnicastServiceBrowser.Configuration(search)
    configuration.resolver.servers = servers
    configuration.resolver.timeouts = [.seconds(1)]
    configuration.pace.floor = 500_000_000
    configuration.pace.retry = 500_000_000
    change(&configuration)
    browser = UnicastServiceBrowser(configuration, on: reactor)
    browser.onEvent = { [unowned self] in events.append($0) }
    browser.start()
  }

  deinit { browser.stop() }

  /// Runs the loop until `isDone`, twenty seconds at most; true if it came to be.
  @discardableResult
  func run(seconds: Double = 20, until isDone: @escaping () -> Bool) -> Bool {
    let end = MonotonicClock.now + Int64(seconds * 1e9)
    while !isDone(), MonotonicClock.now < end {
      reactor.schedule(after: .milliseconds(5)) { [reactor] in reactor.stop() }
      try? reactor.run()
    }
    return isDone()
  }

  func settle() -> Bool { run { [unowned self] in events.contains(.settled) } }

  var services: [DiscoveredService] { browser.services }
  var added: Int { events.count { if case .added = $0 { true } else { false } } }
  var updated: [DiscoveredService] {
    events.compactMap { if case .updated(let service) = $0 { service } else { nil } }
  }
  var removed: [String] {
    events.compactMap {
      if case .removed(let service, let cause) = $0 { "\(service.name) \(cause)" } else { nil }
    }
  }
  var failures: [UnicastFailure] {
    events.compactMap {
      if case .diagnostic(.unanswered(_, let failure)) = $0 { failure } else { nil }
    }
  }
}

@Suite(.serialized, .enabled(if: DNSLab.isPossible, "\(DNSLab.skipped)"))
struct UnicastServiceBrowserTests {
  private static let zone = """
    _http._tcp PTR B\\195\\188ro\\032West\\.OG._http._tcp
    _admin._sub._http._tcp PTR B\\195\\188ro\\032West\\.OG._http._tcp
    B\\195\\188ro\\032West\\.OG._http._tcp SRV 5 0 8080 backup
    B\\195\\188ro\\032West\\.OG._http._tcp SRV 0 1 80 web
    B\\195\\188ro\\032West\\.OG._http._tcp TXT "path=/x=y" "raw=\\000\\255" "flag"
    web A 192.0.2.7
    web AAAA 2001:db8::7
    backup A 192.0.2.8
    _services._dns-sd._udp PTR _http._tcp
    _services._dns-sd._udp PTR _ipp._tcp
    b._dns-sd._udp PTR @
    b._dns-sd._udp PTR lab
    db._dns-sd._udp PTR @
    lb._dns-sd._udp PTR lab
    """

  @Test("a service of a real zone comes complete, with its odd name, TXT bytes and best SRV record")
  func one() throws {
    let lab = try DNSLab()
    try lab.serve(Self.zone)
    try lab.inside {
      for types in [["_http._tcp"], ["_admin._sub._http._tcp"], []] {
        let search = try Search { configuration in
          configuration.search.types = types.compactMap { try? ServiceType(parsing: $0) }
        }
        #expect(search.settle())
        #expect(search.added == 1 && search.failures.isEmpty)
        let service = try #require(search.services.first)
        // This server keeps names in lower case.
        #expect(String(decoding: service.instance, as: UTF8.self) == "büro west.og")
        #expect("\(service.name)" == "büro west\\.og._http._tcp.example.org")
        #expect(service.host == (try DNSName("web.example.org")))
        #expect(service.port == 80 && service.priority == 0 && service.weight == 1)
        #expect(service.addresses.count == 2 && service.isComplete && !service.isOwn)
        #expect(
          service.text == [
            Array("path=/x=y".utf8), Array("raw=".utf8) + [0, 255], Array("flag".utf8),
          ])
        #expect(service.origin == .dns && service.ttl == 120)
        #expect(service.subtypes == (types == ["_admin._sub._http._tcp"] ? ["_admin"] : []))
      }
    }
  }

  @Test("300 services of one set come complete, over IPv6 too")
  func many() throws {
    let lab = try DNSLab()
    var lines: [String] = []
    for number in 0..<300 {
      let name = "Instance\\032number\\032\(number)._many._tcp"
      lines += [
        "_many._tcp PTR \(name)", "\(name) SRV 0 0 \(1_000 + number) h\(number)",
        "\(name) TXT \"n=\(number)\"", "h\(number) A 192.0.2.\(number % 250 + 1)",
      ]
    }
    try lab.serve(lines.joined(separator: "\n"))
    try lab.inside {
      for server in [DNSLab.server, DNSLab.server6] {
        let search = try Search("_many._tcp", servers: [server])
        #expect(search.settle())
        #expect(search.added == 300 && search.updated.isEmpty)
        #expect(search.services.allSatisfy { $0.isComplete })
        #expect(Set(search.services.compactMap(\.port)) == Set(1_000..<1_300))
        #expect(search.failures.isEmpty)
      }
    }
  }

  @Test("types and domains are listed")
  func lists() throws {
    let lab = try DNSLab()
    try lab.serve(Self.zone)
    try lab.inside {
      let types = try Search { $0.search.listsTypes = true }
      #expect(types.settle())
      let found = types.events.compactMap {
        if case .typeAdded(let type, _, _) = $0 { "\(type)" } else { nil }
      }
      #expect(found.sorted() == ["_http._tcp", "_ipp._tcp"])
      let domains = try Search { $0.search.listsDomains = true }
      #expect(domains.settle())
      let recommended = domains.events.compactMap {
        if case .domainAdded(let domain, let kind, _) = $0 {
          "\(kind.rawValue) \(domain)"
        } else {
          nil
        }
      }
      #expect(
        recommended.sorted() == [
          "b example.org", "b lab.example.org", "db example.org", "lb lab.example.org",
        ])
    }
  }

  @Test("what changes in the zone is told when the TTL has passed")
  func changes() throws {
    let lab = try DNSLab()
    let records = """
      $TTL 1
      _http._tcp PTR One._http._tcp
      One._http._tcp SRV 0 0 80 web
      One._http._tcp TXT "v=1"
      web A 192.0.2.7
      """
    try lab.serve(records)
    nonisolated(unsafe) let shared = lab
    try lab.inside {
      let search = try Search("_http._tcp")
      #expect(search.settle())
      #expect(search.added == 1)
      try shared.change(
        records.replacingOccurrences(of: "192.0.2.7", with: "192.0.2.9")
          .replacingOccurrences(of: "v=1", with: "v=2")
          + "\n_http._tcp PTR Two._http._tcp\nTwo._http._tcp SRV 0 0 81 web\n"
          + "Two._http._tcp TXT \"\"")
      #expect(
        search.run { search.added == 2 && search.services.allSatisfy { $0.isComplete } })
      #expect(
        search.run {
          search.services.contains { $0.text == [Array("v=2".utf8)] }
            && search.services.allSatisfy {
              $0.addresses == [.v4(IPv4Address(bits: 0xC000_0209))]
            }
        })
      try shared.change("$TTL 1\n_http._tcp PTR Two._http._tcp")
      #expect(search.run { search.removed == ["one._http._tcp.example.org expired"] })
      // A server that is gone takes nothing with it.
      try shared.stopServer()
      #expect(search.run { !search.failures.isEmpty })
      #expect(search.services.count == 1)
      #expect(search.removed.count == 1)
    }
  }

  @Test("nothing, refusal and silence are told apart")
  func absences() throws {
    let lab = try DNSLab()
    try lab.serve(Self.zone)
    try lab.misbehave()
    try lab.inside {
      let nothing = try Search("_ipp._tcp")
      #expect(nothing.settle())
      #expect(nothing.added == 0 && nothing.failures.isEmpty)
      for (domain, failure) in [("silent", UnicastFailure.timeout), ("refused", .refused)] {
        let search = try Search(servers: [DNSLab.stub]) {
          $0.search.domain = Self.under(domain)
          $0.search.listsTypes = true
        }
        #expect(search.settle(), "\(domain)")
        #expect(search.failures == [failure], "\(domain)")
      }
      let elsewhere = try Search("_http._tcp") { $0.search.domain = Self.under("example.net") }
      #expect(elsewhere.settle())
      #expect(elsewhere.failures == [.refused])
    }
  }

  private static func under(_ name: String) -> DNSName { (try? DNSName(name)) ?? .root }

  @Test("a search that was stopped tells nothing more, and can begin anew")
  func stopping() throws {
    let lab = try DNSLab()
    try lab.serve(Self.zone)
    try lab.inside {
      let search = try Search("_http._tcp")
      search.browser.stop()
      search.run(seconds: 0.3) { false }
      #expect(search.events.isEmpty)
      search.browser.start()
      #expect(search.settle())
      #expect(search.added == 1)
    }
  }

  @Test("the stream of events begins with what is known, and ends with the search")
  func stream() throws {
    let lab = try DNSLab()
    try lab.serve(Self.zone)
    try lab.inside {
      let search = try Search("_http._tcp")
      #expect(search.settle())
      nonisolated(unsafe) var got: [ServiceEvent] = []
      nonisolated(unsafe) var isOver = false
      let events = search.browser.events
      Task(executorPreference: search.reactor) {
        for await event in events { got.append(event) }
        isOver = true
      }
      search.run { got.count == 2 }
      search.browser.stop()
      #expect(search.run { isOver })
      guard case .added? = got.first else {
        Issue.record("\(got)")
        return
      }
    }
  }
}
