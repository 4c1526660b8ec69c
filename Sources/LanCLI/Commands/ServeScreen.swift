import LanCore
import LanSystem
import LanWire

/// Where the records of a run go: standard output, with the board of a terminal below.
struct ServeScreen: ~Copyable {
  private enum Form {
    case json(ServeJSON)
    case text(ServeText)
    case nothing
  }

  private var form: Form
  private var board: TapBoard?
  private var tiles = Array(repeating: TapBoard.Tile(), count: TapByte.tileCount)
  private var status = "waiting for a player"
  private var out = OutputBuffer()
  private let isForPeople: Bool
  /// False once standard output takes nothing any more.
  private(set) var isWritable = true

  init(_ configuration: ServeConfiguration) {
    let style = TerminalStyle(isOn: configuration.isColoured)
    switch configuration.output {
    case .json: form = .json(ServeJSON())
    case .text:
      var isGame = false
      if case .tap = configuration.mode { isGame = true }
      form = .text(
        ServeText(style: style, showsBeginnings: isGame || TerminalOutput.isTerminal))
    case .quiet: form = .nothing
    }
    if case .text = configuration.output { isForPeople = true } else { isForPeople = false }
    if configuration.hasTiles { board = TapBoard(style: style) }
  }

  /// Shows an event; taps go to the board where there is one.
  mutating func show(_ event: ServeEvent) {
    if board != nil, take(event) { return redraw() }
    board?.clear(to: &out)
    switch form {
    case .json(var json):
      json.append(event, at: WallClock.now, to: &out)
      form = .json(json)
    case .text(var text):
      text.append(event, at: WallClock.now, to: &out)
      form = .text(text)
    case .nothing: break
    }
    redraw()
  }

  /// Notes on the board what it shows; true where that says it all.
  private mutating func take(_ event: ServeEvent) -> Bool {
    switch event {
    case .tap(let tap, let isSent, _):
      if isSent {
        tiles[tap.tile].isDownHere = tap.isDown
      } else {
        tiles[tap.tile].isDownThere = tap.isDown
      }
      return true
    default: return false
    }
  }

  /// Begins or ends a game on the board.
  mutating func setPlayer(_ peer: SocketEndpoint?) {
    tiles = Array(repeating: TapBoard.Tile(), count: TapByte.tileCount)
    status = peer.map { "playing with \($0.shown); 1-9 tap, q ends" } ?? "waiting for a player"
    redraw()
  }

  /// Draws the board anew.
  mutating func redraw() {
    guard TerminalOutput.isForeground else { return }
    board?.draw(
      tiles, status, width: TerminalOutput.columns ?? 80, height: TerminalOutput.lines ?? 24,
      to: &out)
  }

  /// Takes the board for lost: others have had the terminal.
  mutating func forget() { board?.forget() }

  /// Takes the board away for what others write.
  mutating func makeRoom() {
    board?.clear(to: &out)
    flush()
  }

  /// Shows the end.
  mutating func showSummary(_ ledger: ServeLedger, elapsed: Int64) {
    guard case .json(var json) = form else { return }
    json.append(ledger, elapsed: elapsed, at: WallClock.now, to: &out)
    form = .json(json)
  }

  /// Hands what was shown to standard output.
  mutating func flush() {
    if isForPeople { CommandSetup.fit(&out) }
    CommandSetup.flush(&out, &isWritable, ServeCommand.complain)
  }
}
