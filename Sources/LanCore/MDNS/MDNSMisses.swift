/// When others asked for a set, the oldest first.
struct MDNSMisses: Sendable {
  private var times = InlineArray<8, Int64>(repeating: 0)
  private(set) var count = 0

  /// The last time; nil before the first.
  var last: Int64? { count > 0 ? times[count - 1] : nil }

  /// Notes a question; the oldest of more than eight is forgotten.
  mutating func append(_ time: Int64) {
    if count == 8 {
      for index in 1..<8 { times[index - 1] = times[index] }
      count = 7
    }
    times[count] = time
    count += 1
  }

  /// Questions that came a second or more after `time`, and the first of them: within a second its
  /// owner need not repeat a record (RFC 6762 section 6).
  func since(_ time: Int64) -> (count: Int, first: Int64)? {
    for index in 0..<count where times[index] >= time + 1_000_000_000 {
      return (count - index, times[index])
    }
    return nil
  }
}
