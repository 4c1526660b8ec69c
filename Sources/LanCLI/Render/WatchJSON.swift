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
  private(set) var sequence = 0
  private var time = TimeText()

  /// Writes a `snapshot` or a `change`.
  ///
  /// `surroundings` are the interfaces and servers that go with the default path.
  mutating func append(
    _ report: ReachabilityReport, target: String, surroundings: WatchSurroundings?,
    verification: WatchAnswer?, at moment: WatchMoment, to out: inout OutputBuffer
  ) {
    begin(report.isSnapshot ? "snapshot" : "change", at: moment, to: &out)
    out.append(",\"target\":")
    out.appendJSON(string: target)
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
    out.append(",\"monotonicNanoseconds\":")
    out.append(moment.monotonic)
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
    begin(event.word, at: moment, to: &out)
    out.append(",\"action\":\"")
    out.append(text: event.action.rawValue)
    out.append("\"")
    if let name = event.interface {
      out.append(",\"interface\":")
      out.appendJSON(string: name)
    }
    if let index = event.interfaceIndex, index != 0 {
      out.append(",\"interfaceIndex\":")
      out.append(index)
    }
    event.appendJSON(links, to: &out)
    out.append(",\"monotonicNanoseconds\":")
    out.append(moment.monotonic)
    out.append("}\n")
  }

  /// Writes a `resync`: messages were lost, and the state was read anew.
  mutating func append(
    resyncAfter overruns: Int, surroundings: WatchSurroundings?, at moment: WatchMoment,
    to out: inout OutputBuffer
  ) {
    begin("resync", at: moment, to: &out)
    out.append(",\"overruns\":")
    out.append(overruns)
    out.append(",\"monotonicNanoseconds\":")
    out.append(moment.monotonic)
    if let surroundings { surroundings.appendJSON(to: &out) }
    out.append("}\n")
  }

  /// Writes a `verification`: what a probe found.
  mutating func append(
    _ answer: WatchAnswer, of target: String, at moment: WatchMoment, to out: inout OutputBuffer
  ) {
    begin("verification", at: moment, to: &out)
    out.appendJSON("target", target)
    answer.appendJSON(to: &out)
    out.append(",\"monotonicNanoseconds\":")
    out.append(moment.monotonic)
    out.append("}\n")
  }

  /// Writes the `summary`.
  mutating func append(
    _ summary: WatchSummary, at moment: WatchMoment, to out: inout OutputBuffer
  ) {
    begin("summary", at: moment, to: &out)
    summary.appendJSON(to: &out)
    out.append("}\n")
  }

  private mutating func begin(
    _ event: String, at moment: WatchMoment, to out: inout OutputBuffer
  ) {
    sequence += 1
    out.append("{\"schema\":\"lantool.watch/1\",\"event\":\"")
    out.append(text: event)
    out.append("\",\"time\":\"")
    time.appendUTC(moment.wall, digits: 6, to: &out)
    out.append("\",\"seq\":")
    out.append(sequence)
  }

  // MARK: Verdicts

  /// Writes what a verdict says of its best way.
  private func append(summaryOf verdict: Verdict, to out: inout OutputBuffer) {
    let best = verdict.best
    out.append(",\"status\":\"")
    out.append(text: verdict.status.word)
    out.append("\",\"statusCode\":")
    out.append(verdict.status.rawValue)
    out.append(",\"connection\":\"")
    out.append(text: verdict.connection.rawValue)
    out.append("\",\"medium\":\"")
    out.append(text: best.medium.rawValue)
    out.append("\",\"flags\":[")
    for (index, name) in best.flags.names.enumerated() {
      out.append(text: "\(index > 0 ? "," : "")\"\(name)\"")
    }
    out.append("],\"flagsValue\":")
    out.append(best.flags.rawValue)
    append(way: best, to: &out)
    out.append(",\"nextHop\":\"")
    out.append(text: best.nextHop.rawValue)
    out.append("\"")
    if let reason = best.reason {
      out.append(",\"reason\":\"")
      out.append(text: reason.rawValue)
      out.append("\"")
    }
  }

  private func append(way: WayVerdict, to out: inout OutputBuffer) {
    if let interface = way.interface {
      out.append(",\"interface\":")
      out.appendJSON(string: interface.name)
      out.append(",\"interfaceIndex\":")
      out.append(interface.index)
    }
    for (key, address) in [("source", way.source), ("gateway", way.gateway)] {
      guard let address else { continue }
      out.append(text: ",\"\(key)\":")
      out.appendJSON(string: address.text(zone: way.interface?.name))
    }
    if !way.members.isEmpty {
      out.append(",\"members\":")
      out.appendJSON(list: way.members)
    }
    if way.isPartial { out.append(",\"partial\":true") }
  }

  /// Writes the members of an object about one way.
  private func append(members way: WayVerdict, to out: inout OutputBuffer) {
    out.append("\"reachable\":")
    out.append(bool: way.isReachable)
    append(way: way, to: &out)
    if way.interface != nil {
      out.append(",\"medium\":\"")
      out.append(text: way.medium.rawValue)
      out.append("\"")
    }
    out.append(",\"flagsValue\":")
    out.append(way.flags.rawValue)
    if let reason = way.reason {
      out.append(",\"reason\":\"")
      out.append(text: reason.rawValue)
      out.append("\"")
    }
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
    out.append(",\"cause\":\"")
    out.append(text: report.cause.word)
    out.append("\"")
    if let subject = report.cause.subject {
      out.append(",\"causedBy\":")
      out.appendJSON(string: subject)
    }
    if report.suppressedChanges > 0 {
      out.append(",\"suppressedChanges\":")
      out.append(report.suppressedChanges)
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
