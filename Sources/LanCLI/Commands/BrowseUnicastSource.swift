import LanCore
import LanSystem

/// Conventional DNS, for domains that multicast DNS does not serve.
final class BrowseUnicastSource: BrowseSource {
  private let browser: UnicastServiceBrowser
  private let start = MonotonicClock.now
  private var time: Int64?

  init(_ configuration: BrowseConfiguration, on reactor: Reactor) {
    var unicast = UnicastServiceBrowser.Configuration(configuration.search)
    if let server = configuration.server { unicast.resolver.servers = [server] }
    browser = UnicastServiceBrowser(unicast, on: reactor)
  }

  func start(_ listener: BrowseListener) {
    browser.onEvent = { [unowned self] event in
      listener.event(event)
      switch event {
      // What comes in one batch has one time.
      case .batchEnded, .settled: time = nil
      default: break
      }
    }
    browser.start()
  }

  func stop() {
    browser.stop()
    // The end has a time of its own.
    time = nil
  }

  var wallTime: Int64? {
    let now = time ?? WallClock.now
    time = now
    return now
  }

  var elapsed: Int64 { MonotonicClock.now - start }

  func interfaceName(_ index: UInt32) -> String? { nil }
}
