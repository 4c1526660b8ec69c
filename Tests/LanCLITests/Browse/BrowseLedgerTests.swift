import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

private typealias Samples = BrowseSamples

/// A ledger that can be asked and told inside of an expectation.
private final class Run {
  private var ledger: BrowseLedger

  init(_ words: [String]) throws { ledger = BrowseLedger(try Samples.configure(words)) }

  var end: BrowseLedger.End? { ledger.end }
  var missing: [String] { ledger.missing }
  var services: Int { ledger.services.count }
  var listed: [DiscoveredService] { ledger.listed }
  func status(_ end: BrowseLedger.End) -> LanCLI.ExitStatus { ledger.status(end) }
  func summary(duration: Int64) -> BrowseSummary { ledger.summary(duration: duration) }
  func settle() { ledger.settle() }

  @discardableResult
  func take(_ service: DiscoveredService, _ change: ServiceChange) -> ServiceChange? {
    ledger.take(service, change)
  }

  func take(type: ServiceType, interfaceIndex: UInt32?, isAdded: Bool) -> Bool {
    ledger.take(type: type, interfaceIndex: interfaceIndex, isAdded: isAdded)
  }

  func take(domain: DNSName, _ kind: BrowsingDomainKind, isAdded: Bool) -> Bool {
    ledger.take(domain: domain, kind, interfaceIndex: nil, isAdded: isAdded)
  }
}

private func ledger(_ words: String...) throws -> Run { try Run(words) }

@Suite("what browse finds, and its exit status") struct BrowseLedgerTests {
  @Test("found is 0 and nothing found is 1, whatever ends the run") func status() throws {
    let found = try ledger()
    #expect(found.status(.stopped) == .negative && found.status(.settled) == .negative)
    #expect(found.status(.timedOut) == .timedOut)
    #expect(found.take(Samples.resolved(), .added) == .added)
    for end: BrowseLedger.End in [.stopped, .settled, .timedOut, .fileEnded] {
      #expect(found.status(end) == .success)
    }
    // It was there, even if it has gone since.
    #expect(found.take(Samples.resolved(), .removed(.goodbye)) == .removed(.goodbye))
    #expect(found.status(.stopped) == .success && found.services == 0)
  }

  @Test("a capture that was read to its end is 0, also with nothing in it") func file() throws {
    #expect(try ledger("-r", "x.pcap").status(.fileEnded) == .success)
    #expect(try ledger("-r", "x.pcap", "--expect", "Deck").status(.fileEnded) == .negative)
  }

  @Test("--once ends when the first list is complete, a plain run does not") func once() throws {
    let once = try ledger("--once")
    #expect(once.end == nil)
    once.settle()
    #expect(once.end == .settled)
    let plain = try ledger()
    plain.settle()
    #expect(plain.end == nil)
    let zone = try ledger("--zone")
    zone.settle()
    #expect(zone.end == .settled)
  }

  @Test("--expect waits until the service is resolved") func expect() throws {
    let run = try ledger("--expect", "deck")
    #expect(run.end == nil && run.missing == ["deck"])
    run.take(Samples.named(Array("Deck".utf8)), .added)
    #expect(run.end == nil)
    run.take(Samples.resolved(), .updated)
    #expect(run.end == .expected && run.missing.isEmpty)
    #expect(run.status(.expected) == .success)
  }

  @Test("--expect with --no-resolve is content with the name, and a placeholder is no service")
  func expectName() throws {
    let names = try ledger("--expect", "Deck", "--no-resolve")
    names.take(Samples.named(Array("Deck".utf8)), .added)
    #expect(names.end == .expected)
    var reserved = Samples.resolved()
    reserved.port = 0
    let run = try ledger("--expect", "Deck")
    run.take(reserved, .added)
    #expect(run.end == nil)
  }

  @Test("all that is expected must be there at once; with --any one is enough") func all() throws {
    let run = try ledger("--expect", "Deck", "--expect", "Other")
    run.take(Samples.resolved("Deck"), .added)
    #expect(run.end == nil && run.missing == ["Other"])
    run.take(Samples.resolved("Deck"), .removed(.goodbye))
    run.take(Samples.resolved("Other"), .added)
    #expect(run.end == nil && run.missing == ["Deck"])
    run.take(Samples.resolved("Deck"), .added)
    #expect(run.end == .expected)
    let any = try ledger("--expect", "Deck", "--expect", "Other", "--any")
    any.take(Samples.resolved("Other"), .added)
    #expect(any.end == .expected)
  }

