import Foundation
import LanCore
import TestKit
import Testing

@Suite("Date and time of day") struct CivilTimeTests {
  private let calendar: Calendar = {
    // Foundation's "gregorian" is Julian before 1582; this one goes on for ever.
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    return calendar
  }()

  private func text(_ time: CivilTime) -> String {
    "\(time.year)-\(time.month)-\(time.day) \(time.hour):\(time.minute):\(time.second)"
  }

  /// Counts days by the rule of leap years alone.
  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func lastDay(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  @Test("every day from year 1 to 9999 follows the day before it") func everyDay() {
    var year = 1
    var month = 1
    var day = 1
    var failures = 0
    // 0001-01-01T00:00:00Z.
    for seconds in stride(from: Int64(-62_135_596_800), to: 253_402_300_800, by: 86_400) {
      let time = CivilTime(secondsSinceEpoch: seconds)
      if (time.year, time.month, time.day) != (year, month, day) || time.hour != 0 { failures += 1 }
      let last = Self.lastDay(month, of: year)
      day += 1
      if day > last {
        day = 1
        month += 1
      }
      if month > 12 {
        month = 1
        year += 1
      }
    }
    #expect(failures == 0)
    #expect(year == 10_000)
  }

  @Test("10,000 random instants are what Foundation's calendar says") func random() {
    var generator = SeededGenerator(seed: 3)
    var failures: [String] = []
    for _ in 0..<10_000 {
      let seconds = Int64.random(in: -12_219_292_800..<253_402_300_800, using: &generator)
      let time = CivilTime(secondsSinceEpoch: seconds)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second],
        from: Date(timeIntervalSince1970: Double(seconds)))
      let expected =
        "\(parts.year ?? 0)-\(parts.month ?? 0)-\(parts.day ?? 0) "
        + "\(parts.hour ?? 0):\(parts.minute ?? 0):\(parts.second ?? 0)"
      if text(time) != expected { failures.append("\(seconds): \(text(time)), not \(expected)") }
    }
    #expect(failures == [])
  }

  @Test(
    "leap days and the seconds around midnight",
    arguments: [
      (0, "1970-1-1 0:0:0"), (-1, "1969-12-31 23:59:59"), (951_782_400, "2000-2-29 0:0:0"),
      (951_868_799, "2000-2-29 23:59:59"), (951_868_800, "2000-3-1 0:0:0"),
      (-2_203_891_200, "1900-3-1 0:0:0"), (-2_203_891_201, "1900-2-28 23:59:59"),
      (1_709_164_800, "2024-2-29 0:0:0"), (4_107_542_400, "2100-3-1 0:0:0"),
      (-86_400, "1969-12-31 0:0:0"), (-86_401, "1969-12-30 23:59:59"),
    ] as [(Int64, String)])
  func edges(_ seconds: Int64, _ expected: String) {
    #expect(text(CivilTime(secondsSinceEpoch: seconds)) == expected)
  }

  @Test("the ends of the count do not trap") func ends() {
    #expect(CivilTime(secondsSinceEpoch: .max).year > 9999)
    #expect(CivilTime(secondsSinceEpoch: .min).year < 0)
  }
}
