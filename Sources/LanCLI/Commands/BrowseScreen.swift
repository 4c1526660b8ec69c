import LanCore
import LanSystem
import LanWire

/// Where the records of a run go: lines on standard output, or a table on a terminal.
struct BrowseScreen: ~Copyable {
  private enum Form {
    case json(BrowseJSON)
    case lines(BrowseText)
    case table(BrowseTable)
    case zone
    case nothing
  }

  private var form: Form
  private let configuration: BrowseConfiguration
  private let style: TerminalStyle
  private var out = OutputBuffer()
  private var view: TableView
  /// False once standard output takes nothing any more.
  private(set) var isWritable = true

  init(_ configuration: BrowseConfiguration) {
    self.configuration = configuration
    style = TerminalStyle(isOn: configuration.isColoured)
    view = TableView(style: style)
    switch configuration.output {
    case .json: form = .json(BrowseJSON(showsIndex: configuration.file == nil))
    case .zone: form = .zone
    case .quiet: form = .nothing
    case .text:
      if configuration.subject == .services, TerminalOutput.canRedraw {
        form = .table(BrowseTable(resolves: configuration.resolves))
      } else {
        let showsTime = !configuration.isOnce && configuration.subject == .services
        form = .lines(
          BrowseText(style: style, showsTime: showsTime, resolves: configuration.resolves))
      }
    }
  }

  /// True if there is a table that is kept up to date in place.
  var isTable: Bool { if case .table = form { true } else { false } }

  /// Shows what happened to a service.
  mutating func show(_ service: DiscoveredService, _ change: ServiceChange, at time: Int64?) {
    switch form {
    case .json(var json):
      json.append(service, change, isResolving: configuration.resolves, at: time, to: &out)
      form = .json(json)
    case .lines(var text):
      text.append(service, change, at: time, to: &out)
      form = .lines(text)
    case .table, .zone, .nothing: break
    }
  }

  /// Shows that a service type came or went.
  mutating func show(
    _ type: ServiceType, isAdded: Bool, domain: DNSName, interface: String?,
    interfaceIndex: UInt32?, at time: Int64?
  ) {
    switch form {
    case .json(var json):
      json.append(
        type, isAdded: isAdded, domain: domain, interface: interface,
        interfaceIndex: interfaceIndex, at: time, to: &out)
      form = .json(json)
    case .lines(var text) where configuration.subject == .types:
      text.append(
        type, isAdded: isAdded, domain: domain, interface: interface, at: time, to: &out)
      form = .lines(text)
    case .lines, .table, .zone, .nothing: break
    }
  }

  /// Shows that a recommended domain came or went.
  mutating func show(
    _ domain: DNSName, _ kind: BrowsingDomainKind, isAdded: Bool, interface: String?,
    interfaceIndex: UInt32?, at time: Int64?
  ) {
    switch form {
    case .json(var json):
      json.append(
        domain, kind, isAdded: isAdded, interface: interface, interfaceIndex: interfaceIndex,
        at: time, to: &out)
      form = .json(json)
    case .lines(var text):
      text.append(domain, kind, isAdded: isAdded, interface: interface, at: time, to: &out)
      form = .lines(text)
    case .table, .zone, .nothing: break
    }
  }

  /// Shows that the first list is complete.
  mutating func showSettled(_ services: Int, at time: Int64?) {
    guard case .json(var json) = form else { return }
    json.appendSettled(services: services, at: time, to: &out)
    form = .json(json)
  }

  /// Draws the table anew; without rows there is one that says that it searches, if wanted.
  mutating func redraw(_ services: [DiscoveredService], isSearching: Bool) {
    guard case .table(var table) = form, TerminalOutput.isForeground else { return }
    let rows = table.rows(services)
    form = .table(table)
    view.draw(
      rows, isSearching: isSearching, width: TerminalOutput.columns ?? 80,
      height: TerminalOutput.lines ?? 24, to: &out)
  }

  /// Shows the end: what is due only now, and the summary of JSON.
  mutating func finish(_ ledger: BrowseLedger, _ summary: BrowseSummary, at time: Int64?) {
    switch form {
    case .json(var json):
      json.append(summary, at: time, to: &out)
      form = .json(json)
    case .table(var table):
      view.clear(to: &out)
      view.print(table.rows(ledger.listed), width: TerminalOutput.columns ?? 80, to: &out)
      form = .table(table)
    case .zone: BrowseZone(domain: configuration.domain).append(ledger.listed, to: &out)
    case .lines, .nothing: break
    }
  }

  /// Lets the table stand, since another program is to have the terminal.
  mutating func leave() {
    view.leave(to: &out)
    flush()
  }

  /// Takes the table for lost: others have had the terminal.
  mutating func forget() { view.forget() }

  /// Takes the table away for a diagnostic on standard error.
  mutating func makeRoom() {
    view.clear(to: &out)
    flush()
  }

  /// Hands what was shown to standard output.
  mutating func flush() {
    if configuration.output == .text { CommandSetup.fit(&out) }
    CommandSetup.flush(&out, &isWritable, BrowseCommand.complain)
  }
}
