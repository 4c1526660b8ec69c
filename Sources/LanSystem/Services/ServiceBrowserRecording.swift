public import LanCore
public import LanWire

/// Browses a capture file: what a browser would have told that listened when it was taken.
///
/// The same querier and browser as live, with the clock of the capture, and silent. Frames of the
/// past are all there is, so that an answer to one host counts like one to the group. Where the
/// capture ends, its clock runs on for a moment, until what is under way has been told; services
/// that are known then stay.
public final class ServiceBrowserRecording {
  /// What is told and when, in nanoseconds since 1970 by the capture's clock.
  public typealias Teller = (ServiceEvent, Int64) -> Void

  /// Frames read, counted as Wireshark counts them.
  public var frames: Int { parser.frames }
  /// Multicast DNS messages found.
  public private(set) var messages = 0
  /// Frames whose link type is not decoded, by link type.
  public private(set) var unsupported: [LinkType: Int] = [:]
  /// The time of the first frame that has one; nanoseconds since 1970.
  public private(set) var firstTime: Int64?
  /// How far the capture's clock has come; nanoseconds since 1970.
  public private(set) var now: Int64 = 0
  /// True once the end was reached, or reading was stopped.
  public private(set) var isFinished = false
  /// True after `stop`.
  public private(set) var isStopped = false
  /// True where the deadline of `read` came first.
  public private(set) var isTimedOut = false

  private let interfaces: Set<String>
  private let families: MDNSFamilies
  private var browsing: MDNSBrowsing
  private var parser = CaptureFileParser()
  private var assembler: PacketAssembler
  private var found = FrameEvents()
  private var names: [UInt32: String] = [:]
  private var hasStarted = false
  private var isBatchOpen = false
  /// The latest frame has a time.
  private var hasTime = false
  private var lastTold = Int64.min
  private var packets = 0
  private let afterglow: Int64
  private let duration: Int64?

  /// A run at its start.
  ///
  /// - Parameters:
  ///   - search: What is searched for; it is always passive.
  ///   - interfaces: The only interfaces of the capture, by name; empty for all.
  ///   - families: The versions of IP that messages are taken from.
  ///   - tunnels: Whether messages in tunnels are looked for.
  ///   - duration: Nanoseconds of the capture's clock after which the rest is left unread.
  public init(
    _ search: ServiceBrowserMachine.Configuration, interfaces: [String] = [],
    families: MDNSFamilies = .both, tunnels: Bool = true, duration: Int64? = nil
  ) {
    var search = search
    search.isPassive = true
    self.interfaces = Set(interfaces)
    self.families = families
    assembler = PacketAssembler(decoder: FrameDecoder(tunnels: tunnels))
    self.duration = duration
    // `added` may wait for so long, and a goodbye counts a second later.
    afterglow = max(search.completion, 1_000_000_000) + max(search.settle, 0) + 100_000_000
    browsing = MDNSBrowsing(search, seed: 1)
  }

