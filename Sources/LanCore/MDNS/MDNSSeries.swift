import LanWire

/// The questions for one set, one after the other with growing gaps (RFC 6762 section 5.2).
struct MDNSSeries: Sendable {
  var set: Int32
  var effort: MDNSEffort
  /// Interests that it serves.
  var interests: Int32 = 1
  /// Questions sent, or taken as sent, since the series began.
  var sent: Int32 = 0
  /// The next question asks for unicast answers (RFC 6762 section 5.4).
  var wantsUnicast = false
  /// No answer was had, and that was told.
  var isExhausted = false
  /// That there is no such record was told.
  var isDenied = false
  /// When the series began.
  var began: Int64 = 0
  /// When it asked last, or the refresh ladder did for it.
  var asked: Int64 = .min
  /// When another host asked the same without knowing more than we do (RFC 6762 section 7.3).
  var duplicated: Int64 = .min

  static let blank = MDNSSeries(set: -1, effort: .passive)

  /// Nanoseconds from the question number `sent` to the next: 1, 2, 4 … seconds up to an hour.
  static func gap(after sent: Int32) -> Int64 {
    min(1 << Int64(min(max(sent - 1, 0), 12)), 3_600) * 1_000_000_000
  }

  /// Questions that may be sent; nil for no limit.
  var limit: Int32? {
    switch effort {
    case .passive: 0
    case .attempts(let count): Int32(clamping: max(count, 0))
    case .unlimited: nil
    }
  }
}

extension MDNSEffort {
  /// Nothing is sent.
  var isPassive: Bool {
    switch self {
    case .passive: true
    case .attempts(let count): count <= 0
    case .unlimited: false
    }
  }

  /// The greater of two.
  func joined(_ other: MDNSEffort) -> MDNSEffort {
    switch (self, other) {
    case (.unlimited, _), (_, .unlimited): .unlimited
    case (.attempts(let a), .attempts(let b)): .attempts(max(a, b))
    case (.attempts, .passive): self
    case (.passive, _): other
    }
  }
}
