import LanCore
import LanSystem
import LanWire

/// The service of a run: published while that is wanted, taken back while it is not.
final class ServePublication {
  private let publisher: ServicePublisher
  private var isWanted = false
  private var isActive = false
  private var isStopping = false
  /// Called once the service is taken back for good.
  private var whenGone: (() -> Void)?

  /// A publication of a service on `port` with these strings in its TXT record.
  init(
    _ configuration: ServeConfiguration, port: UInt16, text: [[UInt8]], on reactor: Reactor,
    _ handler: @escaping (ServicePublisherEvent) -> Void
  ) {
    publisher = ServicePublisher(
      Self.publisherConfiguration(configuration, port: port, text: text), on: reactor)
    publisher.onEvent = handler
  }

  /// What is published, and how.
  static func publisherConfiguration(
    _ configuration: ServeConfiguration, port: UInt16, text: [[UInt8]]
  ) -> ServicePublisher.Configuration {
    var service = MDNSService(
      instance: configuration.instance, type: configuration.type, port: port)
    service.subtypes = configuration.subtypes
    service.text = text
    var wanted = ServicePublisher.Configuration(service)
    wanted.hostLabel = configuration.hostLabel
    wanted.proxyAddresses = configuration.proxyAddresses
    wanted.interfaces = configuration.interfaces
    wanted.families = configuration.families
    wanted.isNameGiven = configuration.isNameGiven
    wanted.stateFolder = StateFolder.path
    return wanted
  }

  /// The name that was really taken; nil before that.
  var name: ServiceInstanceName? { publisher.name }

  /// Publishes the service, or takes it back, as soon as what is under way has ended.
  func want(_ isWanted: Bool) {
    self.isWanted = isWanted
    act()
  }

  /// Takes the service back and calls `done` once its goodbye has left.
  func end(_ done: @escaping () -> Void) {
    whenGone = done
    want(false)
  }

  /// Changes the TXT record.
  func update(text: [[UInt8]]) { publisher.update(text: text) }

  private func act() {
    if isWanted, !isActive {
      isActive = true
      // Why it cannot be is told as an event too.
      do throws(ServicePublisherError) { try publisher.publish() } catch { isActive = false }
    } else if !isWanted, isActive, !isStopping {
      isStopping = true
      publisher.stop { [weak self] in
        guard let self else { return }
        (isActive, isStopping) = (false, false)
        act()
      }
    } else if !isWanted, !isActive, let done = whenGone {
      whenGone = nil
      done()
    }
  }
}
