import LanCore
import LanWire

/// Plays a recording: the machine sees what it saw then, at the times at which it was.
final class ReachabilityReplay {
  let driver: ReachabilityDriver
  private let replay: NetlinkReplay
  private let clock: Clock
  private var files: DeviceFiles.Contents = [:]
  private var tell: (ReachabilityEvent.Content) -> Void = { _ in }
  private let wireless: WirelessLinks
  /// What comes next belongs to what was taken.
  private var isTogether = false
  private var isOverrun = false
  /// How close together items belong together, in nanoseconds.
  private static let together: Int64 = 2_000_000

  /// The time of the recording.
  private final class Clock {
    var now: Int64 = 0
  }

  /// Loads the recording at `path`.
  init(
    _ path: String, _ configuration: ReachabilityMonitor.Configuration
  ) throws(NetlinkReplayError) {
    replay = try NetlinkReplay(path)
    let clock = Clock()
    clock.now = replay.nextTime ?? 0
    self.clock = clock
    wireless = WirelessLinks(transport: replay)
    driver = ReachabilityDriver(configuration.machine(at: clock.now), replay) { clock.now }
  }

  /// The time of the recording, in nanoseconds since 1970.
  var now: Int64 { clock.now }

  /// Reads the state at the beginning and judges it.
  func start(
    _ tell: @escaping (ReachabilityEvent.Content) -> Void
  ) throws(NetlinkError) {
    self.tell = tell
    driver.onDemand = { [weak self] in if case .tell(let content) = $0 { self?.tell(content) } }
    driver.inspect = { [weak self] in self?.inspect($0) ?? [] }
    try driver.start()
    // The facts beside netlink come behind the dumps, up to a mark.
    while let (time, item) = replay.advance() {
      clock.now = max(clock.now, time)
      guard case .note(let note) = item, note != RecordedFacts.beginning else {
        if case .asked = item { continue }
        if case .events = item { take(item) }
        break
      }
      take(item)
    }
    driver.run()
  }

  /// Plays on to the next item; false at the end.
  func step() -> Bool {
    guard let next = replay.nextTime else {
      finish()
      return false
    }
    if isTogether { clock.now = max(clock.now, next) } else { pass(until: next) }
    guard let (_, item) = replay.advance() else { return false }
    take(item)
    // Messages that came at once were judged at once; where the program asked, it had them all.
    isTogether = false
    if case .asked = item {
    } else if let after = replay.nextTime, after - next < Self.together {
      isTogether = true
    }
    if !isTogether { driver.run() }
    return true
  }

  /// Does what falls due before `time`.
  private func pass(until time: Int64) {
    // Polls and timers of a long calm are many; each is a few look-ups in memory.
    for _ in 0..<100_000 {
      guard let due = driver.machine.nextDeadline, due < time else { break }
      clock.now = max(clock.now, due)
      driver.run()
    }
    clock.now = max(clock.now, time)
  }

  /// Lets what is held back come out.
  private func finish() {
    let timing = driver.machine.timing
    pass(until: clock.now + timing.cap + min(timing.settle, Int64.max / 4))
  }

  private func take(_ item: NetlinkReplay.Item) {
    takeOverrun(item)
    switch item {
    case .asked: break
    case .events(.route, let bytes): takeEvents(bytes)
    case .events(_, let bytes): takeWireless(bytes)
    case .note(let note): take(note)
    }
  }

  /// What an overrun lost is told by what comes behind it.
  private func takeOverrun(_ item: NetlinkReplay.Item) {
    guard isOverrun else { return }
    isOverrun = false
    if case .note(let note) = item, let loss = RecordedFacts.loss(note) {
      driver.machine.lost([loss], at: now)
      tell(.resync(overruns: 1))
    } else {
      driver.machine.overrun(at: now)
    }
  }

  private func takeEvents(_ bytes: [UInt8]) {
    var messages = NetlinkMessages(bytes.span)
    while let message = (try? messages.next(bytes.span)) ?? nil {
      guard let event = try? RouteNetlinkEvent(message, in: bytes.span) else {
        tell(.diagnostic(.malformedMessage))
        continue
      }
      driver.machine.handle(KernelMessage(event, flags: message.header.flags), at: now)
    }
  }

  private func takeWireless(_ bytes: [UInt8]) {
    var messages = NetlinkMessages(bytes.span)
    while let message = (try? messages.next(bytes.span)) ?? nil {
      guard let event = try? WirelessMessage(message, in: bytes.span), let index = event.index
      else { continue }
      driver.machine.handle(.wireless(index, wireless.facts(index)), at: now)
    }
  }

  private func take(_ note: NetlinkNote) {
    switch note.kind {
    case .overrun: isOverrun = true
    case .rfkill:
      for message in RecordedFacts.radios(note) { driver.machine.handle(message, at: now) }
    case .sysfs: takeFile(note)
    case .setting:
      if let (name, resolution) = RecordedFacts.resolution(note) {
        driver.machine.resolved(name, resolution, at: now)
      }
    case .verdict: break
    }
  }

  private func takeFile(_ note: NetlinkNote) {
    files[note.subject] = note.text
    let parts = note.subject.split(separator: "/")
    guard parts.count == 4, let link = driver.machine.facts.links[String(parts[2])] else { return }
    driver.machine.handle(.device(link.index, DeviceFiles.facts(link, files)), at: now)
  }

  private func inspect(_ link: LinkState) -> [KernelMessage] {
    guard DeviceFiles.mayTell(of: link) else { return [] }
    return [
      .device(link.index, DeviceFiles.facts(link, files)),
      .wireless(link.index, wireless.facts(link.index)),
    ]
  }
}
