import LanWire

/// How bytes from the network are made safe in a line of output.
@frozen public enum EscapeStyle: Sendable {
  /// A label in presentation form, inside a JSON string.
  case jsonLabel
  /// A label in presentation form, for people.
  case textLabel
  /// Text inside a JSON string; what is no UTF-8 becomes `\DDD`.
  case jsonText
  /// Text for people; controls and what is no UTF-8 become `\DDD`.
  case text
  /// For people, text in presentation form already: backslashes stand, controls do not.
  case shown

  @inlinable @inline(__always) var isJSON: Bool { self == .jsonLabel || self == .jsonText }
  @inlinable @inline(__always) var isLabel: Bool { self == .jsonLabel || self == .textLabel }
}

extension OutputBuffer {
  /// Writes the bytes of `source` in `range`, made safe.
  ///
  /// Printable ASCII and valid UTF-8 stand as they are. Control bytes and bytes that are no valid
  /// UTF-8 become `\DDD`; labels escape dot and backslash as well (RFC 1035 section 5.1). For
  /// people, characters that could steer a terminal or turn the line's direction are escaped too.
  @inlinable public mutating func append(
    _ source: Span<UInt8>, _ range: Range<Int>, escape style: EscapeStyle
  ) {
    let part = source.extracting(range)
    // The widest escape is `\\DDD`: five bytes for one.
    reserve(part.count &* 5 &+ 8)
    appendEscaped(part, style)
  }

  /// Writes the UTF-8 of `text`, made safe.
  public mutating func append(text: String, escape style: EscapeStyle) {
    let bytes = Array(text.utf8)
    append(bytes.span, 0..<bytes.count, escape: style)
  }

  /// Makes `\DDD` of every byte that is no ASCII, for a terminal that takes nothing else.
  public mutating func escapeNonASCII() {
    let bytes = withBytes { bytes in bytes.indices.map { bytes[$0] } }
    guard bytes.contains(where: { $0 >= 0x80 }) else { return }
    removeAll()
    for byte in bytes {
      if byte < 0x80 {
        append(byte: byte)
      } else {
        append(byte: 0x5C)
        append(Int(byte), width: 3)
      }
    }
  }

  @inlinable @inline(__always) mutating func appendEscaped(
    _ bytes: Span<UInt8>, _ style: EscapeStyle
  ) {
    let length = bytes.count
    var index = 0
    var out = used
    while index < length {
      if length &- index >= 8 {
        let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
        if Self.isPlain(word, style) {
          unsafe UnsafeMutableRawPointer(base + out).storeBytes(of: word, as: UInt64.self)
          out &+= 8
          index &+= 8
          continue
        }
      }
      let stop = min(index &+ 8, length)
      while index < stop {
        let byte = bytes[index]
        if byte &- 0x20 < 0x5F, style == .shown || byte != 0x5C,
          style.isLabel ? byte != 0x2E : true,
          style.isJSON ? byte != 0x22 : true
        {
          unsafe base[out] = byte
          out &+= 1
          index &+= 1
          continue
        }
        escapeOne(bytes, &index, &out, style)
      }
    }
    used = out
  }

  /// True when no byte of `word` needs a look: printable ASCII without the style's specials.
  @inlinable @inline(__always) static func isPlain(_ word: UInt64, _ style: EscapeStyle) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    // Bytes below 0x20, 0x7F and above: the top bit shows in one of the terms.
    var bad = word | (word &- 0x20 &* ones) | (word &+ ones)
    if style != .shown {
      let backslash = word ^ (0x5C &* ones)
      bad |= (backslash &- ones) & ~backslash
    }
    if style.isLabel {
      let dot = word ^ (0x2E &* ones)
      bad |= (dot &- ones) & ~dot
    }
    if style.isJSON {
      let quote = word ^ (0x22 &* ones)
      bad |= (quote &- ones) & ~quote
    }
    return bad & tops == 0
  }

  @usableFromInline mutating func escapeOne(
    _ bytes: Span<UInt8>, _ index: inout Int, _ out: inout Int, _ style: EscapeStyle
  ) {
    let byte = bytes[index]
    if byte >= 0x80 {
      let size = UTF8Sequence.length(bytes, at: index, end: bytes.count)
      if size > 0, style.isJSON || !UTF8Sequence.steers(bytes, at: index, size) {
        for step in 0..<size { unsafe base[out + step] = bytes[index + step] }
        out += size
        index += size
        return
      }
    } else if byte >= 0x20, byte != 0x7F {
      // Dot, backslash or quote. In JSON a backslash doubles once more.
      if byte != 0x22, style.isLabel {
        unsafe base[out] = 0x5C
        out += 1
        if style.isJSON {
          unsafe base[out] = 0x5C
          out += 1
        }
      }
      if byte == 0x5C || byte == 0x22 {
        if style.isJSON {
          unsafe base[out] = 0x5C
          out += 1
        } else if style == .text {
          if byte == 0x5C {
            unsafe base[out] = 0x5C
            out += 1
          }
        }
      }
      unsafe base[out] = byte
      out += 1
      index += 1
      return
    }
    unsafe base[out] = 0x5C
    out += 1
    if style.isJSON {
      unsafe base[out] = 0x5C
      out += 1
    }
    unsafe base[out] = 0x30 + byte / 100
    unsafe base[out + 1] = 0x30 + byte / 10 % 10
    unsafe base[out + 2] = 0x30 + byte % 10
    out += 3
    index += 1
  }
}
