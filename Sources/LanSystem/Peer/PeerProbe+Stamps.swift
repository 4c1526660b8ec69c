import CLan
import LanCore
import LanWire

/// The kernel's stamps of one probe: where its round trip was spent.
struct EchoSample {
  /// From one sample to the next: a stamp costs more than a round trip may.
  static let distance: Int64 = 9_000_000

  let number: Int
  /// The number of the last byte among those of the connection, as stamps count.
  let lastByte: UInt32
  /// When it was sent, monotonic.
  let begun: Int64
  /// The wall clock's distance from the monotonic one then.
  let distance: Int64
  /// When it was handed to the network card, and acknowledged; wall clock, 0 for not known.
  var handed: Int64 = 0
  var acknowledged: Int64 = 0

  init(_ number: Int, lastByte: Int, at now: Int64) {
    self.number = number
    self.lastByte = UInt32(truncatingIfNeeded: lastByte)
    begun = now
    var time: Int64 = 0
    distance = unsafe lan_clock_distance(&time)
  }

  /// Where the time until `now` was spent; nil where the stamps don't say, or a clock was set.
  ///
  /// An acknowledgement that came with the answer itself says nothing of the peer's kernel; the path's
  /// own round trip stands for it then.
  ///
  /// - Parameters:
  ///   - now: When the answer was read.
  ///   - arrival: When the answer came in, wall clock.
  ///   - path: The least round trip that the kernel measured.
  /// - Returns: Parts that add up to the round trip.
  func split(until now: Int64, arrival: Int64, path: Int64?) -> PeerProbeSummary.Split? {
    guard handed > 0, arrival > 0 else { return nil }
    let sent = handed - distance
    let came = arrival - distance
    guard begun <= sent, sent <= came, came <= now else { return nil }
    let isApart = acknowledged > 0 && acknowledged < arrival
    let wire = isApart ? acknowledged - handed : min(path ?? came - sent, came - sent)
    return PeerProbeSummary.Split(
      localStack: sent - begun + now - came, wire: max(wire, 0),
      application: max(came - sent - wire, 0))
  }
}

extension PeerProbe {
  /// Takes the stamps that wait; false if there were none.
  func readStamps(_ link: PeerLink) -> Bool {
    var stamp = lan_stamp()
    var isAny = false
    var acknowledged: (id: UInt32, time: Int64)?
    while unsafe lan_stamp_next(link.raw, &stamp) != 0 {
      isAny = true
      if stamp.kind == LAN_STAMP_ACKNOWLEDGED, configuration.mode.isTap {
        // Each says that all before it were taken too.
        acknowledge(upTo: stamp.id, at: stamp.time)
        guard isRunning, self.link === link else { return true }
        continue
      }
      guard stamp.id == sample?.lastByte else { continue }
      if stamp.kind == LAN_STAMP_SENT { sample?.handed = stamp.time }
      if stamp.kind == LAN_STAMP_ACKNOWLEDGED { sample?.acknowledged = stamp.time }
      acknowledged = (stamp.id, stamp.time)
    }
    if isAny, acknowledged == nil, configuration.mode.isTap { turn(at: MonotonicClock.now) }
    return isAny
  }

  /// The sampled probe was answered.
  func takeSample(_ arrival: Int64, at now: Int64) -> PeerProbeSummary.Split? {
    guard let link else { return nil }
    _ = readStamps(link)
    let path = link.facts.flatMap {
      $0.least_rtt == .max ? nil : Int64($0.least_rtt) * 1_000
    }
    let split = sample?.split(until: now, arrival: arrival, path: path)
    sample = nil
    if let split { run.statistics.record(split) }
    return split
  }
}
