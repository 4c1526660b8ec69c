import Foundation
import LanWire
import TestKit
import Testing

@testable import LanCLI
@testable import LanCore
@testable import LanSystem

private typealias Samples = WatchSamples

private let head = """
  {"schema":"lantool.watch/1","event":"%@","time":"2026-11-30T00:53:20.123456Z","seq":%d
  """

private func begin(_ event: String, _ number: Int = 1) -> String {
  String(format: head.replacingOccurrences(of: "\n", with: ""), event, number)
}

/// Lines of every event, for the schema.
private func everyLine() -> String {
  var json = WatchJSON()
  let moment = Samples.moment
  var facts = ReachabilityFacts()
  let link = LinkState(
    index: 7, name: "v\"0", flags: [.up, .lowerUp], operational: .dormant)
  _ = facts.links.apply(link)
  let address = InterfaceAddress(
    Samples.address("fe80::1"), prefixLength: 64, interfaceIndex: 7, standing: .tentative)
  _ = facts.addresses.apply(address)
  let path = WatchSurroundings(facts, ranked: [], servers: ["192.0.2.53", "fe80::53%v0"])
  let probe = ProbeReport(
    target: 0, probe: .tcp(port: 443), address: Samples.address("192.0.2.7"),
    outcome: .connectivity(.limited), detail: "refused", elapsed: 1_234_567)
  let leg = RouteLeg(interfaceIndex: 7, gateway: Samples.address("fe80::2"))
  let route = DefaultRoute(RouteChange(.all(isIPv6: true), priority: 1_024, legs: [leg, leg]))
  let key = NeighbourKey(interfaceIndex: 7, address: Samples.address("fe80::2"))
  let events: [(KernelEvent.Action, KernelEvent.Subject)] = [
    (.renamed, .link(link, previous: LinkState(index: 7, name: "w0", flags: []))),
    (.failed, .address(address)), (.changed, .route(route, previous: route)),
    (.failed, .neighbour(key, .failed)),
  ]
  var named = Samples.reachable
  named.addresses = [.init(address: Samples.address("198.51.100.7"), way: Samples.way())]
  var log = AvailabilityLog(at: 0)
  log.add(Samples.report(Samples.reachable, at: 0))
  log.add(Samples.report(Samples.noCarrier, from: Samples.reachable, at: 4_000_000_000))
  let summary = WatchSummary(
    targets: [.init(name: "default", verdict: Samples.noCarrier, log: log)],
    start: WatchMoment(wall: 0, monotonic: 0), end: moment, overruns: 1)
  return Samples.written { out in
    json.append(
      Samples.report(Samples.reachable), target: "default", surroundings: path,
      verification: WatchAnswer(probe), at: moment, to: &out)
    json.append(
      Samples.report(Samples.noCarrier, from: named, cause: .link("v0")), target: "default",
      surroundings: nil, verification: nil, at: moment, to: &out)
    json.append(
      Samples.report(named, from: Samples.noCarrier, cause: .poll), target: "n",
      surroundings: nil, verification: nil, at: moment, to: &out)
    for reason in VerdictReason.allCases {
      json.append(
        Samples.report(Verdict(best: Samples.noWay(reason))), target: "n", surroundings: nil,
        verification: nil, at: moment, to: &out)
    }
    json.append(resyncAfter: 2, surroundings: path, at: moment, to: &out)
    json.append(WatchAnswer(probe), of: "default", at: moment, to: &out)
    for (action, subject) in events {
      json.append(
        KernelEvent(action, subject, interface: "v0", interfaceIndex: 7), links: LinkTable(),
        at: moment, to: &out)
    }
    json.append(summary, at: moment, to: &out)
  }
}

