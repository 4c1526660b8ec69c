/// A date and time of day in the proleptic Gregorian calendar, in UTC unless shifted.
public struct CivilTime: Equatable, Sendable {
  /// The year; 1970 at the epoch.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int
  /// 0 to 59; there are no leap seconds in this count.
  public let second: Int

  /// The date and time `seconds` after 1970-01-01T00:00:00Z; negative before it.
  public init(secondsSinceEpoch seconds: Int64) {
    var days = Int(seconds / 86_400)
    var rest = Int(seconds % 86_400)
    if rest < 0 {
      rest += 86_400
      days -= 1
    }
    hour = rest / 3_600
    minute = rest / 60 % 60
    second = rest % 60
    // Years are counted from March, so that the leap day is the last of its year; an era is the
    // 400 years (146,097 days) after which the calendar repeats.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}
