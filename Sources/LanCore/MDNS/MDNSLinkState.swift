import LanWire

/// What the querier keeps for a link.
struct MDNSLinkState: Sendable {
  var link: MDNSLink
  /// Sets that are asked for next, and whether by QU.
  var asks: [(set: Int32, wantsUnicast: Bool)] = []
  /// When we asked for unicast answers last (RFC 6762 section 6).
  var askedUnicast: Int64 = .min
  /// Until when the link counts as one that loses packets.
  var lossyUntil: Int64 = .min
  /// When the first questions of the series that began last go out.
  private var batch: Int64 = .min
  /// Refreshes that wait: others that can go along do.
  private var slots = InlineArray<8, Int64>(repeating: .min)
  private var nextSlot = 0
  /// What was sent last: hash and time.
  private var sent: [(hash: Int, time: Int64)] = []
  private var nextSent = 0

  init(_ link: MDNSLink) { self.link = link }

  private static let milliseconds: Int64 = 1_000_000
  private static let echoSpan: Int64 = 2_000_000_000

  /// When a question that comes up now goes out: 20 to 120 ms from now (RFC 6762 section 5.2), with
  /// those that came up shortly before if that is possible.
  mutating func batchTime(_ now: Int64, _ chance: inout MDNSChance) -> Int64 {
    let lowest = now + 20 * Self.milliseconds
    let highest = now + 120 * Self.milliseconds
    if batch < lowest || batch > highest { batch = chance.pick(lowest, highest) }
    return batch
  }

  /// A time from `first` to `last`, the same as for another refresh where one is in between, so
  /// that they wake us once and share packets.
  ///
  /// A new time is never in the first quarter: what one question brought comes within some hundred
  /// milliseconds, and is to find the time of the first of it in its own span.
  mutating func slot(
    from first: Int64, to last: Int64, _ now: Int64, _ chance: inout MDNSChance
  ) -> Int64 {
    for index in 0..<8 where slots[index] > now && slots[index] >= first && slots[index] <= last {
      return slots[index]
    }
    let time = chance.pick(first + (last - first) / 4, last)
    slots[nextSlot] = time
    nextSlot = (nextSlot + 1) & 7
    return time
  }

  /// True for an address of our own here.
  func isOwn(_ address: IPAddress) -> Bool { link.prefixes.contains { $0.address == address } }

  /// True if the sender of a unicast answer is on the link (RFC 6762 section 11).
  func isOnLink(_ address: IPAddress) -> Bool {
    address.isLinkLocal
      || link.prefixes.contains { prefix in
        prefix.address.isIPv6 == address.isIPv6 && prefix.contains(address)
      }
  }

  /// Remembers what is sent, to know it again when it comes back to us.
  mutating func remember(_ packet: [UInt8], at now: Int64) {
    let entry = (hash: MDNSHash.datagram(packet.span), time: now)
    if sent.count < 32 {
      sent.append(entry)
    } else {
      sent[nextSent] = entry
      nextSent = (nextSent + 1) & 31
    }
  }

  /// True if `message` is one of ours that came back.
  func isEcho(_ message: Span<UInt8>, at now: Int64) -> Bool {
    guard sent.contains(where: { now - $0.time <= Self.echoSpan }) else { return false }
    let hash = MDNSHash.datagram(message)
    return sent.contains { $0.hash == hash && now - $0.time <= Self.echoSpan }
  }
}