  /// The name that the capture has for a link of what is told; nil for none.
  public func interfaceName(_ index: UInt32) -> String? {
    names[index].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// When what is told just now happened, nanoseconds since 1970; nil where the capture has no
  /// times.
  public var time: Int64? { hasTime ? now : nil }

  /// Nanoseconds of the capture that have passed.
  public var elapsed: Int64 { firstTime.map { now - $0 } ?? 0 }

  /// True if there are frames and none could be decoded because of how they begin.
  public var hasOnlyForeignLinks: Bool {
    packets > 0 && unsupported.values.reduce(0, +) == packets
  }

  /// The instances that are known, in no order.
  public var services: [DiscoveredService] { browsing.browser.services.map(named) }

  // MARK: Reading

  /// Enough for many frames, little enough for the cache.
  private static let stretch = 1 << 17

  /// Leaves the rest unread; nothing more is told.
  public func stop() {
    isStopped = true
    isFinished = true
  }

  /// Reads `input` to its end and tells what there is to tell.
  ///
  /// A signal that ends the input, and the deadline, end the capture there.
  ///
  /// - Parameters:
  ///   - input: A capture file, or standard input.
  ///   - deadline: When to give up reading, nanoseconds of `MonotonicClock`.
  ///   - tell: Called with each event and its time.
  /// - Throws: `FileError`, or `CaptureFileError` for a file that is broken or ends inside a record;
  ///   what was before that has been told, and the end of the capture is as usual.
  public func read(
    _ input: CaptureFileInput, until deadline: Int64? = nil, _ tell: Teller
  ) throws {
    defer { finish(tell) }
    var bytes = [UInt8](repeating: 0, count: Self.stretch)
    var end = 0
    while !isFinished {
      let count = try input.read(into: &bytes, at: end, until: deadline)
      if input.interruption != nil { return }
      if let deadline, MonotonicClock.now >= deadline {
        isTimedOut = true
        return
      }
      end += count
      var offset = 0
      let minimum = try parse(bytes.span.extracting(0..<end), &offset, isEnd: count == 0, tell)
      if count == 0 { return }
      let rest = end - offset
      for index in 0..<rest { bytes[index] = bytes[offset + index] }
      end = rest
      if bytes.count < max(minimum, rest + 1) {
        bytes += repeatElement(0, count: max(minimum, rest * 2) - bytes.count + 1)
      }
    }
  }

  /// Takes whole records from `bytes`; gives how many bytes the next one needs at least.
  private func parse(
    _ bytes: Span<UInt8>, _ offset: inout Int, isEnd: Bool, _ tell: Teller
  ) throws(CaptureFileError) -> Int {
    while !isFinished {
      switch try parser.next(bytes, at: &offset, isEnd: isEnd) {
      case .packet(let packet): take(packet, bytes, tell)
      case .needMore(let minimum):
        if isEnd { isFinished = true }
        return minimum
      case .end: isFinished = true
      }
    }
    return 0
  }

  private func take(_ packet: CapturedPacket, _ bytes: Span<UInt8>, _ tell: Teller) {
    hasTime = packet.time != nil
    if let time = packet.time?.nanoseconds {
      if let duration, let firstTime, time - firstTime > duration {
        isFinished = true
        return
      }
      firstTime = firstTime ?? time
      // Clocks of captures may go backwards; ours does not.
      advance(to: hasStarted ? max(time, now) : time, tell)
    }
    begin(tell)
    if isStopped { return }
    guard let link = link(packet.interface, tell) else { return }
    packets += 1
    assembler.decode(
      bytes.extracting(packet.bytes), linkType: packet.linkType,
      originalLength: packet.originalLength, fcsLength: packet.fcsLength, at: packet.time,
      into: &found)
    for place in found.events.indices {
      switch found.events[place] {
      case .datagram(let datagram): take(datagram, bytes.extracting(packet.bytes), link)
      case .unsupported(let linkType): unsupported[linkType, default: 0] += 1
      default: break
      }
    }
    tellEvents(tell)
  }

  private func take(_ datagram: UDPDatagram, _ frame: Span<UInt8>, _ link: UInt32) {
    // What went to another port was for a one-shot querier: its TTLs are not the real ones
    // (RFC 6762 section 6.7).
    guard datagram.destinationPort == 5_353, !datagram.isCut, !datagram.payload.isEmpty,
      families.contains(MDNSFamilies(datagram.source))
    else { return }
    messages += 1
    let arrival = MDNSArrival(
      interfaceIndex: link, source: datagram.source, sourcePort: datagram.sourcePort,
      hopLimit: datagram.hopLimit)
    switch datagram.storage {
    case .frame: browsing.handle(frame.extracting(datagram.payload), arrival, at: now)
    case .reassembled:
      let whole = assembler.reassembled
      browsing.handle(whole.span.extracting(datagram.payload), arrival, at: now)
    }
    isBatchOpen = true
  }

  /// The link that an interface of the capture stands for; nil where it is not wanted.
  private func link(_ interface: Int, _ tell: Teller) -> UInt32? {
    let name =
      parser.interfaces.indices.contains(interface) ? parser.interfaces[interface].name ?? "" : ""
    guard interfaces.isEmpty || interfaces.contains(name) else { return nil }
    let index = UInt32(clamping: interface + 1)
    if names[index] == nil {
      names[index] = name
      browsing.setLink(MDNSLink(index: index, name: name, families: .both), at: now)
      tellEvents(tell)
    }
    return index
  }

  // MARK: Time

  private func begin(_ tell: Teller) {
    guard !hasStarted else { return }
    hasStarted = true
    browsing.start(at: now)
    tellEvents(tell)
  }

  /// Lets time pass: ends the batch of frames before, and does what is due at its own time.
  private func advance(to time: Int64, _ tell: Teller) {
    if isBatchOpen, time > now { endBatch(tell) }
    while hasStarted, !isStopped, let due = browsing.nextDeadline, due <= time {
      // A deadline that stays where it was must not hold us here.
      now = due > now ? due : min(now + 1_000_000, time)
      browsing.deadlineReached(at: now)
      tellEvents(tell)
      if now >= time { break }
    }
    if !isStopped { now = time }
  }

  private func endBatch(_ tell: Teller) {
    isBatchOpen = false
    browsing.batchEnded(at: now)
    tellEvents(tell)
  }

  private func finish(_ tell: Teller) {
    isFinished = true
    guard hasStarted, !isStopped else { return }
    let end = now
    endBatch(tell)
    advance(to: end + afterglow, tell)
    endBatch(tell)
    if !isStopped { now = max(end, lastTold) }
  }

  // MARK: Telling

  private func tellEvents(_ tell: Teller) {
    guard !browsing.events.isEmpty else { return }
    let events = browsing.events
    browsing.events = []
    lastTold = now
    for event in events where !isStopped { tell(named(event), now) }
  }

  private func named(_ event: ServiceEvent) -> ServiceEvent {
    switch event {
    case .added(let service): .added(named(service))
    case .updated(let service): .updated(named(service))
    case .removed(let service, let cause): .removed(named(service), cause)
    default: event
    }
  }

  /// Without the name of an interface that has none in the capture.
  private func named(_ service: DiscoveredService) -> DiscoveredService {
    guard service.interface?.isEmpty == true else { return service }
    var service = service
    service.interface = nil
    return service
  }
}
