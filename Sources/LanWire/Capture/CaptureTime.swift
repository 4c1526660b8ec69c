/// When a frame was captured, and how fine its source measures time.
@frozen public struct CaptureTime: Hashable, Sendable {
  /// Nanoseconds since 1970-01-01 00:00:00 UTC; a source out of range is held at the ends.
  public var nanoseconds: Int64
  /// Digits behind the point that the source can tell, from 6 to 9.
  public var fractionDigits: UInt8

  /// A time of `nanoseconds` since the epoch, with `fractionDigits` meaningful digits.
  @inlinable public init(nanoseconds: Int64, fractionDigits: UInt8) {
    self.nanoseconds = nanoseconds
    self.fractionDigits = fractionDigits
  }
}

/// How an interface of a capture file counts time (pcapng options if_tsresol and if_tsoffset).
struct CaptureClock {
  private enum Scale {
    /// Nanoseconds in a unit, for powers of ten up to 9.
    case multiply(UInt64)
    /// Units in a nanosecond, for higher powers of ten.
    case divide(UInt64)
    /// Units of 2 to the minus n seconds.
    case binary(UInt8)
  }

  private var scale = Scale.multiply(1000)
  private var digits: UInt8 = 6
  /// Seconds to be added to every time.
  var offsetSeconds: Int64 = 0

  static let microseconds = CaptureClock()

  /// Sets the resolution from the byte of option if_tsresol.
  mutating func setResolution(_ value: UInt8) {
    let exponent = value & 0x7F
    digits = min(max(exponent, 6), 9)
    if value & 0x80 != 0 {
      scale = .binary(exponent)
    } else if exponent <= 9 {
      scale = .multiply(Self.powerOfTen(9 &- exponent))
    } else {
      scale = .divide(Self.powerOfTen(min(exponent &- 9, 19)))
    }
  }

  private static func powerOfTen(_ exponent: UInt8) -> UInt64 {
    var value: UInt64 = 1
    for _ in 0..<exponent { value = value &* 10 }
    return value
  }

  /// The time of `units` since the epoch; saturates instead of overflowing.
  func time(_ units: UInt64) -> CaptureTime {
    let count: Int64
    switch scale {
    case .multiply(let factor):
      let (product, overflow) = units.multipliedReportingOverflow(by: factor)
      count = overflow ? .max : Int64(clamping: product)
    case .divide(let divisor):
      count = Int64(clamping: units / divisor)
    case .binary(let exponent):
      count = Int64(clamping: (UInt128(units) * 1_000_000_000) >> UInt128(exponent))
    }
    return CaptureTime(nanoseconds: shifted(count), fractionDigits: digits)
  }

  private func shifted(_ count: Int64) -> Int64 {
    guard offsetSeconds != 0 else { return count }
    let end: Int64 = offsetSeconds < 0 ? .min : .max
    let (shift, tooFar) = offsetSeconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow) = count.addingReportingOverflow(tooFar ? end : shift)
    return tooFar || overflow ? end : sum
  }
}
