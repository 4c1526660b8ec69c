/// The rules that traffic is judged by.
///
/// Those that one message shows by itself are in `message`; those that need several are in
/// `history`. A rule that both judge stands in both, under one id.
public enum LintRules {
  /// Every rule, in the order of `--explain` without an id.
  public static let all: [LintRule] =
    message + history.filter { rule in !message.contains { $0.id == rule.id } }

  /// The rule of this id, as `--explain` takes it; nil for an unknown one.
  public static func rule(_ id: String) -> LintRule? {
    all.first { $0.id == id }
  }

  /// The rules that one message shows by itself, in the order of `MessageRule`.
  static let message: [LintRule] = headerRules + recordRules + contentRules
}
