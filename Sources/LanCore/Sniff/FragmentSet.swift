import LanWire

/// What the fragments of one IP packet have in common (RFC 791 section 3.2, RFC 8200 section 4.5).
struct FragmentKey: Hashable {
  var source: IPAddress
  var destination: IPAddress
  var identification: UInt32
  /// The protocol with IPv4; 0 with IPv6, whose parts may name different headers.
  var protocolNumber: UInt8
  var vlan: VLANTags
  var tunnelCount: UInt8

  init(_ fragment: IPFragment) {
    source = fragment.ip.source
    destination = fragment.ip.destination
    identification = fragment.identification
    protocolNumber = fragment.ip.isIPv6 ? 0 : fragment.protocolNumber
    vlan = fragment.link.vlan
    tunnelCount = fragment.tunnels.count
  }
}

/// The parts of one IP packet that have come so far.
///
/// Offsets of fragments are multiples of 8 bytes, so one bit per 8 bytes tells what is there.
struct FragmentSet {
  enum Step {
    case incomplete
    case complete
    case bad(FragmentReassembler.Drop)
  }

  let key: FragmentKey
  /// Capture time of the first part, in nanoseconds.
  let started: Int64
  private(set) var bytes: [UInt8] = []
  private(set) var hasOverlap = false
  /// The protocol that the part at offset 0 names.
  private(set) var protocolNumber: UInt8 = 0
  private var covered: [UInt64] = []
  private var coveredBlocks = 0
  private var total: Int?

  init(key: FragmentKey, started: Int64) {
    self.key = key
    self.started = started
  }

  /// Adds a part whose bytes are `fragment.payload` of `lent`.
  mutating func add(_ fragment: IPFragment, _ lent: Span<UInt8>) -> Step {
    let count = fragment.payload.count
    let end = fragment.offset + count
    guard end <= FragmentReassembler.packetBytes else { return .bad(.tooLong) }
    guard !fragment.hasMore || count % 8 == 0 else { return .bad(.unaligned) }
    if fragment.hasMore {
      guard end <= total ?? .max else { return .bad(.conflict) }
    } else {
      guard total ?? end == end, bytes.count <= end else { return .bad(.conflict) }
      total = end
    }
    if fragment.offset == 0 { protocolNumber = fragment.protocolNumber }
    grow(to: end)
    guard merge(fragment, lent) else { return .bad(.conflict) }
    guard let total, coveredBlocks == (total + 7) / 8 else { return .incomplete }
    return .complete
  }

  private mutating func grow(to end: Int) {
    if bytes.count < end {
      bytes.append(contentsOf: [UInt8](repeating: 0, count: end - bytes.count))
    }
    let words = (bytes.count + 511) / 512
    if covered.count < words {
      covered.append(contentsOf: [UInt64](repeating: 0, count: words - covered.count))
    }
  }

  /// Copies what is new and compares what is not; false when the packet must be dropped.
  ///
  /// IPv6 hosts must drop a packet whose parts overlap (RFC 5722). With IPv4 the hosts differ;
  /// as in other analysers the bytes that came first stay.
  private mutating func merge(_ fragment: IPFragment, _ lent: Span<UInt8>) -> Bool {
    var source = fragment.payload.lowerBound
    var target = fragment.offset
    while source < fragment.payload.upperBound {
      let step = min(8, fragment.payload.upperBound - source)
      let block = target / 8
      let mask = UInt64(1) << UInt64(block % 64)
      if covered[block / 64] & mask == 0 {
        covered[block / 64] |= mask
        coveredBlocks += 1
        for index in 0..<step { bytes[target + index] = lent[source + index] }
      } else if (0..<step).contains(where: { bytes[target + $0] != lent[source + $0] }) {
        hasOverlap = true
        if key.source.isIPv6 { return false }
      }
      source += step
      target += step
    }
    return true
  }
}
