import Glibc

/// Growing bytes that lines of output are built in.
///
/// The one place where writing a byte costs no more than a store: room is made once for a piece,
/// then the piece is copied. Memory is kept by `removeAll`, so a reused buffer stops allocating.
/// Everything that reads the network's bytes takes them as a `Span` with a checked range.
@safe public struct OutputBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  @usableFromInline var used = 0

  /// An empty buffer with room for `capacity` bytes.
  public init(capacity: Int = 65_536) {
    self.capacity = max(capacity, 64)
    unsafe base = .allocate(capacity: self.capacity)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// How many bytes have been written.
  @inlinable public var count: Int { used }

  /// Forgets what was written and keeps the memory.
  @inlinable public mutating func removeAll() { used = 0 }

  /// Cuts the buffer back to its first `count` bytes.
  @inlinable public mutating func truncate(to count: Int) {
    if count >= 0, count < used { used = count }
  }

  /// Lends the bytes written to `body`.
  ///
  /// - Throws: What `body` throws.
  public borrowing func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = unsafe UnsafeBufferPointer(start: base, count: used)
    return try body(unsafe Span(_unsafeElements: bytes))
  }

  /// Makes room for `more` bytes.
  @inlinable @inline(__always) public mutating func reserve(_ more: Int) {
    if capacity &- used < more { grow(more) }
  }

  @usableFromInline mutating func grow(_ more: Int) {
    let larger = max(capacity * 2, used + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe moved.update(from: base, count: used)
    unsafe base.deallocate()
    unsafe base = moved
    capacity = larger
  }
}

extension OutputBuffer {
  /// Writes one byte.
  @inlinable @inline(__always) public mutating func append(byte: UInt8) {
    reserve(1)
    unsafe base[used] = byte
    used &+= 1
  }

  /// Writes a literal.
  @inlinable @inline(__always) public mutating func append(_ literal: StaticString) {
    let length = literal.utf8CodeUnitCount
    reserve(length)
    unsafe (base + used).update(from: literal.utf8Start, count: length)
    used &+= length
  }

  /// Writes the UTF-8 of `text`, as it is.
  @inlinable public mutating func append(text: String) {
    var text = text
    text.withUTF8 { bytes in
      reserve(bytes.count)
      if let start = bytes.baseAddress {
        unsafe (base + used).update(from: start, count: bytes.count)
      }
      used &+= bytes.count
    }
  }

  /// Writes the bytes of `source` in `range`, as they are; trapping where the range is outside.
  @inlinable public mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
    let part = source.extracting(range)
    reserve(part.count)
    unsafe part.withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress {
        unsafe (base + used).update(from: start, count: bytes.count)
      }
    }
    used &+= part.count
  }

  /// Writes `bytes`, as they are.
  @inlinable public mutating func append(bytes: [UInt8]) {
    append(bytes.span, 0..<bytes.count)
  }

  /// Copies the bytes written at `range` to the end.
  @inlinable public mutating func repeatBytes(_ range: Range<Int>) {
    guard range.lowerBound >= 0, range.upperBound <= used else { return }
    reserve(range.count)
    unsafe (base + used).update(from: base + range.lowerBound, count: range.count)
    used &+= range.count
  }

  /// Writes a number in decimal.
  @inlinable @inline(__always) public mutating func append(decimal value: UInt64) {
    reserve(20)
    if value < 10 {
      unsafe base[used] = 0x30 &+ UInt8(truncatingIfNeeded: value)
      used &+= 1
    } else {
      appendDigits(value)
    }
  }

  @inlinable mutating func appendDigits(_ value: UInt64) {
    var digits = value < 100 ? 2 : value < 1_000 ? 3 : value < 10_000 ? 4 : 5
    if value >= 100_000 {
      var rest = value / 100_000
      while rest > 0 {
        rest /= 10
        digits &+= 1
      }
    }
    var rest = value
    var place = used &+ digits
    used = place
    while rest > 0 {
      let quotient = rest / 10
      place &-= 1
      unsafe base[place] = 0x30 &+ UInt8(truncatingIfNeeded: rest &- quotient &* 10)
      rest = quotient
    }
  }

  /// Writes a number in decimal.
  @inlinable public mutating func append<Number: BinaryInteger>(_ value: Number) {
    if value < 0 {
      append(byte: 0x2D)
      append(decimal: UInt64(value.magnitude))
    } else {
      append(decimal: UInt64(truncatingIfNeeded: value))
    }
  }

  /// Writes a number in decimal with leading zeros up to `width` digits (at most 18).
  @inlinable public mutating func append(_ value: Int, width: Int) {
    reserve(width)
    var rest = value
    var place = used &+ width
    while place > used {
      place &-= 1
      unsafe base[place] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    used &+= width
  }

  /// Writes two hexadecimal digits for each byte of `source` in `range`.
  @inlinable public mutating func append(hex source: Span<UInt8>, _ range: Range<Int>) {
    reserve(range.count &* 2)
    for index in range {
      let byte = source[index]
      let high = byte &>> 4
      let low = byte & 15
      unsafe base[used] = high < 10 ? 0x30 &+ high : 0x57 &+ high
      unsafe base[used &+ 1] = low < 10 ? 0x30 &+ low : 0x57 &+ low
      used &+= 2
    }
  }

  /// Writes spaces up to `column` bytes behind `start`; at least one when `separate`.
  @inlinable public mutating func pad(from start: Int, to column: Int, separate: Bool = true) {
    var missing = column &- (used &- start)
    if missing <= 0 {
      guard separate else { return }
      missing = 1
    }
    reserve(missing)
    for _ in 0..<missing {
      unsafe base[used] = 0x20
      used &+= 1
    }
  }
}
