import LanCore
import LanSystem

/// Where the records of a run go.
struct ResolveScreen: ~Copyable {
  private enum Form {
    case json(ResolveJSON)
    case text(ResolveText)
    case nothing
  }

  private var form: Form
  private var out = OutputBuffer()
  /// False once standard output takes nothing any more.
  private(set) var isWritable = true

  init(_ configuration: ResolveConfiguration) {
    switch configuration.output {
    case .json: form = .json(ResolveJSON())
    case .text:
      form = .text(ResolveText(style: TerminalStyle(isOn: configuration.isColoured)))
    case .quiet: form = .nothing
    }
  }

  /// Shows an answer; `action` where changes are shown, `rule` where it is asked why the order is
  /// as it is.
  mutating func show(
    _ answer: ResolveAnswer, _ action: ResolveAction?, rule: DestinationOrder.Rule? = nil,
    of query: ResolveQuery
  ) {
    switch form {
    case .json(var json):
      json.append(answer, action, rule: rule, of: query, at: WallClock.now, to: &out)
      form = .json(json)
    case .text(let text): text.append(answer, action, rule: rule, to: &out)
    case .nothing: break
    }
  }

  /// Points out that two sources do not agree.
  mutating func show(_ found: ResolveContradiction, of query: ResolveQuery) {
    ResolveCommand.complain(ResolveText.sentence(found, of: query))
    guard case .json(var json) = form else { return }
    json.append(found, of: query, at: WallClock.now, to: &out)
    form = .json(json)
  }

  /// Shows that a query has no answer.
  mutating func show(_ failure: ResolveFailure, of query: ResolveQuery) {
    guard case .json(var json) = form else {
      ResolveCommand.complain(ResolveText.sentence(failure, of: query))
      return
    }
    json.append(failure, of: query, at: WallClock.now, to: &out)
    form = .json(json)
  }

  /// Shows the end; text for people has none.
  mutating func showSummary(_ ledger: ResolveLedger, elapsed: Int64) {
    guard case .json(var json) = form else { return }
    json.append(ledger, elapsed: elapsed, at: WallClock.now, to: &out)
    form = .json(json)
  }

  /// Hands what was shown to standard output.
  mutating func flush() { CommandSetup.flush(&out, &isWritable, ResolveCommand.complain) }
}
