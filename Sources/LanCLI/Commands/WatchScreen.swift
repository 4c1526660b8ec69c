import LanCore
import LanSystem

/// Where the records of a run go: standard output, and the status line of a terminal.
struct WatchScreen: ~Copyable {
  private enum Form {
    case json(WatchJSON)
    case text(WatchText)
    case nothing
  }

  private var form: Form
  private var line: StatusLine?
  private var out = OutputBuffer()
  private let style: TerminalStyle
  /// False once standard output takes nothing any more.
  private(set) var isWritable = true

  init(_ configuration: WatchConfiguration) {
    style = TerminalStyle(isOn: configuration.isColoured)
    var isText = true
    switch configuration.output {
    case .json:
      form = .json(WatchJSON())
      isText = false
    case .text, .compact:
      var isCompact = false
      if case .compact = configuration.output { isCompact = true }
      form = .text(
        WatchText(
          style: style, isCompact: isCompact, showsWhy: configuration.showsWhy,
          targets: configuration.targets.map(\.name)))
    case .quiet:
      form = .nothing
      isText = false
    }
    if case .once = configuration.mode { isText = false }
    if isText, configuration.replay == nil, TerminalOutput.canRedraw {
      line = StatusLine(style: style)
    }
  }

  /// True if there is a line that follows the size of the terminal.
  var hasStatusLine: Bool { line != nil }

  /// Shows a verdict.
  mutating func show(
    _ report: ReachabilityReport, _ entry: WatchLedger.Entry, _ surroundings: WatchSurroundings?,
    at moment: WatchMoment
  ) {
    line?.clear(to: &out)
    switch form {
    case .json(var json):
      json.append(
        report, target: entry.name, surroundings: surroundings, verification: entry.answer,
        at: moment, to: &out)
      form = .json(json)
    case .text(var text):
      text.append(report, target: entry.name, verification: entry.answer, at: moment, to: &out)
      form = .text(text)
    case .nothing: break
    }
  }

  /// Shows what the kernel told.
  mutating func show(_ event: KernelEvent, _ links: LinkTable, at moment: WatchMoment) {
    guard event.isTelling else { return }
    line?.clear(to: &out)
    switch form {
    case .json(var json):
      json.append(event, links: links, at: moment, to: &out)
      form = .json(json)
    case .text(var text):
      text.append(event, links: links, at: moment, to: &out)
      form = .text(text)
    case .nothing: break
    }
  }

  /// Shows that messages were lost and the state was read anew.
  mutating func show(
    resyncAfter overruns: Int, _ surroundings: WatchSurroundings?, at moment: WatchMoment
  ) {
    line?.clear(to: &out)
    switch form {
    case .json(var json):
      json.append(resyncAfter: overruns, surroundings: surroundings, at: moment, to: &out)
      form = .json(json)
    case .text(var text):
      text.append(resyncAfter: overruns, surroundings: surroundings, at: moment, to: &out)
      form = .text(text)
    case .nothing: break
    }
  }

  /// Shows what a probe found.
  mutating func show(_ answer: WatchAnswer, of target: String, at moment: WatchMoment) {
    line?.clear(to: &out)
    switch form {
    case .json(var json):
      json.append(answer, of: target, at: moment, to: &out)
      form = .json(json)
    case .text(var text):
      text.append(answer, of: target, at: moment, to: &out)
      form = .text(text)
    case .nothing: break
    }
  }

  /// Shows the interfaces in their rank, for people who follow events.
  mutating func show(_ surroundings: WatchSurroundings) {
    guard case .text(let text) = form else { return }
    line?.clear(to: &out)
    text.append(surroundings, to: &out)
  }

  /// Shows the end; a run that shows its state once has none for people.
  mutating func show(_ summary: WatchSummary, isForPeople: Bool) {
    line?.clear(to: &out)
    switch form {
    case .json(var json):
      json.append(summary, at: summary.end, to: &out)
      form = .json(json)
    case .text: if isForPeople { summary.appendText(style, to: &out) }
    case .nothing: break
    }
  }

  /// Takes the status line away for a diagnostic on standard error.
  mutating func makeRoom() {
    line?.clear(to: &out)
    flush()
  }

  /// Takes the status line for lost: others have had the terminal.
  mutating func forget() { line?.forget() }

  /// Draws the status line anew, at the terminal's width of now.
  mutating func redraw(_ ledger: WatchLedger) {
    guard line != nil, TerminalOutput.isForeground else { return }
    var times = TimeText()
    var zone = LocalTime()
    var scratch = OutputBuffer(capacity: 64)
    let states = ledger.entries.map { entry in
      scratch.removeAll()
      var since = ""
      if let moment = entry.since {
        times.appendLocal(moment.wall, digits: 1, &zone, to: &scratch)
        // The time of day out of `2026-11-30 16:04:05.1`.
        since = scratch.withBytes { bytes in
          String(decoding: (11..<19).map { bytes[$0] }, as: UTF8.self)
        }
      }
      return WatchStatusLine.State(
        name: entry.name, verdict: entry.verdict, changes: entry.log.changeCount,
        outages: entry.log.outageCount, since: since)
    }
    // A serial line does not know its width.
    let width = TerminalOutput.columns ?? 80
    line?.draw(
      WatchStatusLine.text(states, room: LivePicture.room(width)), width: width, to: &out)
  }

  /// Hands what was shown to standard output.
  mutating func flush() {
    if case .text = form { CommandSetup.fit(&out) }
    CommandSetup.flush(&out, &isWritable, WatchCommand.complain)
  }
}
