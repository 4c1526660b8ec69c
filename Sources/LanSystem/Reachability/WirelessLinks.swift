import LanCore
import LanWire

/// What nl80211 says about links; nothing where the kernel has no Wi-Fi, which is no error.
final class WirelessLinks {
  private let recorder: NetlinkRecorder?
  private var isOpened = false
  private var transport: (any NetlinkTransport)?
  private var family: GenericFamilyMessage?
  private var source: NetlinkEventSource?

  /// Asks by a socket of its own, or by `transport`.
  init(recorder: NetlinkRecorder? = nil, transport: (any NetlinkTransport)? = nil) {
    self.recorder = recorder
    self.transport = transport
  }

  /// Listens for what happens to Wi-Fi links.
  ///
  /// - Parameters:
  ///   - reactor: The loop.
  ///   - onChange: Gets the number of a link that has to be asked about again; nil for all.
  func listen(on reactor: Reactor, _ onChange: @escaping (UInt32?) -> Void) {
    openOnce()
    guard let family else { return }
    let groups = ["mlme", "config"].compactMap { family.group($0) }.map {
      NetlinkGroup(rawValue: $0)
    }
    do throws(NetlinkError) {
      let source = try NetlinkEventSource(groups: groups, .generic, recorder: recorder)
      try source.start(on: reactor) { message, bytes in
        guard let event = try? WirelessMessage(message, in: bytes), let index = event.index else {
          return
        }
        onChange(index)
      } onBatch: { batch in
        if batch.isOverrun { onChange(nil) }
      }
      self.source = source
    } catch {
      // Links and their addresses tell most of it as well.
      source = nil
    }
  }

  func stop() {
    source?.stop()
    source = nil
  }

  /// The facts about a link; nil where it is no Wi-Fi link.
  func facts(_ index: UInt32) -> WirelessFacts? {
    openOnce()
    guard let family, let transport,
      let message = try? transport.wirelessInterface(family.id, index: index)
    else { return nil }
    var facts = WirelessFacts(message)
    if facts.role == .station, facts.isAuthorized == nil {
      facts.isAuthorized = isAuthorized(index, family.id, transport)
    }
    return facts
  }

  /// Whether the access point lets data through; nil where that is not known.
  private func isAuthorized(
    _ index: UInt32, _ family: NetlinkType, _ transport: any NetlinkTransport
  ) -> Bool? {
    var answer: Bool?
    _ = try? transport.dump(.wirelessStations(family, index: index), restarted: {}) {
      if let station = try? WirelessMessage($0, in: $1) { answer = station.isAuthorized ?? answer }
    }
    return answer
  }

  private func openOnce() {
    guard !isOpened else { return }
    isOpened = true
    if transport == nil { transport = try? NetlinkSocket(.generic, recorder: recorder) }
    family = (try? transport?.genericFamily("nl80211")) ?? nil
  }
}
