/// What a run looks for and keeps track of.
public struct SniffOptions: Sendable {
  /// Which messages are wanted.
  public var selection = SniffSelection()
  /// Whether messages are judged by the rules of `LintRules`.
  public var lint = false
  /// Whether totals are kept.
  public var statistics = false
  /// Whether senders' names are learned for `SniffedMessage.sourceName`.
  public var names = false
  /// Whether frames of selected messages are listed in `SniffBatch.frames`.
  public var frames = false
  /// Selected messages after which the run ends; nil for no limit.
  public var count: Int?

  /// Options of a plain run.
  public init() {}
}
