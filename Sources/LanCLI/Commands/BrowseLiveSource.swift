import LanCore
import LanSystem
import LanWire

/// Multicast DNS on the links of this host.
final class BrowseLiveSource: BrowseSource {
  private let browser: ServiceBrowser
  private let start = MonotonicClock.now
  private var time: Int64?
  private var names: [UInt32: String] = [:]

  init(_ configuration: BrowseConfiguration, on reactor: Reactor) {
    var live = ServiceBrowser.Configuration(configuration.search)
    live.interfaces = configuration.interfaces
    live.families = configuration.families
    browser = ServiceBrowser(live, on: reactor)
  }

  func start(_ listener: BrowseListener) throws {
    browser.onEvent = { [unowned self] event in
      listener.event(event)
      switch event {
      // What comes in one batch has one time.
      case .batchEnded, .settled: time = nil
      default: break
      }
    }
    browser.onDiagnostic = { diagnostic in
      if case .querier(let inner) = diagnostic {
        listener.complaint(inner.text)
      } else {
        listener.complaint("\(diagnostic)")
      }
    }
    try browser.start()
  }

  func stop() { browser.stop() }

  var wallTime: Int64? {
    let now = time ?? WallClock.now
    time = now
    return now
  }

  var elapsed: Int64 { MonotonicClock.now - start }

  func interfaceName(_ index: UInt32) -> String? {
    if let name = names[index] { return name }
    let name = InterfaceList.name(of: index)
    names[index] = name
    return name
  }
}

extension BrowseConfiguration {
  /// What the browser is to search for.
  var search: ServiceBrowserMachine.Configuration {
    var search = ServiceBrowserMachine.Configuration(domain: domain)
    search.types = types
    search.resolves = resolves && subject == .services
    search.families = families
    search.listsTypes = subject == .types
    search.listsDomains = subject == .domains
    search.settle = settle.wholeNanoseconds
    search.isPassive = isPassive
    return search
  }
}
