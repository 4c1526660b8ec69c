/// Other names for what cannot have its own.
///
/// The manners are Apple's: `Deck (2)` for a service, `deck-2` for a host; up to ten the number
/// counts up, then it leaps, so that many hosts of one name come apart.
enum MDNSLabelSuffix {
  /// The label to try after `label`.
  static func next(
    after label: [UInt8], isHost: Bool, _ chance: inout MDNSChance
  ) -> [UInt8] {
    let (base, number) = split(label, isHost: isHost)
    let next: Int64
    switch number {
    case nil, 0: next = 2
    case .some(let value) where value < 10: next = value + 1
    case .some(let value): next = value + chance.pick(1, 100)
    }
    let suffix = Array((isHost ? "-\(next)" : " (\(next))").utf8)
    return cut(base, to: 63 - suffix.count) + suffix
  }

  /// The label without the number at its end, and that.
  private static func split(_ label: [UInt8], isHost: Bool) -> (base: [UInt8], number: Int64?) {
    var end = label.count
    if !isHost {
      guard label.last == 0x29 else { return (label, nil) }
      end -= 1
    }
    var start = end
    while start > 0, (0x30...0x39).contains(label[start - 1]) { start -= 1 }
    let opening: [UInt8] = isHost ? [0x2D] : [0x20, 0x28]
    let base = start - opening.count
    // More digits than these are no count of ours.
    guard end > start, end - start <= 9, base > 0, Array(label[base..<start]) == opening else {
      return (label, nil)
    }
    let number = label[start..<end].reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    return (Array(label[..<base]), number)
  }

  /// The bytes that fit, without a part of a character or spaces at their end.
  static func cut(_ base: [UInt8], to limit: Int) -> [UInt8] {
    var end = min(base.count, limit)
    if end < base.count {
      var steps = 0
      while steps < 3, end > 1, base[end] & 0xC0 == 0x80 {
        end -= 1
        steps += 1
      }
    }
    while end > 1, base[end - 1] == 0x20 { end -= 1 }
    return Array(base[..<end])
  }
}
