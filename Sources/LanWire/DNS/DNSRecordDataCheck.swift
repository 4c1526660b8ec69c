/// Whether record data is what its type demands; the one place that decides it.
///
/// `.rdataOverrun` and name errors mean that a length or name inside the data leads out of it, or
/// that a field would reach behind the end of the message: the message is malformed. `.rdataSize`
/// means that the data ends in a place that its type does not allow: the record is unreadable, the
/// message is not.
@usableFromInline enum DNSRecordDataCheck {
  /// Checks a record; `tally` grows by the names in its data.
  @inlinable static func check(
    _ message: Span<UInt8>, _ record: DNSRecordView, _ tally: inout DNSNameTally
  ) throws(WireError) {
    let range = record.rdataRange
    switch record.type.rawValue {
    case 1: try fixed(message, range, 4)
    case 28: try fixed(message, range, 16)
    case 12, 5, 2: try wholeName(message, from: range.lowerBound, range, &tally)
    case 33:
      try size(range, range.count > 6)
      try wholeName(message, from: range.lowerBound &+ 6, range, &tally)
    case 16: try strings(message, range)
    case 47:
      let end = try name(message, from: range.lowerBound, range, &tally)
      try bitmaps(message, end..<range.upperBound)
    default: try rare(message, record, &tally)
    }
  }

  @inlinable static func size(_ range: Range<Int>, _ holds: Bool) throws(WireError) {
    if !holds { throw WireError(.rdataSize, at: range.lowerBound) }
  }

  /// Data of exactly `count` bytes.
  @inlinable static func fixed(
    _ message: Span<UInt8>, _ range: Range<Int>, _ count: Int
  ) throws(WireError) {
    if range.count == count { return }
    let fits = range.count > count || range.lowerBound &+ count <= message.count
    throw WireError(fits ? .rdataSize : .rdataOverrun, at: range.lowerBound)
  }

  /// A name inside the record data; gives the offset behind it.
  @inlinable static func name(
    _ message: Span<UInt8>, from offset: Int, _ range: Range<Int>, _ tally: inout DNSNameTally
  ) throws(WireError) -> Int {
    try size(range, offset < range.upperBound)
    let scan = try DNSNameScan(message, at: offset)
    guard scan.end <= range.upperBound else { throw WireError(.rdataOverrun, at: offset) }
    tally.add(scan)
    return scan.end
  }

  /// A name that fills the rest of the record data.
  @inlinable static func wholeName(
    _ message: Span<UInt8>, from offset: Int, _ range: Range<Int>, _ tally: inout DNSNameTally
  ) throws(WireError) {
    let end = try name(message, from: offset, range, &tally)
    if end != range.upperBound { throw WireError(.rdataSize, at: end) }
  }

  @inlinable static func strings(
    _ message: Span<UInt8>, _ range: Range<Int>
  ) throws(WireError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let next = position &+ 1 &+ Int(message[position])
      guard next <= range.upperBound else { throw WireError(.rdataOverrun, at: position) }
      position = next
    }
  }

  @inlinable static func bitmaps(
    _ message: Span<UInt8>, _ range: Range<Int>
  ) throws(WireError) {
    var position = range.lowerBound
    while position < range.upperBound {
      guard range.upperBound &- position >= 2 else { throw WireError(.rdataOverrun, at: position) }
      let next = position &+ 2 &+ Int(message[position &+ 1])
      guard next <= range.upperBound else { throw WireError(.rdataOverrun, at: position) }
      position = next
    }
  }

  /// LOC (RFC 1876 section 2): version 0 has sixteen bytes; other versions are unknown.
  static func location(_ message: Span<UInt8>, _ range: Range<Int>) throws(WireError) {
    guard !range.isEmpty else { throw WireError(.rdataSize, at: range.lowerBound) }
    guard message[range.lowerBound] == 0, range.count != 16 else { return }
    throw WireError(.rdataOverrun, at: range.lowerBound)
  }

  /// The values of SVCB parameters that have a form of their own (RFC 9460 sections 7 and 8).
  static func parameters(_ message: Span<UInt8>, _ range: Range<Int>) throws(WireError) {
    var iterator = EDNSOptionIterator(range)
    while let parameter = iterator.next(message) {
      let count = parameter.range.count
      switch parameter.code {
      case 1: try strings(message, parameter.range)
      case 0: try multiple(count % 2 == 0, parameter.range)
      case 3: try multiple(count == 2, parameter.range)
      case 4: try multiple(count % 4 == 0, parameter.range)
      case 6: try multiple(count % 16 == 0, parameter.range)
      default: break
      }
    }
  }

  private static func multiple(_ holds: Bool, _ range: Range<Int>) throws(WireError) {
    if !holds { throw WireError(.rdataOverrun, at: range.lowerBound) }
  }

  static func options(_ message: Span<UInt8>, _ range: Range<Int>) throws(WireError) {
    var position = range.lowerBound
    while position < range.upperBound {
      guard range.upperBound - position >= 4 else { throw WireError(.rdataOverrun, at: position) }
      let next = position + 4 + Int(message.uint16(at: position + 2))
      guard next <= range.upperBound else { throw WireError(.rdataOverrun, at: position) }
      position = next
    }
  }

  @usableFromInline static func rare(
    _ message: Span<UInt8>, _ record: DNSRecordView, _ tally: inout DNSNameTally
  ) throws(WireError) {
    let range = record.rdataRange
    let start = range.lowerBound
    switch record.type.rawValue {
    case 3, 4, 7, 8, 9, 39: try wholeName(message, from: start, range, &tally)
    case 13:
      try strings(message, range)
      var iterator = DNSStringIterator(range)
      let both = iterator.next(message) != nil && iterator.next(message) != nil
      try size(range, both && iterator.next(message) == nil)
    case 41: try options(message, range)
    case 6:
      let primary = try name(message, from: start, range, &tally)
      let mailbox = try name(message, from: primary, range, &tally)
      try size(range, range.upperBound - mailbox == 20)
    case 14, 17:
      let first = try name(message, from: start, range, &tally)
      try wholeName(message, from: first, range, &tally)
    case 15, 18, 21, 36:
      try size(range, range.count > 2)
      try wholeName(message, from: start + 2, range, &tally)
    case 64, 65:
      try size(range, range.count > 2)
      let target = try name(message, from: start + 2, range, &tally)
      try options(message, target..<range.upperBound)
      try parameters(message, target..<range.upperBound)
    case 29: try location(message, range)
    case 99: try strings(message, range)
    default: break
    }
  }
}
