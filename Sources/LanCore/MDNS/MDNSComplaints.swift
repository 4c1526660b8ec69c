import LanWire

/// Holds back complaints about senders that send nothing but rubbish.
struct MDNSComplaints: Sendable {
  private static let span: Int64 = 10_000_000_000
  private static let perSource = 4
  private static let total = 32

  private var began: Int64 = .min
  private var count = 0
  private var counts: [IPAddress: Int] = [:]

  /// True if one more complaint about `source` may be told: at most 4 about a source and 32 in all
  /// in ten seconds.
  mutating func admits(_ source: IPAddress, at now: Int64) -> Bool {
    if began == .min || now - began >= Self.span {
      began = now
      count = 0
      counts.removeAll(keepingCapacity: true)
    }
    guard count < Self.total, counts[source, default: 0] < Self.perSource else { return false }
    count += 1
    counts[source, default: 0] += 1
    return true
  }
}
