import LanCore
import LanSystem
import LanWire

/// Multicast DNS on the links of this host.
final class BrowseLiveSource: BrowseSource {
  private let configuration: BrowseConfiguration
  private let reactor: Reactor
  private var browser: ServiceBrowser
  private var clock = BatchClock()
  private var names: [UInt32: String] = [:]

  init(_ configuration: BrowseConfiguration, on reactor: Reactor) {
    self.configuration = configuration
    self.reactor = reactor
    browser = ServiceBrowser(configuration.live, on: reactor)
  }

  func start(_ listener: BrowseListener) throws {
    do throws(ServiceBrowserError) {
      try begin(listener)
    } catch {
      guard case .mdns(.noMulticastInterface(let obstacles)) = error,
        configuration.waits(for: obstacles)
      else { throw error }
      for obstacle in obstacles {
        listener.complaint("\(obstacle.interface) \(obstacle.reason.rawValue); waiting for it")
      }
      var live = configuration.live
      live.requiresInterface = false
      browser = ServiceBrowser(live, on: reactor)
      try begin(listener)
    }
  }

  private func begin(_ listener: BrowseListener) throws(ServiceBrowserError) {
    browser.onEvent = { [unowned self] event in
      listener.event(event)
      switch event {
      case .batchEnded, .settled: clock.endBatch()
      default: break
      }
    }
    browser.onDiagnostic = { listener.complaint("\($0)") }
    try browser.start()
  }

  func stop() {
    browser.stop()
    clock.endBatch()
  }

  var wallTime: Int64? { clock.wallTime() }

  var elapsed: Int64 { clock.elapsed }

  func interfaceName(_ index: UInt32) -> String? {
    if let name = names[index] { return name }
    let name = InterfaceList.name(of: index)
    names[index] = name
    return name
  }
}

extension BrowseConfiguration {
  /// Where and how the browser is to search.
  fileprivate var live: ServiceBrowser.Configuration {
    var live = ServiceBrowser.Configuration(search)
    live.interfaces = interfaces
    live.families = families
    return live
  }

  /// Whether interfaces that cannot be used now are waited for: those that were named and may come
  /// up, by a run that has no end of its own.
  func waits(for obstacles: [MDNSInterfaceObstacle]) -> Bool {
    !interfaces.isEmpty && !isBounded && timeout == nil
      && obstacles.allSatisfy { $0.reason == .isDown || $0.reason == .hasNoCarrier }
  }

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
