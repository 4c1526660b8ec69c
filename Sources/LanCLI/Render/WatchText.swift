import LanCore
import LanSystem
import LanWire

/// Writes verdicts and events for people, one line each.
struct WatchText {
  private var time = TimeText()
  private var zone = LocalTime()
  let style: TerminalStyle
  /// Flags as letters in place of sentences.
  let isCompact: Bool
  /// The facts behind each verdict, on lines of their own.
  let showsWhy: Bool
  /// Columns of the widest target, so that lines are aligned.
  let width: Int

  init(style: TerminalStyle, isCompact: Bool, showsWhy: Bool, targets: [String]) {
    self.style = style
    self.isCompact = isCompact
    self.showsWhy = showsWhy
    width = min(targets.map(\.shown.columns).max() ?? 0, 40)
  }

  /// Writes a verdict.
  mutating func append(
    _ report: ReachabilityReport, target: String, verification: WatchAnswer?,
    at moment: WatchMoment, to out: inout OutputBuffer
  ) {
    let verdict = report.verdict
    begin(at: moment, to: &out)
    style.begin(.bold, to: &out)
    out.append(text: target.shown.padded(to: width))
    style.end(to: &out)
    out.append("  ")
    style.begin(verdict.tone, to: &out)
    out.append(text: isCompact ? verdict.flags.compactLetters : WatchWords.headline(verdict))
    style.end(to: &out)
    if isCompact {
      out.append(text: verdict.best.interface.map { "  \($0.name)" } ?? "", escape: .shown)
    } else {
      out.append("  ")
      out.append(text: WatchWords.way(verdict, report.question.target), escape: .shown)
      if let verification { out.append(text: "; \(verification.text)", escape: .shown) }
    }
    style.begin(.dim, to: &out)
    if !isCompact { out.append(text: "  [\(verdict.flags)]") }
    if report.previous != nil {
      let subject = report.cause.subject.map { " \($0)" } ?? ""
      out.append(text: "  <- \(report.cause.word)\(subject)", escape: .shown)
    }
    if report.suppressedChanges > 0 {
      out.append(text: "  (\(report.suppressedChanges) suppressed)")
    }
    style.end(to: &out)
    out.append("\n")
    if showsWhy { append(why: verdict, to: &out) }
  }

  private func append(why verdict: Verdict, to out: inout OutputBuffer) {
    for fact in verdict.why {
      let why = WatchWhy(fact: fact)
      out.append("    ")
      let tone: TerminalStyle.Tone =
        fact.bearing == .supports ? .green : fact.bearing == .decides ? .red : .dim
      style.begin(tone, to: &out)
      out.append(text: why.sign)
      style.end(to: &out)
      out.append(text: " \(why.line)", escape: .shown)
      out.append("\n")
    }
  }

  /// Writes what a probe found.
  mutating func append(
    _ answer: WatchAnswer, of target: String, at moment: WatchMoment, to out: inout OutputBuffer
  ) {
    begin(at: moment, to: &out)
    style.begin(.bold, to: &out)
    out.append(text: target.shown.padded(to: width))
    style.end(to: &out)
    out.append("  ")
    style.begin(answer.isVerified ? .green : .yellow, to: &out)
    out.append(text: answer.text, escape: .shown)
    style.end(to: &out)
    out.append("\n")
  }

  /// Writes what the kernel told.
  ///
  /// `links` gives the names of bridges and bonds.
  mutating func append(
    _ event: KernelEvent, links: LinkTable, at moment: WatchMoment, to out: inout OutputBuffer
  ) {
    begin(at: moment, to: &out)
    style.begin(.cyan, to: &out)
    out.append(text: "\(event.word) \(event.action.rawValue)")
    style.end(to: &out)
    out.append(text: "  \(event.text(links))", escape: .shown)
    out.append("\n")
  }

  /// Writes that messages were lost and the state was read anew.
  mutating func append(
    resyncAfter overruns: Int, surroundings: WatchSurroundings?, at moment: WatchMoment,
    to out: inout OutputBuffer
  ) {
    begin(at: moment, to: &out)
    style.begin(.yellow, to: &out)
    out.append("resync")
    style.end(to: &out)
    out.append("  ")
    out.append(
      text: WatchWords.fill(
        MessageCatalog.text("messages were lost ({count}), the state was read anew"),
        ["count": "\(overruns)"]))
    out.append("\n")
    append(surroundings, to: &out)
  }

  /// Writes a line for each interface.
  func append(_ surroundings: WatchSurroundings?, to out: inout OutputBuffer) {
    for line in surroundings?.lines ?? [] {
      out.append("    ")
      out.append(text: line, escape: .shown)
      out.append("\n")
    }
  }

  private mutating func begin(at moment: WatchMoment, to out: inout OutputBuffer) {
    style.begin(.dim, to: &out)
    time.appendLocal(moment.wall, digits: 6, &zone, to: &out)
    style.end(to: &out)
    out.append("  ")
  }
}

extension KernelEvent {
  /// What the event is about, for people.
  func text(_ links: LinkTable) -> String {
    let place = interface.map { " on \($0)" } ?? ""
    switch subject {
    case .link(let link, let previous):
      var parts = [link.isUp ? "up" : "off", link.hasCarrier ? "carrier" : "no carrier"]
      parts.append("state \(link.operational.word)")
      if let previous, previous.name != link.name { parts.append("was \(previous.name)") }
      if link.isProtocolDown { parts.append("held down by a protocol") }
      if let master = link.master { parts.append("in \(links.name(of: master))") }
      if let master = previous?.master, link.master != master {
        parts.append("no more in \(links.name(of: master))")
      }
      return "\(link.name): \(parts.joined(separator: ", "))"
    case .address(let address):
      let standing = address.standing == .preferred ? "" : " (\(address.standing.rawValue))"
      return "\(address.text(zone: interface))\(place)\(standing)"
    case .route(let route, let previous):
      let gateways = route.legs.compactMap { $0.gateway?.text(zone: nil) }
      let via = gateways.isEmpty ? "" : " via \(gateways.joined(separator: ", "))"
      let before = previous?.legs.compactMap { $0.gateway?.text(zone: nil) } ?? []
      let was = before.isEmpty ? "" : ", was via \(before.joined(separator: ", "))"
      let table = route.table == 254 ? "" : " in table \(route.table)"
      return "\(route.destination)\(via)\(place)\(table), metric \(route.priority)\(was)"
    case .neighbour(let key, let state):
      return "\(key.address.text(zone: interface))\(place): \(state.rawValue)"
    }
  }
}