@Suite("watch as JSON Lines") struct WatchJSONTests {
  @Test("a snapshot has the contract's fields, in their order") func snapshot() {
    var json = WatchJSON()
    let line = Samples.written {
      json.append(
        Samples.report(Samples.reachable), target: "default", surroundings: nil,
        verification: nil, at: Samples.moment, to: &$0)
    }
    #expect(
      line == begin("snapshot") + """
        ,"target":"default","status":"reachableViaWiFi","statusCode":2,"connection":"notNeeded",\
        "medium":"ethernet","flags":["reachable"],"flagsValue":2,"interface":"v0",\
        "interfaceIndex":7,"source":"192.0.2.10","gateway":"192.0.2.1","nextHop":"unknown",\
        "families":{"ipv4":{"reachable":true,"interface":"v0","interfaceIndex":7,\
        "source":"192.0.2.10","gateway":"192.0.2.1","medium":"ethernet","flagsValue":2},\
        "ipv6":{"reachable":false,"flagsValue":0,"reason":"no-route"}},\
        "monotonicNanoseconds":5000000000,"why":[{"fact":"route","bearing":"supports",\
        "family":"ipv4","prefix":"0.0.0.0/0","kind":"unicast","table":254,"protocol":16,\
        "metric":100},{"fact":"link","bearing":"supports","family":"ipv4","interface":"v0",\
        "medium":"ethernet","up":true,"carrier":true,"operState":"up"},{"fact":"no-route",\
        "bearing":"decides","family":"ipv6","reason":"no-route"}]}

        """)
  }

  @Test("a change has its cause and what was before, and the numbers have no gap")
  func change() throws {
    let lines = everyLine().split(separator: "\n")
    let change = String(lines[1])
    #expect(change.hasPrefix(begin("change", 2)))
    #expect(change.contains(#""reason":"no-carrier""#))
    #expect(
      change.contains(#""cause":"link","causedBy":"v0","previous":{"reachable":true,"status":"#))
    for (index, line) in lines.enumerated() { #expect(line.contains(#""seq":\#(index + 1),"#)) }
  }

  @Test("a link-local address carries its zone, with its prefix length behind it")
  func zones() {
    let text = everyLine()
    #expect(text.contains(#""address":"fe80::1%v0/64","standing":"tentative""#))
    #expect(text.contains(#""destination":"::/0","gateway":"fe80::2%v0""#))
    #expect(text.contains(#""address":"fe80::2%v0","state":"failed""#))
    #expect(text.contains(#""interface":"v\"0""#))
  }

  @Test("every kind of line fits the schema") func schema() throws {
    let lines = everyLine()
    for line in lines.split(separator: "\n") {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    #expect(try SchemaCheck.faults(lines, of: "watch") == "")
  }

  @Test("the program of --exec finds the facts, and no variable for what is not there")
  func variables() {
    func value(_ name: String, _ report: ReachabilityReport) -> String? {
      WatchHook.variables(report, target: "t", time: "now").first { $0.name == name }?.value
    }
    let report = Samples.report(
      Samples.noCarrier, from: Samples.reachable, cause: .link("v0"))
    #expect(value("LANTOOL_EVENT", report) == "change")
    #expect(value("LANTOOL_STATUS", report) == "notReachable")
    #expect(value("LANTOOL_PREVIOUS_STATUS", report) == "reachableViaWiFi")
    #expect(value("LANTOOL_REASON", report) == "no-carrier")
    #expect(value("LANTOOL_GATEWAY", report) == nil)
    #expect(value("LANTOOL_IPV4", Samples.report(Samples.reachable)) == "yes")
    #expect(value("LANTOOL_IPV6", Samples.report(Samples.reachable)) == "no")
  }
}

@Suite("watch's exit status") struct WatchLedgerTests {
  private func status(_ words: String..., verdicts: [Verdict?]) throws -> LanCLI.ExitStatus {
    let targets = verdicts.indices.map { "192.0.2.\($0 + 1)" }
    let parsed = try ArgumentParser(command: .watch).parse(
      (words + targets).map { Array($0.utf8) })
    var ledger = WatchLedger(try WatchConfiguration(parsed) { [] }, at: 0)
    for (index, verdict) in verdicts.enumerated() {
      guard let verdict else { continue }
      ledger.add(Samples.report(verdict, number: index), at: Samples.moment)
    }
    return ledger.status
  }

  private var unresolved: Verdict { Verdict(best: Samples.noWay(.nameNotFound)) }

  @Test("all must hold for 0; one that does not gives 1, one that is not known gives 2")
  func all() throws {
    #expect(try status(verdicts: [Samples.reachable, Samples.reachable]) == .success)
    #expect(try status(verdicts: [Samples.reachable, Samples.noCarrier]) == .negative)
    #expect(try status(verdicts: [Samples.reachable, unresolved]) == .undetermined)
    #expect(try status(verdicts: [Samples.noCarrier, unresolved]) == .negative)
    #expect(try status(verdicts: [Samples.reachable, nil]) == .undetermined)
  }

  @Test("with --any one that holds is enough") func any() throws {
    #expect(try status("--any", verdicts: [Samples.reachable, Samples.noCarrier]) == .success)
    #expect(try status("--any", verdicts: [Samples.noCarrier, unresolved]) == .undetermined)
    #expect(try status("--any", verdicts: [Samples.noCarrier, Samples.noCarrier]) == .negative)
  }

  @Test("a link that needs a person is not reachable, one that comes up by itself is")
  func dormant() throws {
    let gated: ReachabilityFlags = [.reachable, .connectionRequired]
    #expect(try status(verdicts: [Verdict(best: Samples.way(gated))]) == .negative)
    let automatic = gated.union(.connectionOnDemand)
    #expect(try status(verdicts: [Verdict(best: Samples.way(automatic))]) == .success)
  }
}
