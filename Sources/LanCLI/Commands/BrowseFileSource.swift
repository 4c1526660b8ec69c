import LanCore
import LanSystem
import LanWire

/// A capture file, browsed by the capture's own clock.
///
/// Every message from port 5353 counts as sent to the group, also an answer to one host alone:
/// whoever looks at a capture wants to see what it holds.
final class BrowseFileSource: BrowseSource {
  /// How long after the last frame what waits is still told: goodbyes, and names that were not
  /// resolved.
  private static let rest: Int64 = 1_100_000_000

  private let configuration: BrowseConfiguration
  private var reader: SniffFileReader
  private var browsing: MDNSBrowsing
  /// Only where every type is wanted.
  private var heardTypes: HeardTypes?
  private var listener: BrowseListener?
  /// The names of the links that were told.
  private var links: [UInt32: String] = [:]
  /// The capture's clock, which never goes back.
  private var clock = Int64.min
  private var firstTime: Int64?
  private var hasTime = false
  private var isStopped = false

  init(_ configuration: BrowseConfiguration) {
    self.configuration = configuration
    var sniff = SniffConfiguration(file: configuration.file ?? "-")
    sniff.live.interfaces = configuration.interfaces
    sniff.duration = configuration.duration
    sniff.options.selection.onlyIPv4 = configuration.families == .ipv4
    sniff.options.selection.onlyIPv6 = configuration.families == .ipv6
    reader = SniffFileReader(sniff)
    var search = configuration.search
    search.isPassive = true
    browsing = MDNSBrowsing(search, seed: 1)
    if configuration.types.isEmpty, configuration.subject != .domains {
      heardTypes = HeardTypes(domain: configuration.domain)
    }
  }

  func start(_ listener: BrowseListener) throws {
    do throws(FileError) { try reader.open() } catch {
      throw BrowseFileFault(description: "cannot open \(error)")
    }
    self.listener = listener
    var bytes: [UInt8] = []
    var batch = SniffBatch()
    while !isStopped, reader.fill(&bytes, &batch) {
      for message in batch.messages where !isStopped { take(message, bytes, batch) }
    }
    if isStopped { return }
    if clock != .min { advance(to: clock + Self.rest) }
    if isStopped { return }
    reader.complainOfLinkTypes(by: BrowseCommand.complain)
    if let signal = reader.interruption { return listener.end(.interrupted(signal)) }
    if let failure = reader.failure { return listener.end(.failed(failure)) }
    if reader.hasOnlyForeignLinks { return listener.end(.failed("no frame could be decoded")) }
    listener.end(.complete)
  }

  func stop() { isStopped = true }

  var wallTime: Int64? { hasTime ? clock : nil }

  var elapsed: Int64 { firstTime.map { clock - $0 } ?? 0 }

  func interfaceName(_ index: UInt32) -> String? { links[index].flatMap { $0.isEmpty ? nil : $0 } }

  // MARK: Messages

  private func take(_ message: SniffedMessage, _ bytes: [UInt8], _ batch: SniffBatch) {
    let envelope = message.envelope
    guard message.nameProtocol == .mdns else { return }
    hasTime = message.fractionDigits > 0
    let now = max(hasTime ? envelope.nanoseconds : clock, 0)
    if clock == .min {
      clock = now
      firstTime = now
      browsing.start(at: now)
      tell()
    }
    advance(to: max(now, clock))
    // The kernel's numbers begin with 1, those of a capture with 0.
    let index = UInt32(clamping: envelope.interface) &+ 1
    if links[index] == nil { addLink(index, Int(envelope.interface)) }
    let arrival = MDNSArrival(
      interfaceIndex: index, source: envelope.source, sourcePort: envelope.sourcePort,
      hopLimit: envelope.hopLimit)
    let source = message.isReassembled ? batch.reassembled : bytes
    let payload = source.span.extracting(message.payload)
    if envelope.sourcePort == 5_353,
      let types = heardTypes?.announcement(of: message.view, batch.index, payload)
    {
      browsing.handle(types.span, arrival, at: clock)
    }
    browsing.handle(payload, arrival, at: clock)
    browsing.batchEnded(at: clock)
    tell()
  }

  private func addLink(_ index: UInt32, _ number: Int) {
    let name = reader.interfaceName(number) ?? ""
    links[index] = name
    browsing.setLink(MDNSLink(index: index, name: name, families: .both), at: clock)
    tell()
  }

  /// Lets the capture's time pass; what is due on the way is told with its own time.
  private func advance(to now: Int64) {
    var last = Int64.min
    while !isStopped, let due = browsing.nextDeadline, due <= now {
      // A deadline that stays where it was must not hold us here.
      let time = due > last ? max(due, clock) : min(max(last, clock) + 1_000_000, now)
      clock = time
      browsing.deadlineReached(at: time)
      tell()
      if time == now { break }
      last = time
    }
    clock = max(clock, now)
  }

  private func tell() {
    let events = browsing.events
    browsing.events = []
    browsing.packets = []
    for event in events where !isStopped { listener?.event(event.withoutEmptyInterface) }
  }
}

extension ServiceEvent {
  /// The event without the empty name that an unnamed interface of a capture has.
  fileprivate var withoutEmptyInterface: ServiceEvent {
    switch self {
    case .added(let service): .added(service.withoutEmptyInterface)
    case .updated(let service): .updated(service.withoutEmptyInterface)
    case .removed(let service, let cause): .removed(service.withoutEmptyInterface, cause)
    default: self
    }
  }
}

extension DiscoveredService {
  fileprivate var withoutEmptyInterface: DiscoveredService {
    guard interface == "" else { return self }
    var service = self
    service.interface = nil
    return service
  }
}

/// Why a capture file cannot be browsed.
private struct BrowseFileFault: Error, CustomStringConvertible {
  let description: String
}
