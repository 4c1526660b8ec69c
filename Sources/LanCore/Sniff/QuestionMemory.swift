import LanWire

/// Which questions were seen in the last second, to tell an announcement from an answer.
///
/// A fixed table of sets with four places each: room for 32,768 questions a second, half a
/// mebibyte, no growth. In a worse flood the oldest question of a set is forgotten.
struct QuestionMemory: Sendable {
  private static let sets = 8_192
  private static let ways = 4
  /// How long a question explains an answer: the contract's second.
  private static let span: Int64 = 1_000_000_000

  private var keys: [UInt64]
  private var times: [Int64]

  init() {
    keys = Array(repeating: 0, count: Self.sets * Self.ways)
    times = Array(repeating: .min, count: Self.sets * Self.ways)
  }

  private static func key(_ name: UInt64, _ type: DNSRecordType) -> UInt64 {
    (name ^ UInt64(type.rawValue)) &* 0x9E37_79B9_7F4A_7C15
  }

  /// Notes a question for the name with hash `name`, seen at `now` nanoseconds.
  mutating func insert(_ name: UInt64, _ type: DNSRecordType, at now: Int64) {
    let key = Self.key(name, type)
    let first = Int(key >> 51) * Self.ways
    var place = first
    for index in first..<(first + Self.ways) {
      if keys[index] == key {
        place = index
        break
      }
      if times[index] < times[place] { place = index }
    }
    keys[place] = key
    times[place] = now
  }

  /// True when the name was asked for, with this type or any, within the second before `now`.
  func wasAsked(_ name: UInt64, _ type: DNSRecordType, at now: Int64) -> Bool {
    contains(Self.key(name, type), at: now) || contains(Self.key(name, .any), at: now)
  }

  private func contains(_ key: UInt64, at now: Int64) -> Bool {
    let first = Int(key >> 51) * Self.ways
    for index in first..<(first + Self.ways) where keys[index] == key {
      let (age, overflow) = now.subtractingReportingOverflow(times[index])
      // Frames may come a little out of order; a clock that was set back is another matter.
      return !overflow && age <= Self.span && age >= -Self.span
    }
    return false
  }
}
