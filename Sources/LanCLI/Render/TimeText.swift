import LanCore
import LanSystem

/// Writes times in RFC 3339 form, remembering the last second so that a run of messages costs one
/// calendar computation a second.
struct TimeText {
  private var second = Int64.min
  private var text = InlineArray<20, UInt8>(repeating: 0)
  private var length = 0

  /// Writes `2026-11-30T15:04:05.123456Z`: UTC with `digits` digits behind the point.
  @inline(__always) mutating func appendUTC(
    _ nanoseconds: Int64, digits: UInt8, to out: inout OutputBuffer
  ) {
    let (seconds, fraction) = Self.split(nanoseconds)
    appendSecond(seconds, separator: 0x54, to: &out)
    out.append(".")
    Self.appendFraction(fraction, digits: digits, to: &out)
    out.append("Z")
  }

  /// Writes `2026-11-30 16:04:05.123456`: local time.
  mutating func appendLocal(
    _ nanoseconds: Int64, digits: UInt8, _ zone: inout LocalTime, to out: inout OutputBuffer
  ) {
    let (seconds, fraction) = Self.split(nanoseconds)
    let start = out.count
    let (local, overflow) = seconds.addingReportingOverflow(zone.offsetFromUTC(at: seconds))
    appendSecond(overflow ? seconds : local, separator: 0x20, to: &out)
    out.append(".")
    Self.appendFraction(fraction, digits: digits, to: &out)
    out.pad(from: start, to: 26, separate: false)
  }

  /// Writes a span in seconds, right-aligned in fifteen columns: `       1.000250`.
  static func appendSpan(_ nanoseconds: Int64, digits: UInt8, to out: inout OutputBuffer) {
    let (seconds, fraction) = split(Int64(clamping: nanoseconds.magnitude))
    var width = 1
    var bound: Int64 = 10
    while width < 10, seconds >= bound {
      width += 1
      bound *= 10
    }
    for _ in 0..<max(0, 7 - width) { out.append(" ") }
    out.append(nanoseconds < 0 ? "-" : " ")
    out.append(seconds)
    out.append(".")
    appendFraction(fraction, digits: digits, to: &out)
  }

  /// Whole seconds, rounded down, and the nanoseconds above them.
  static func split(_ nanoseconds: Int64) -> (seconds: Int64, fraction: Int) {
    let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0
      ? (quotient - 1, Int(remainder + 1_000_000_000)) : (quotient, Int(remainder))
  }

  /// Writes the first `digits` of nine digits of a second.
  static func appendFraction(_ fraction: Int, digits: UInt8, to out: inout OutputBuffer) {
    let digits = Int(min(max(digits, 1), 9))
    var value = fraction
    for _ in digits..<9 { value /= 10 }
    out.append(value, width: digits)
  }

  private mutating func appendSecond(
    _ seconds: Int64, separator: UInt8, to out: inout OutputBuffer
  ) {
    if seconds != second { compute(seconds, separator) }
    out.append(text.span, 0..<length)
  }

  private mutating func compute(_ seconds: Int64, _ separator: UInt8) {
    second = seconds
    length = 0
    let time = CivilTime(secondsSinceEpoch: seconds)
    put(time.year, 4)
    put(0x2D)
    put(time.month, 2)
    put(0x2D)
    put(time.day, 2)
    put(separator)
    put(time.hour, 2)
    put(0x3A)
    put(time.minute, 2)
    put(0x3A)
    put(time.second, 2)
  }

  private mutating func put(_ byte: UInt8) {
    text[length] = byte
    length += 1
  }

  private mutating func put(_ value: Int, _ width: Int) {
    var divisor = width == 4 ? 1_000 : 10
    for _ in 0..<width {
      put(0x30 + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }
}
