import LanSystem
import LanWire

/// The `txt` object of the contract (RFC 6763 section 6), for every subcommand.
enum JSONText {
  /// Writes `,"txt":{…}` of the strings of a TXT record.
  static func append(_ strings: [[UInt8]], to out: inout OutputBuffer) {
    let bytes = strings.wireForm
    out.append(",")
    append(0..<bytes.count, bytes.span, to: &out)
  }

  /// Writes `"txt":{…}` and, where the object loses something, `,"txtRaw":[…]`.
  static func append(
    _ strings: Range<Int>, _ message: Span<UInt8>, to out: inout OutputBuffer
  ) {
    out.append("\"txt\":{")
    var keys = SeenKeys()
    var escapedKeys: Set<[UInt8]> = []
    var losesSomething = false
    var isFirst = true
    var iterator = DNSStringIterator(strings)
    while let string = iterator.next(message) {
      if string.isEmpty { continue }
      guard let entry = DNSTextEntryView(message, string: string),
        !keys.contains(entry.key, message)
      else {
        losesSomething = true
        continue
      }
      let key = entry.key
      let isPrintable = UTF8Sequence.isPrintable(message, key)
      if !isPrintable || hasBackslash(key, message) {
        // Escaped it may spell what another key is, and members need different names.
        guard escapedKeys.insert(escaped(key, message)).inserted else {
          losesSomething = true
          continue
        }
      }
      keys.insert(key, message)
      if !isFirst { out.append(",") }
      isFirst = false
      out.append("\"")
      out.append(message, key, escape: .jsonText)
      out.append("\":")
      if !isPrintable { losesSomething = true }
      append(entry.value, message, to: &out)
    }
    out.append("}")
    if losesSomething { appendRaw(strings, message, to: &out) }
  }

  private static func hasBackslash(_ key: Range<Int>, _ message: Span<UInt8>) -> Bool {
    key.contains { message[$0] == 0x5C }
  }

  private static func escaped(_ key: Range<Int>, _ message: Span<UInt8>) -> [UInt8] {
    var out = OutputBuffer(capacity: 64)
    out.append(message, key, escape: .jsonText)
    return out.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  private static func append(
    _ value: Range<Int>?, _ message: Span<UInt8>, to out: inout OutputBuffer
  ) {
    guard let value else {
      out.append("true")
      return
    }
    if UTF8Sequence.isPrintable(message, value) {
      out.append("\"")
      out.append(message, value, escape: .jsonText)
      out.append("\"")
    } else {
      out.append("{\"base64\":\"")
      out.append(base64: message, value)
      out.append("\"}")
    }
  }

  private static func appendRaw(
    _ strings: Range<Int>, _ message: Span<UInt8>, to out: inout OutputBuffer
  ) {
    out.append(",\"txtRaw\":[")
    var isFirst = true
    var iterator = DNSStringIterator(strings)
    while let string = iterator.next(message) {
      out.append(isFirst ? "\"" : ",\"")
      isFirst = false
      out.append(base64: message, string)
      out.append("\"")
    }
    out.append("]")
  }
}

/// Keys of one TXT record, ASCII case ignored.
///
/// The usual dozen is compared in place; a hostile record of thousands goes through hashes, so that
/// time stays linear.
private struct SeenKeys {
  private var places = InlineArray<24, Range<Int>>(repeating: 0..<0)
  private var count = 0
  private var hashes: Set<[UInt8]> = []

  func contains(_ key: Range<Int>, _ message: Span<UInt8>) -> Bool {
    for index in 0..<count {
      let known = places[index]
      guard known.count == key.count else { continue }
      var same = true
      for step in 0..<key.count
      where DNSNameView.folded(message[known.lowerBound &+ step])
        != DNSNameView.folded(message[key.lowerBound &+ step])
      {
        same = false
        break
      }
      if same { return true }
    }
    return count == 24 && hashes.contains(Self.folded(key, message))
  }

  mutating func insert(_ key: Range<Int>, _ message: Span<UInt8>) {
    if count < 24 {
      places[count] = key
      count &+= 1
    } else {
      hashes.insert(Self.folded(key, message))
    }
  }

  private static func folded(_ key: Range<Int>, _ message: Span<UInt8>) -> [UInt8] {
    key.map { DNSNameView.folded(message[$0]) }
  }
}
