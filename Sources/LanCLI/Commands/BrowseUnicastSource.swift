import LanCore
import LanSystem

/// Conventional DNS, for domains that multicast DNS does not serve.
final class BrowseUnicastSource: BrowseSource {
  private let browser: UnicastServiceBrowser
  private var clock = BatchClock()

  init(_ configuration: BrowseConfiguration, on reactor: Reactor) {
    var unicast = UnicastServiceBrowser.Configuration(configuration.search)
    if let server = configuration.server { unicast.resolver.servers = [server] }
    browser = UnicastServiceBrowser(unicast, on: reactor)
  }

  func start(_ listener: BrowseListener) {
    browser.onEvent = { [unowned self] event in
      listener.event(event)
      switch event {
      case .batchEnded, .settled: clock.endBatch()
      default: break
      }
    }
    browser.start()
  }

  func stop() {
    browser.stop()
    clock.endBatch()
  }

  var wallTime: Int64? { clock.wallTime() }

  var elapsed: Int64 { clock.elapsed }

  func interfaceName(_ index: UInt32) -> String? { nil }
}
