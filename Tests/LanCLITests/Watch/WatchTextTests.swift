import Foundation
import LanSystem
import LanWire
import TestKit
import Testing

@testable import LanCLI
@testable import LanCore

private typealias Samples = WatchSamples

/// One report as text without its time.
private func line(
  _ report: ReachabilityReport, target: String = "default", compact: Bool = false,
  why: Bool = false
) -> String {
  var text = WatchText(
    style: TerminalStyle(isOn: false), isCompact: compact, showsWhy: why, targets: [target])
  let all = Samples.written {
    text.append(report, target: target, verification: nil, at: Samples.moment, to: &$0)
  }
  // The local time takes 26 columns.
  return String(all.dropFirst(28).dropLast())
}

@Suite("watch as text") struct WatchTextTests {
  @Test("a route is called a route, and nothing more is promised") func route() {
    #expect(
      line(Samples.report(Samples.reachable))
        == "default  reachable (ethernet)  route to anywhere via 192.0.2.1 on v0 from 192.0.2.10; "
        + "IPv6: no route  [Reachable]")
    let direct = Samples.way([.reachable, .isDirect], gateway: nil)
    let target = ReachabilityTarget.address(Samples.address("192.0.2.7"), zone: nil)
    #expect(
      line(
        Samples.report(Verdict(best: direct, ipv4: direct), target: target), target: "192.0.2.7")
        == "192.0.2.7  reachable (ethernet)  route to 192.0.2.7 on v0 from 192.0.2.10  "
        + "[Reachable,Directly Reachable Address]")
  }

  @Test("a loss says what was lost, and what told of it") func loss() {
    let report = Samples.report(
      Samples.noCarrier, from: Samples.reachable, cause: .link("v0"))
    #expect(
      line(report)
        == "default  not reachable (ethernet)  no carrier: v0  [Not Reachable]  <- link v0")
  }

  @Test(
    "each state between the flags and traffic has its words",
    arguments: [
      ([.reachable], "reachable (cellular)"),
      ([.reachable, .connectionRequired, .connectionOnTraffic], "reachable on demand (cellular)"),
      ([.reachable, .connectionRequired, .connectionOnDemand], "reachable on demand (cellular)"),
      ([.reachable, .connectionRequired], "needs a connection (cellular)"),
      (
        [.reachable, .connectionRequired, .connectionOnTraffic, .interventionRequired],
        "needs a person (cellular)"
      ),
    ] as [(ReachabilityFlags, String)])
  func words(_ flags: ReachabilityFlags, _ words: String) {
    let way = Samples.way(flags, medium: .cellular)
    #expect(line(Samples.report(Verdict(best: way))).hasPrefix("default  \(words)  "))
  }

  @Test("a name shows the address that it is reached at, a name from outside cannot steer")
  func name() {
    let way = Samples.way()
    let address = Verdict.AddressVerdict(address: Samples.address("198.51.100.7"), way: way)
    let verdict = Verdict(best: way, ipv4: way, addresses: [address])
    let text = line(Samples.report(verdict, target: .host("nas")), target: "nas")
    #expect(text.contains("route to nas (198.51.100.7) via 192.0.2.1"))
    let hostile = line(
      Samples.report(verdict, target: .host("x\u{1B}[2J{source}")), target: "x\u{1B}[2J{source}")
    #expect(!hostile.contains("\u{1B}") && hostile.contains("x\\027[2J{source} (198"))
  }

  @Test("--compact shows the letters") func compact() {
    #expect(line(Samples.report(Samples.reachable), compact: true) == "default  -R -------  v0")
  }

  @Test("--why shows the facts in order, each with its sign") func why() {
    #expect(
      line(Samples.report(Samples.reachable), why: true).split(separator: "\n").dropFirst() == [
        "    + IPv4: route 0.0.0.0/0 in table main by DHCP, metric 100",
        "    + IPv4: link v0 (ethernet): up, carrier, state up",
        "    ! IPv6: nothing leads out: no route",
      ])
  }

  @Test("what the kernel tells, in its meaning") func events() {
    func text(_ event: KernelEvent) -> String {
      "\(event.word) \(event.action.rawValue)  \(event.text(LinkTable()))"
    }
    var link = LinkState(index: 7, name: "v0", flags: [.up], operational: .lowerLayerDown)
    let named = link
    #expect(
      text(KernelEvent(.changed, .link(link, previous: nil), interface: "v0", interfaceIndex: 7))
        == "link changed  v0: up, no carrier, state lowerlayerdown")
    link.name = "w0"
    #expect(
      text(
        KernelEvent(.renamed, .link(link, previous: named), interface: "w0", interfaceIndex: 7))
        == "link renamed  w0: up, no carrier, state lowerlayerdown, was v0")
    let address = InterfaceAddress(
      Samples.address("fe80::1"), prefixLength: 64, interfaceIndex: 7, standing: .tentative)
    #expect(
      text(KernelEvent(.added, .address(address), interface: "v0", interfaceIndex: 7))
        == "address added  fe80::1%v0/64 on v0 (tentative)")
    let leg = RouteLeg(interfaceIndex: 7, gateway: Samples.address("192.0.2.1"))
    let route = DefaultRoute(RouteChange(.all(isIPv6: false), priority: 100, legs: [leg]))
    #expect(
      text(
        KernelEvent(.removed, .route(route, previous: nil), interface: "v0", interfaceIndex: 7))
        == "route removed  0.0.0.0/0 via 192.0.2.1 on v0, metric 100")
  }

  @Test("the summary names outages, their spans and the availability") func summary() {
    var log = AvailabilityLog(at: 0)
    log.add(Samples.report(Samples.reachable, at: 0))
    log.add(Samples.report(Samples.noCarrier, from: Samples.reachable, at: 60_000_000_000))
    log.add(Samples.report(Samples.reachable, from: Samples.noCarrier, at: 62_500_000_000))
    let summary = WatchSummary(
      targets: [.init(name: "default", verdict: Samples.reachable, log: log)],
      start: WatchMoment(wall: 0, monotonic: 0),
      end: WatchMoment(wall: 100_000_000_000, monotonic: 100_000_000_000), overruns: 0)
    let lines = Samples.written { summary.appendText(TerminalStyle(isOn: false), to: &$0) }
      .split(separator: "\n")
    #expect(
      lines.first
        == "--- default: reachable 97.500 % of 1m 40s; changes: 2; outages: 1, longest 2.5 s")
    #expect(lines.count == 2 && lines[1].hasSuffix(" 2.5 s  no carrier"))
  }

  @Test("spans and shares are cut, never rounded up") func spans() {
    #expect(
      [
        0, 999_999_999, 1_000_000_000, 59_999_999_999, 60_000_000_000, 3_723_000_000_000,
        90_000_000_000_000,
      ].map(WatchWords.span) == [
        "0 ms", "999 ms", "1.0 s", "59.9 s", "1m 0s", "1h 2m 3s", "1d 1h 0m 0s",
      ])
    #expect(WatchWords.percent(0.9999999) == "99.999 %" && WatchWords.percent(1) == "100.000 %")
  }

  @Test("the status line fits the terminal, also with wide characters") func statusLine() {
    var line = StatusLine(style: TerminalStyle(isOn: false))
    let state = WatchStatusLine.State(
      name: "網路主機名稱網路", verdict: Samples.reachable, changes: 1, outages: 0, since: "16:04:05")
    func text(_ width: Int) -> String { WatchStatusLine.text([state], room: width - 1) }
    let first = Samples.written { line.draw(text(64), width: 64, to: &$0) }
    #expect(plainLines(first) == ["網路主機名稱~: reachable since 16:04:05; changes: 1; outages: 0"])
    let second = Samples.written { line.draw(text(21), width: 21, to: &$0) }
    #expect(plainLines(second) == ["網路主機~: reachabl~"])
    #expect(Samples.written { line.clear(to: &$0) } == "\r\u{1B}[J")
    #expect(Samples.written { line.clear(to: &$0) } == "")
    #expect(Samples.written { line.draw(text(8), width: 8, to: &$0) } == "")
  }

  @Test("several targets are counted, and those that fail are named as far as there is room")
  func manyTargets() {
    func state(_ name: String, _ verdict: Verdict) -> WatchStatusLine.State {
      .init(name: name, verdict: verdict, changes: 0, outages: 0, since: "")
    }
    let states = [state("a", Samples.reachable), state("b", Samples.noCarrier)]
    #expect(WatchStatusLine.text(states, room: 80) == "1 of 2 reachable; not: b")
    let all = states + ["host-c", "host-d", "host-e"].map { state($0, Samples.noCarrier) }
    #expect(
      WatchStatusLine.text(all, room: 48) == "1 of 5 reachable; not: b, host-c, host-d, host-e")
    #expect(WatchStatusLine.text(all, room: 47) == "1 of 5 reachable; not: b, host-c, host-d, +1")
    #expect(WatchStatusLine.text(all, room: 30) == "1 of 5 reachable; not: b, +3")
  }

  @Test("every text of the sources is in every catalogue, in the same places")
  func catalogues() throws {
    let pattern = /MessageCatalog\.text\(\s*"((?:[^"\\]|\\.)*)"\s*\)/
    var texts: Set<String> = []
    let sources = Repository.top.appending(path: "Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      let source = try String(contentsOf: file, encoding: .utf8)
      texts.formUnion(source.matches(of: pattern).map { String($0.1) })
    }
    #expect(texts.count > 50)
    for language in ["zh_CN", "zh_TW", "ja", "de", "fr", "es"] {
      let file = String(decoding: try Repository.bytes("po/\(language).po"), as: UTF8.self)
      let entries = file.matches(of: /msgid "(.*)"\nmsgstr "(.*)"/).filter { !$0.1.isEmpty }
      #expect(Set(entries.map { String($0.1) }) == texts, "\(language)")
      for entry in entries {
        func places(_ text: Substring) -> [String] {
          text.matches(of: /\{[a-z]+\}/).map { String($0.0) }.sorted()
        }
        #expect(!entry.2.isEmpty && places(entry.1) == places(entry.2), "\(language): \(entry.1)")
      }
    }
  }
}
