public import LanWire

/// How bad a finding is.
public enum FindingSeverity: UInt8, Sendable, Comparable, CaseIterable {
  /// A hint: legal, or unusual only.
  case info
  /// A SHOULD is not kept, or harm was seen in practice.
  case warning
  /// A MUST is not kept.
  case error

  /// Orders by how bad it is.
  public static func < (left: FindingSeverity, right: FindingSeverity) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A rule of the protocols that traffic can be judged by.
public struct LintRule: Hashable, Sendable {
  /// The rule's name, lower case with hyphens, as in the `rule` field.
  public let id: String
  /// How bad a breach is, unless the finding says otherwise.
  public let severity: FindingSeverity
  /// The section that states it, as `RFC 6762 section 6`.
  public let section: String
  /// What the rule asks, in one sentence.
  public let demand: String
  /// What a breach does to others, and what to do about it.
  public let advice: String

  /// A rule.
  public init(
    _ id: String, _ severity: FindingSeverity, _ section: String, _ demand: String,
    _ advice: String
  ) {
    self.id = id
    self.severity = severity
    self.section = section
    self.demand = demand
    self.advice = advice
  }
}

/// A breach of a rule, with its evidence.
public struct Finding: Sendable {
  /// The rule.
  public var rule: LintRule
  /// How bad this breach is.
  public var severity: FindingSeverity
  /// What was seen, in one sentence with names and numbers.
  public var text: String
  /// Frames that prove it, the last one being the frame that completed the proof.
  public var frames: [Int]
  /// Who broke the rule.
  public var source: IPAddress

  /// A finding about `rule`.
  public init(
    _ rule: LintRule, severity: FindingSeverity? = nil, text: String, frames: [Int],
    source: IPAddress
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.text = text
    self.frames = frames
    self.source = source
  }
}