  @Test("a service on two links is there until it has gone from both") func links() throws {
    let run = try ledger("--expect", "Deck", "--expect", "Other")
    run.take(Samples.resolved("Deck", on: 2), .added)
    run.take(Samples.resolved("Deck", on: 3), .added)
    run.take(Samples.resolved("Deck", on: 3), .removed(.interfaceDown))
    #expect(run.missing == ["Other"])
  }

  @Test("without what is expected: 1 when the list is complete, 3 at --timeout") func missed()
    throws
  {
    let run = try ledger("--expect", "Deck")
    run.take(Samples.resolved("Other"), .added)
    run.settle()
    #expect(run.end == .settled && run.status(.settled) == .negative)
    #expect(run.status(.timedOut) == .timedOut && run.status(.stopped) == .negative)
    // Whoever names a time wants to wait that long.
    for words in [["--timeout", "9s"], ["--duration", "9s"]] {
      let patient = try Run(["--expect", "Deck"] + words)
      patient.settle()
      #expect(patient.end == nil)
    }
    let hasty = try ledger("--expect", "Deck", "--timeout", "9s", "--once")
    hasty.settle()
    #expect(hasty.end == .settled)
  }

  @Test("--ignore-own hides own services, however late they are known as such") func own() throws {
    let run = try ledger("--ignore-own")
    var own = Samples.resolved()
    own.isOwn = true
    #expect(run.take(own, .added) == nil && run.take(own, .updated) == nil)
    #expect(run.take(own, .removed(.goodbye)) == nil)
    #expect(run.status(.stopped) == .negative && run.summary(duration: 0).removed == 0)
    #expect(run.take(own, .added) == nil)
    #expect(run.take(Samples.resolved(), .updated) == .added)
    #expect(run.take(own, .updated) == .updated && run.listed.isEmpty)
    let all = try ledger()
    #expect(all.take(own, .added) == .added && all.listed.count == 1)
  }

  @Test("a type that is told again is no news") func types() throws {
    let run = try ledger("--only-types")
    #expect(run.take(type: Samples.http, interfaceIndex: 2, isAdded: true))
    #expect(!run.take(type: Samples.http, interfaceIndex: 2, isAdded: true))
    #expect(run.take(type: Samples.http, interfaceIndex: 3, isAdded: true))
    #expect(run.take(type: Samples.http, interfaceIndex: 3, isAdded: false))
    #expect(!run.take(type: Samples.http, interfaceIndex: 3, isAdded: false))
    #expect(run.status(.stopped) == .success && run.summary(duration: 0).present == 1)
    // Types alone are no services.
    let services = try ledger()
    _ = services.take(type: Samples.http, interfaceIndex: 2, isAdded: true)
    #expect(services.status(.stopped) == .negative)
  }

  @Test("domains count when they are what is asked for") func domains() throws {
    let run = try ledger("--domains")
    for kind: BrowsingDomainKind in [.browse, .register] {
      #expect(run.take(domain: Samples.local, kind, isAdded: true))
    }
    #expect(run.summary(duration: 0).line == "2 domains; 0 ms")
  }
}

@Suite("names that --expect takes") struct ExpectedServiceTests {
  private func matches(_ typed: String, _ service: DiscoveredService) -> Bool {
    ExpectedService(typed).matches(service)
  }

  @Test("instance or whole name, in any case of letters") func forms() {
    let service = Samples.resolved("My Deck.2")
    for typed in [
      "My Deck.2", "my deck.2", #"My Deck\.2._witap2._tcp.local"#,
      #"My\032Deck\.2._witap2._tcp.local."#, #"my deck\.2._WITAP2._tcp"#,
    ] { #expect(matches(typed, service), "\(typed)") }
    for typed in ["My Deck", "Deck", #"My Deck\.2._http._tcp.local"#, "local", "."] {
      #expect(!matches(typed, service), "\(typed)")
    }
  }

  @Test("a letter with a mark matches however it is composed") func composition() {
    #expect(matches("ÉTAGE", Samples.resolved("e\u{301}tage")))
  }
}
