/// The steps of the refresh ladder.
enum MDNSLadder {
  /// Behind the last step.
  static let end: UInt8 = 10
  /// Percent of the time to live that a step may be early when the question is sent anyhow.
  static let margin: Int64 = 3

  /// Percent of the time to live at a step; nil for one that repeats the step before.
  static func percent(_ stage: UInt8) -> Int64? {
    switch stage {
    case 0: 80
    case 1: 85
    case 4: 90
    case 7: 95
    default: nil
    }
  }

  /// Nanoseconds between a repeating step and the one before.
  static func wait(_ stage: UInt8) -> Int64 { stage % 3 == 2 ? 1_000_000_000 : 2_000_000_000 }

  /// Percent of the time to live that a repeating step must come before.
  static func bound(_ stage: UInt8) -> Int64 {
    switch stage {
    case 2, 3: 90
    case 5, 6: 95
    default: 99
    }
  }
}
