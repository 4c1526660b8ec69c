import LanCore
import LanWire

/// The facts beside rtnetlink: sysfs, nl80211 and the radio switches.
final class SideFacts {
  private let files: DeviceFiles
  private let wireless: WirelessLinks
  private let radio: RadioDevice?
  private let recorder: NetlinkRecorder?

  init(_ configuration: ReachabilityMonitor.Configuration, _ recorder: NetlinkRecorder?) {
    files = DeviceFiles(root: configuration.sysfsRoot)
    wireless = WirelessLinks(recorder: recorder)
    radio = RadioDevice(configuration.rfkillPath)
    self.recorder = recorder
  }

  /// What is known of a link.
  func inspect(_ link: LinkState) -> [KernelMessage] {
    guard DeviceFiles.mayTell(of: link) else { return [] }
    let contents = files.read(link) ?? [:]
    for (path, text) in contents.sorted(by: { $0.key < $1.key }) {
      recorder?.note(NetlinkNote(.sysfs, path, text))
    }
    return [
      .device(link.index, DeviceFiles.facts(link, contents)),
      .wireless(link.index, wireless.facts(link.index)),
    ]
  }

  /// The state of the radio switches.
  func radios() -> [KernelMessage] {
    var messages: [KernelMessage] = []
    radio?.drain { [recorder] event, message in
      recorder?.note(RecordedFacts.note(radio: event))
      messages.append(message)
    }
    return messages
  }

  /// Gives what changes, on `reactor`.
  func listen(
    on reactor: Reactor, links: @escaping () -> [LinkState],
    _ handler: @escaping ([KernelMessage]) -> Void
  ) {
    radio?.listen(on: reactor) { [recorder] event, message in
      recorder?.note(RecordedFacts.note(radio: event))
      handler([message])
    }
    wireless.listen(on: reactor) { [wireless] index in
      let indexes = index.map { [$0] } ?? links().filter(DeviceFiles.mayTell).map(\.index)
      handler(indexes.map { .wireless($0, wireless.facts($0)) })
    }
  }

  func stop() {
    radio?.stop()
    wireless.stop()
  }
}
