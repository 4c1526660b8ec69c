import LanCore
import LanSystem
import LanWire

/// Where the records of a run go: standard output, and the last line of a terminal.
struct PingPeerScreen: ~Copyable {
  private enum Form {
    case json(PingPeerJSON)
    case text(PingPeerText)
    case nothing
  }

  private var form: Form
  private var line: StatusLine?
  private var picker: PeerPickerView
  /// True once the search for peers takes so long that it is worth a word.
  var isSearching = false
  private var out = OutputBuffer()
  private let configuration: PingPeerConfiguration
  /// False once standard output takes nothing any more.
  private(set) var isWritable = true

  init(_ configuration: PingPeerConfiguration) {
    self.configuration = configuration
    let style = TerminalStyle(isOn: configuration.isColoured)
    picker = PeerPickerView(style: style)
    switch configuration.output {
    case .json: form = .json(PingPeerJSON(showsHistogram: configuration.showsHistogram))
    case .text:
      form = .text(PingPeerText(style: style, showsTime: configuration.showsTime))
      if TerminalOutput.canRedraw {
        line = StatusLine(style: style)
      }
    case .quiet: form = .nothing
    }
  }

  /// True if there is a line that is kept up to date in place.
  var hasLine: Bool { line != nil }

  /// True if lines are written for people.
  var isText: Bool { if case .text = form { true } else { false } }

  /// Shows that the test of a target begins.
  mutating func showHead(_ subject: PingPeerSubject) {
    guard case .text(var text) = form else { return }
    line?.clear(to: &out)
    text.appendHead(subject, configuration.probe, at: WallClock.now, to: &out)
    form = .text(text)
  }

  /// Shows an event.
  mutating func show(_ event: PeerProbeEvent, _ subject: PingPeerSubject) {
    switch form {
    case .json(var json):
      json.append(event, subject, at: WallClock.now, to: &out)
      form = .json(json)
    case .text(var text):
      line?.clear(to: &out)
      text.append(event, subject, at: WallClock.now, to: &out)
      form = .text(text)
    case .nothing: break
    }
  }

  /// Shows that a target, or the search for some, came to nothing.
  mutating func showFailure(_ reason: String, _ text: String, of target: String?) {
    guard case .json(var json) = form else { return }
    json.appendFailure(reason, text, of: target, at: WallClock.now, to: &out)
    form = .json(json)
  }

  /// Shows what became of a service's records.
  mutating func show(_ outcome: PingPeerReconfirmation, of target: String) {
    guard case .json(var json) = form else { return }
    json.append(outcome, of: target, at: WallClock.now, to: &out)
    form = .json(json)
  }

  /// Shows the end.
  mutating func showSummary(_ reports: [PingPeerReport]) {
    line?.clear(to: &out)
    switch form {
    case .json(var json):
      json.append(reports, isEnd: true, at: WallClock.now, to: &out)
      form = .json(json)
    case .text(let text):
      for report in reports {
        text.append(report, showsHistogram: configuration.showsHistogram, to: &out)
      }
    case .nothing: break
    }
  }

  /// Shows the figures so far: a record of its own, or lines on standard error.
  mutating func showInterim(_ reports: [PingPeerReport]) {
    if case .json(var json) = form {
      json.append(reports, isEnd: false, at: WallClock.now, to: &out)
      form = .json(json)
      return
    }
    makeRoom()
    for report in reports {
      var text = ""
      if reports.count > 1 { text += "\(printable(Array(report.subject.target.utf8))): " }
      text += PingPeerFigures.lines(report).joined(separator: "\n") + "\n"
      if configuration.showsHistogram {
        text += PeerHistogram.lines(report.summary.histogram).map { "\($0)\n" }.joined()
      }
      StandardError.write(text)
    }
  }

  /// Draws the last line of a terminal: how far the tests are, or that peers are looked for.
  mutating func draw(_ reports: [PingPeerReport]) {
    guard line != nil, TerminalOutput.isForeground else { return }
    let width = TerminalOutput.columns ?? 80
    let text =
      reports.isEmpty
      ? isSearching ? "searching ..." : ""
      : PingPeerFigures.live(reports, room: LivePicture.room(width))
    line?.draw(text, width: width, to: &out)
  }

  /// Draws a list of peers to choose from; nil takes it away.
  mutating func draw(_ list: PeerPicker?) {
    guard let list else { return picker.clear(to: &out) }
    guard TerminalOutput.isForeground else { return }
    picker.draw(
      list, width: TerminalOutput.columns ?? 80, height: TerminalOutput.lines ?? 24, to: &out)
  }

  /// Takes what is drawn in place for lost: others have had the terminal.
  mutating func forget() {
    picker.forget()
    line?.forget()
  }

  /// Takes the last line away for a diagnostic on standard error.
  mutating func makeRoom() {
    picker.clear(to: &out)
    line?.clear(to: &out)
    flush()
  }

  /// Hands what was shown to standard output.
  mutating func flush() {
    if isText { CommandSetup.fit(&out) }
    CommandSetup.flush(&out, &isWritable, PingPeerCommand.complain)
  }
}
