public import LanWire

/// Puts IP packets together from fragments, within bounds on number, size, age and memory.
///
/// Time is that of the capture. A packet that is not complete in time, or that other packets
/// push out, is forgotten and counted.
public struct FragmentReassembler: Sendable {
  /// Why the parts of a packet were thrown away.
  public enum Drop: String, Hashable, Sendable {
    /// Parts contradict each other: overlap (IPv6), or lengths that cannot both be true.
    case conflict = "fragments contradict each other"
    /// The packet would be longer than `packetBytes`.
    case tooLong = "fragments lead beyond 65,535 bytes"
    /// A part that is not the last has not a multiple of 8 bytes.
    case unaligned = "a fragment's length is no multiple of 8"
    /// The capture has not the whole part.
    case cut = "a fragment is cut short by the capture"
  }

  /// What a fragment led to.
  public enum Outcome: Hashable, Sendable {
    /// More parts are needed.
    case incomplete
    /// The packet is whole; its payload was appended to the caller's buffer at the range.
    case complete(range: Range<Int>, protocolNumber: UInt8, hasOverlap: Bool)
    /// The packet was thrown away.
    case dropped(Drop)
  }

  /// How many packets may be incomplete at a time.
  public static let openSets = 64
  /// The longest payload of a packet, in bytes.
  public static let packetBytes = 65_535
  /// How long after its first part a packet may be completed, in nanoseconds.
  public static let lifetime: Int64 = 30_000_000_000
  /// How many bytes all incomplete packets may have together.
  public static let totalBytes = 1_048_576

  /// Packets completed.
  public private(set) var completed = 0
  /// Packets thrown away because their parts were bad.
  public private(set) var dropped = 0
  /// Packets forgotten because of their age or of the bounds.
  public private(set) var forgotten = 0

  private var sets: [FragmentSet] = []
  private var clock: Int64 = 0

  /// A reassembler without open packets.
  public init() {}

  /// How many packets are incomplete.
  public var openCount: Int { sets.count }

  /// Takes in `fragment`, whose range counts in `bytes`, captured at `time`.
  ///
  /// The payload of a packet that it completes is appended to `output`.
  public mutating func add(
    _ fragment: IPFragment, _ bytes: Span<UInt8>, at time: CaptureTime?,
    into output: inout [UInt8]
  ) -> Outcome {
    clock = time?.nanoseconds ?? clock
    forgetOld()
    let key = FragmentKey(fragment)
    let found = sets.firstIndex { $0.key == key }
    guard !fragment.isCut, fragment.payload.upperBound <= bytes.count else {
      return drop(found, .cut)
    }
    let index = found ?? open(key)
    switch sets[index].add(fragment, bytes) {
    case .incomplete:
      bound(keeping: key)
      return .incomplete
    case .bad(let reason): return drop(index, reason)
    case .complete:
      let set = sets.remove(at: index)
      completed += 1
      let start = output.count
      output.append(contentsOf: set.bytes)
      return .complete(
        range: start..<output.count, protocolNumber: set.protocolNumber,
        hasOverlap: set.hasOverlap)
    }
  }

  private mutating func open(_ key: FragmentKey) -> Int {
    if sets.count >= Self.openSets { forget(0) }
    sets.append(FragmentSet(key: key, started: clock))
    return sets.count - 1
  }

  private mutating func drop(_ index: Int?, _ reason: Drop) -> Outcome {
    if let index { sets.remove(at: index) }
    dropped += 1
    return .dropped(reason)
  }

  private mutating func forget(_ index: Int) {
    sets.remove(at: index)
    forgotten += 1
  }

  /// A clock that jumped back makes packets as old as one that ran on.
  private mutating func forgetOld() {
    var index = 0
    while index < sets.count {
      let (age, overflow) = clock.subtractingReportingOverflow(sets[index].started)
      if overflow || age.magnitude > Self.lifetime.magnitude {
        forget(index)
      } else {
        index += 1
      }
    }
  }

  /// Forgets the oldest packets but the one of `key` until the rest fits.
  private mutating func bound(keeping key: FragmentKey) {
    var sum = sets.reduce(0) { $0 + $1.bytes.count }
    while sum > Self.totalBytes, let index = sets.firstIndex(where: { $0.key != key }) {
      sum -= sets[index].bytes.count
      forget(index)
    }
  }
}
