import LanCore
import LanSystem
import LanWire

/// When a record's matter happened, on both clocks.
struct WatchMoment: Hashable {
  /// Nanoseconds since 1970-01-01 UTC.
  var wall: Int64
  /// Nanoseconds of the monotonic clock.
  var monotonic: Int64
}

/// Writes verdicts as JSON Lines, as the contract's chapter on `watch` says.
struct WatchJSON {
  private var head = JSONLineHead("lantool.watch/1")

  /// Writes a `snapshot` or a `change`.
  ///
  /// `surroundings` are the interfaces and servers that go with the default path.
  mutating func append(
    _ report: ReachabilityReport, target: String, surroundings: WatchSurroundings?,
    verification: WatchAnswer?, at moment: WatchMoment, to out: inout OutputBuffer
  ) {
    head.append(report.isSnapshot ? "snapshot" : "change", at: moment.wall, to: &out)
    out.appendJSON("target", target)
    let verdict = report.verdict
    append(summaryOf: verdict, to: &out)
    out.append(",\"families\":{")
    var isFirst = true
    for (name, way) in [("ipv4", verdict.ipv4), ("ipv6", verdict.ipv6)] {
      guard let way else { continue }
      out.append(text: "\(isFirst ? "" : ",")\"\(name)\":{")
      isFirst = false
      append(members: way, to: &out)
      out.append("}")
    }
    out.append("}")
    append(addresses: verdict.addresses, to: &out)
    if let verification { verification.appendJSON(to: &out) }
    out.appendJSON("monotonicNanoseconds", moment.monotonic)
    if let surroundings { surroundings.appendJSON(to: &out) }
    append(why: verdict, to: &out)
    if let previous = report.previous { append(change: report, from: previous, to: &out) }
    out.append("}\n")
  }

  /// Writes a `link`, `address`, `route` or `neighbour`.
  ///
  /// `links` gives the names of bridges and bonds.
  mutating func append(
    _ event: KernelEvent, links: LinkTable, at moment: WatchMoment, to out: inout OutputBuffer
  ) {
    head.append(event.word, at: moment.wall, to: &out)
    out.appendJSON("action", event.action.rawValue)
    if let name = event.interface { out.appendJSON("interface", name) }
    if let index = event.interfaceIndex, index != 0 { out.appendJSON("interfaceIndex", index) }
    event.appendJSON(links, to: &out)
    out.appendJSON("monotonicNanoseconds", moment.monotonic)
    out.append("}\n")
  }

  /// Writes a `resync`: messages were lost, and the state was read anew.
  mutating func append(
    resyncAfter overruns: Int, surroundings: WatchSurroundings?, at moment: WatchMoment,
    to out: inout OutputBuffer
  ) {
    head.append("resync", at: moment.wall, to: &out)
    out.appendJSON("overruns", overruns)
    out.appendJSON("monotonicNanoseconds", moment.monotonic)
    if let surroundings { surroundings.appendJSON(to: &out) }
    out.append("}\n")
  }

  /// Writes a `verification`: what a probe found.
  mutating func append(
    _ answer: WatchAnswer, of target: String, at moment: WatchMoment, to out: inout OutputBuffer
  ) {
    head.append("verification", at: moment.wall, to: &out)
    out.appendJSON("target", target)
    answer.appendJSON(to: &out)
    out.appendJSON("monotonicNanoseconds", moment.monotonic)
    out.append("}\n")
  }

  /// Writes the `summary`.
  mutating func append(
    _ summary: WatchSummary, at moment: WatchMoment, to out: inout OutputBuffer
  ) {
    head.append("summary", at: moment.wall, to: &out)
    summary.appendJSON(to: &out)
    out.append("}\n")
  }

  // MARK: Verdicts

  /// Writes what a verdict says of its best way.
  private func append(summaryOf verdict: Verdict, to out: inout OutputBuffer) {
    let best = verdict.best
    out.appendJSON("status", verdict.status.word)
    out.appendJSON("statusCode", verdict.status.rawValue)
    out.appendJSON("connection", verdict.connection.rawValue)
    out.appendJSON("medium", best.medium.rawValue)
    out.appendJSON("flags", best.flags.names)
    out.appendJSON("flagsValue", best.flags.rawValue)
    append(way: best, to: &out)
    out.appendJSON("nextHop", best.nextHop.rawValue)
    if let reason = best.reason { out.appendJSON("reason", reason.rawValue) }
  }

  private func append(way: WayVerdict, to out: inout OutputBuffer) {
    if let interface = way.interface {
      out.appendJSON("interface", interface.name)
      out.appendJSON("interfaceIndex", interface.index)
    }
    for (key, address) in [("source", way.source), ("gateway", way.gateway)] {
      guard let address else { continue }
      out.append(text: ",\"\(key)\":")
      out.appendJSON(string: address.text(zone: way.interface?.name))
    }
    if !way.members.isEmpty { out.appendJSON("members", way.members) }
    if way.isPartial { out.appendJSON("partial", true) }
  }

  /// Writes the members of an object about one way.
  private func append(members way: WayVerdict, to out: inout OutputBuffer) {
    out.append("\"reachable\":")
    out.append(bool: way.isReachable)
    append(way: way, to: &out)
    if way.interface != nil { out.appendJSON("medium", way.medium.rawValue) }
    out.appendJSON("flagsValue", way.flags.rawValue)
    if let reason = way.reason { out.appendJSON("reason", reason.rawValue) }
  }

  private func append(addresses: [Verdict.AddressVerdict], to out: inout OutputBuffer) {
    guard !addresses.isEmpty else { return }
    out.append(",\"addresses\":[")
    for (index, entry) in addresses.enumerated() {
      out.append(index > 0 ? ",{\"address\":" : "{\"address\":")
      out.appendJSON(string: entry.address.text(zone: entry.way.interface?.name))
      out.append(",")
      append(members: entry.way, to: &out)
      out.append("}")
    }
    out.append("]")
  }

  private func append(
    change report: ReachabilityReport, from previous: Verdict, to out: inout OutputBuffer
  ) {
    out.appendJSON("cause", report.cause.word)
    if let subject = report.cause.subject { out.appendJSON("causedBy", subject) }
    if report.suppressedChanges > 0 {
      out.appendJSON("suppressedChanges", report.suppressedChanges)
    }
    // The head comma belongs to a member that stands in front elsewhere.
    out.append(",\"previous\":{\"reachable\":")
    out.append(bool: previous.status.isReachable)
    append(summaryOf: previous, to: &out)
    out.append("}")
  }

  private func append(why verdict: Verdict, to out: inout OutputBuffer) {
    out.append(",\"why\":[")
    for (index, fact) in verdict.why.enumerated() {
      if index > 0 { out.append(",") }
      let way = fact.isIPv6.map { $0 ? verdict.ipv6 : verdict.ipv4 } ?? verdict.best
      fact.appendJSON(zone: way?.interface?.name ?? verdict.best.interface?.name, to: &out)
    }
    out.append("]")
  }
}

extension ChangeCause {
  /// What the cause is about, as text; nil for one about nothing in particular.
  var subject: String? {
    switch self {
    case .link(let name), .wireless(let name): name.isEmpty ? nil : name
    case .address(let address), .neighbour(let address): "\(address)"
    case .route(let prefix): "\(prefix)"
    case .nextHop(let id): "\(id)"
    default: nil
    }
  }
}
