import LanWire

/// Tells the copies of a judged packet that a port mirror or two capture points make: the same message
/// of the same sender within 1 ms.
struct CopyDetector: Sendable {
  private struct Seen: Sendable {
    var nanoseconds = Int64.min
    var fingerprint: UInt64 = 0
    var envelope: MessageEnvelope?
  }

  private var recent = InlineArray<8, Seen>(repeating: Seen())
  private var next = 0

  /// True when the message repeats one of the last eight within 1 ms; remembers it otherwise.
  mutating func isCopy(_ message: Span<UInt8>, _ envelope: MessageEnvelope) -> Bool {
    let fingerprint = Self.fingerprint(message)
    for index in 0..<8 {
      let seen = recent[index]
      guard seen.fingerprint == fingerprint, let other = seen.envelope else { continue }
      let (gap, isOverflow) = envelope.nanoseconds.subtractingReportingOverflow(seen.nanoseconds)
      if !isOverflow, gap >= 0, gap <= 1_000_000, other.source == envelope.source,
        other.destination == envelope.destination, other.sourcePort == envelope.sourcePort,
        other.destinationPort == envelope.destinationPort
      {
        return true
      }
    }
    recent[next] = Seen(
      nanoseconds: envelope.nanoseconds, fingerprint: fingerprint, envelope: envelope)
    next = (next &+ 1) & 7
    return false
  }

  private static func fingerprint(_ message: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for offset in message.indices {
      hash = (hash ^ UInt64(message[offset])) &* 0x0000_0100_0000_01B3
    }
    return hash
  }
}
