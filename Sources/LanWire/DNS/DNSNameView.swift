/// A label where it stands in a message: its bytes, without the length octet.
@frozen public struct DNSLabelView: Hashable, Sendable {
  /// Offset of the first byte.
  public let offset: Int
  /// How many bytes, 1 to 63.
  public let length: Int

  @inlinable init(offset: Int, length: Int) {
    self.offset = offset
    self.length = length
  }

  /// The offsets of the bytes.
  @inlinable public var range: Range<Int> { offset..<(offset &+ length) }
}

/// Walks the labels of a name where they stand, following compression pointers.
///
/// It never fails and never runs long: it ends at the root, at the first irregularity, and after
/// `DNSLimits.pointerJumps` jumps. Names that `DNSNameScan` accepted are walked to their root.
@frozen public struct DNSLabelIterator: Sendable {
  @usableFromInline var position: Int
  @usableFromInline var budget: Int

  /// Starts at the name at `offset`.
  @inlinable public init(at offset: Int) {
    position = offset
    budget = DNSLimits.nameOctets &+ DNSLimits.pointerJumps
  }

  /// The next label, or nil at the end of the name.
  @inlinable public mutating func next(_ message: Span<UInt8>) -> DNSLabelView? {
    while position >= 0, position < message.count, budget > 0 {
      budget &-= 1
      let length = Int(message[position])
      if length == 0 { return nil }
      if length < 64 {
        let start = position &+ 1
        guard length <= message.count &- start else { return nil }
        position = start &+ length
        return DNSLabelView(offset: start, length: length)
      }
      guard length >= 0xC0, position &+ 1 < message.count else { return nil }
      position = (length & 0x3F) << 8 | Int(message[position &+ 1])
    }
    return nil
  }
}

/// What one pass over a name found out: where it ends in place and how long it is in full.
@frozen public struct DNSNameScan: Sendable {
  /// Offset behind the name where it stands (behind the first pointer, if it has one).
  public let end: Int
  /// Octets of the whole name, length octets and root included; at most 255.
  public let octets: Int
  /// Jumps that the name takes; at most `DNSLimits.pointerJumps`.
  public let jumps: Int
  /// True when a pointer leads forward, which RFC 1035 section 4.1.4 ("prior occurrence") rules
  /// out and some stacks send.
  public let isIrregular: Bool

  /// Reads the name at `offset`, following its pointers within a budget.
  ///
  /// - Throws: `WireError`: the name leaves the message, loops, has an unknown label type or is
  ///   longer than 255 octets.
  @inlinable public init(_ message: Span<UInt8>, at offset: Int) throws(WireError) {
    var position = offset
    var end = -1
    var octets = 1
    var jumps = 0
    var irregular = false
    while true {
      guard position < message.count else { throw WireError(.nameUnterminated, at: position) }
      let length = Int(message[position])
      if length == 0 { break }
      if length < 64 {
        octets &+= length &+ 1
        guard octets <= DNSLimits.nameOctets else {
          throw Self.overlong(message, from: offset, at: position)
        }
        position &+= length &+ 1
        guard position <= message.count else {
          throw WireError(.labelPastEnd, at: position &- length &- 1)
        }
        continue
      }
      guard length >= 0xC0 else { throw WireError(.labelType, at: position) }
      guard position &+ 1 < message.count else { throw WireError(.nameUnterminated, at: position) }
      let target = (length & 0x3F) << 8 | Int(message[position &+ 1])
      if end < 0 { end = position &+ 2 }
      guard target >= DNSLimits.headerOctets else {
        throw WireError(.pointerIntoHeader, at: position)
      }
      guard target < message.count else { throw WireError(.pointerPastEnd, at: position) }
      jumps &+= 1
      guard jumps <= DNSLimits.pointerJumps else {
        throw Self.overlong(message, from: offset, at: position)
      }
      if target >= position { irregular = true }
      position = target
    }
    self.end = end < 0 ? position &+ 1 : end
    self.octets = octets
    self.jumps = jumps
    isIrregular = irregular
  }

  /// Tells a loop from a name that is merely too long: follows the pointers with a second,
  /// slower position (Brent's method); both are inside the message already.
  @usableFromInline static func overlong(
    _ message: Span<UInt8>, from start: Int, at offset: Int
  ) -> WireError {
    var slow = start
    var fast = start
    var power = 1
    var steps = 0
    while fast < message.count {
      let length = Int(message[fast])
      if length == 0 || length >= 64 && length < 0xC0 { break }
      if length < 64 {
        fast &+= length &+ 1
      } else {
        guard fast &+ 1 < message.count else { break }
        fast = (length & 0x3F) << 8 | Int(message[fast &+ 1])
      }
      if fast == slow { return WireError(.pointerLoop, at: offset) }
      steps &+= 1
      if steps == power {
        // A loop of more steps than this passes for a chain: each record of a message can ask,
        // so what is spent on one name that was refused already must not grow with the message.
        if power >= DNSLimits.pointerJumps { break }
        slow = fast
        power &*= 2
        steps = 0
      }
    }
    return WireError(message[offset] >= 0xC0 ? .pointerChain : .nameTooLong, at: offset)
  }
}

/// Comparing and hashing names where they stand, ASCII case ignored (RFC 6762 section 16).
public enum DNSNameView {
  /// The byte with ASCII upper case folded to lower case.
  @inlinable public static func folded(_ byte: UInt8) -> UInt8 {
    byte &- 65 < 26 ? byte | 0x20 : byte
  }

  /// A hash of the name at `offset`; equal names (ASCII case ignored) have equal hashes.
  @inlinable public static func hash(_ message: Span<UInt8>, at offset: Int) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var labels = DNSLabelIterator(at: offset)
    while let label = labels.next(message) {
      hash = (hash ^ UInt64(label.length)) &* 0x0000_0100_0000_01B3
      for index in label.range {
        hash = (hash ^ UInt64(folded(message[index]))) &* 0x0000_0100_0000_01B3
      }
    }
    return hash
  }

  /// True when the names at `offset` in `message` and at `otherOffset` in `other` are the same.
  @inlinable public static func equal(
    _ message: Span<UInt8>, at offset: Int, _ other: Span<UInt8>, at otherOffset: Int
  ) -> Bool {
    var labels = DNSLabelIterator(at: offset)
    var others = DNSLabelIterator(at: otherOffset)
    while true {
      guard let label = labels.next(message) else { return others.next(other) == nil }
      guard let second = others.next(other), second.length == label.length else { return false }
      for index in 0..<label.length
      where folded(message[label.offset &+ index]) != folded(other[second.offset &+ index]) {
        return false
      }
    }
  }
}
