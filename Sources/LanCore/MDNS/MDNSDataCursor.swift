import LanWire

/// Walks the bytes of record data where they stand as they are without compression, and tells
/// which are of names (RFC 6762 section 18.14), so that data is hashed, compared and copied alike.
struct MDNSDataCursor {
  private var position: Int
  private let end: Int
  /// Bytes before the first name, and names that follow; what comes then is bytes again.
  private var lead: Int
  private var names: Int
  private var isInName = false
  private var labels: DNSLabelIterator
  private var label = 0..<0
  private var nameEnd: Int

  /// The data in `range`, which is what `type` demands.
  init(_ type: DNSRecordType, _ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
    nameEnd = position
    labels = DNSLabelIterator(at: position)
    (lead, names) =
      switch type.rawValue {
      case 2, 3, 4, 5, 7, 8, 9, 12, 39, 47: (0, 1)
      case 33: (6, 1)
      case 6, 14, 17: (0, 2)
      case 15, 18, 21, 36, 64, 65: (2, 1)
      default: (0, 0)
      }
  }

  /// The next byte, and whether it is one of a name; nil at the end.
  mutating func next(_ message: Span<UInt8>) -> (byte: UInt8, isName: Bool)? {
    if isInName { return nextOfName(message) }
    guard position < end, position < message.count else { return nil }
    if lead == 0, names > 0 {
      names -= 1
      if let scan = try? DNSNameScan(message, at: position) {
        labels = DNSLabelIterator(at: position)
        nameEnd = scan.end
        isInName = true
        return nextOfName(message)
      }
      names = 0
    } else if lead > 0 {
      lead -= 1
    }
    defer { position += 1 }
    return (message[position], false)
  }

  private mutating func nextOfName(_ message: Span<UInt8>) -> (byte: UInt8, isName: Bool)? {
    if let index = label.first {
      label = (index + 1)..<label.upperBound
      return (message[index], true)
    }
    if let next = labels.next(message) {
      label = next.range
      return (UInt8(truncatingIfNeeded: next.length), true)
    }
    isInName = false
    position = nameEnd
    return (0, true)
  }

  /// A copy of the bytes.
  func copy(_ message: Span<UInt8>) -> [UInt8] {
    var counter = self
    var count = 0
    while counter.next(message) != nil { count += 1 }
    var cursor = self
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while let next = cursor.next(message) { bytes.append(next.byte) }
    return bytes
  }

  /// True when the bytes are `stored`; ASCII case is ignored in names.
  func equals(_ stored: [UInt8], _ message: Span<UInt8>) -> Bool {
    var cursor = self
    var index = 0
    while let next = cursor.next(message) {
      guard index < stored.count else { return false }
      let other = stored[index]
      guard
        next.byte == other
          || next.isName && DNSNameView.folded(next.byte) == DNSNameView.folded(other)
      else { return false }
      index += 1
    }
    return index == stored.count
  }
}
