public import LanWire

/// What one source did against one rule, over the whole capture.
public struct FindingSummary: Sendable {
  /// The rule.
  public var rule: LintRule
  /// How bad the worst breach was.
  public var severity: FindingSeverity
  /// Who broke the rule.
  public var source: IPAddress
  /// How often.
  public var count: Int
  /// The first frames that prove it, at most `frameLimit` of them, and the last one.
  public var frames: [Int]
  /// The text of the first of the worst breaches.
  public var text: String

  /// How many frames are kept beside the last one.
  public static let frameLimit = 20

  /// A summary of one finding.
  public init(_ finding: Finding) {
    rule = finding.rule
    severity = finding.severity
    source = finding.source
    count = 0
    frames = []
    text = finding.text
    add(finding)
  }

  /// Counts one more finding of the same rule and source.
  public mutating func add(_ finding: Finding) {
    count += 1
    if finding.severity > severity {
      severity = finding.severity
      text = finding.text
    }
    for frame in finding.frames { add(frame: frame) }
  }

  private mutating func add(frame: Int) {
    if frames.contains(frame) { return }
    if frames.count <= Self.frameLimit {
      frames.append(frame)
    } else {
      frames[Self.frameLimit] = frame
    }
  }
}
