import Glibc

/// The offset of local time from UTC, as the C library's time zone files have it.
///
/// A run of nearby times costs one look-up per quarter of an hour, the finest step of any zone.
public struct LocalTime: Sendable {
  private var quarter = Int64.min
  private var offset: Int64 = 0

  /// Local time of the zone that `TZ` or the system names.
  public init() {}

  /// Seconds to be added to UTC at `seconds` after the epoch.
  public mutating func offsetFromUTC(at seconds: Int64) -> Int64 {
    if seconds / 900 == quarter { return offset }
    quarter = seconds / 900
    var time = time_t(seconds)
    var broken = unsafe tm()
    offset = unsafe localtime_r(&time, &broken) == nil ? 0 : Int64(broken.tm_gmtoff)
    return offset
  }
}
