/// One option: all that parsing, help, manual page and completions need to know about it.
struct OptionDeclaration: Sendable {
  /// Where an option stands in help and manual page, in this order.
  enum Category: String, CaseIterable, Sendable {
    case service = "Service"
    case input = "Input"
    case selection = "Selection"
    case probes = "Probes"
    case output = "Output"
    case diagnosis = "Diagnosis"
    case hook = "Programs"
    case limits = "Limits"
    case end = "End of the run"
    case general = "General"
  }

  /// What follows the option.
  struct Value: Sendable {
    /// The word that stands for it in help, in capitals.
    let placeholder: String
    /// What it must look like.
    let kind: ValueKind
    /// Whether it may be left out: it follows after '=' then, never after a space.
    let isOptional: Bool

    /// The value as help shows it behind the option's name.
    var shown: String { isOptional ? "[=\(placeholder)]" : " \(placeholder)" }
  }

  /// Long name without hyphens; lower-case words joined by hyphens.
  let name: String
  /// Short letter or digit, if it has one.
  let letter: Character?
  /// Nil for a switch.
  let value: Value?
  /// Whether every occurrence counts; otherwise the last one wins.
  let isRepeatable: Bool
  /// Whether it is left out of help, manual page and completions.
  let isHidden: Bool
  /// The option without which this one means nothing.
  let needs: String?
  /// Options that contradict this one; naming it on one side is enough.
  let excludes: [String]
  /// The group it is listed in.
  let category: Category
  /// One line for the help, without a full stop.
  let help: String
  /// More for the manual page: whole sentences.
  let details: String

  init(
    _ name: String, _ letter: Character? = nil, _ placeholder: String? = nil,
    _ kind: ValueKind = .text, in category: Category, isValueOptional: Bool = false,
    isRepeatable: Bool = false, isHidden: Bool = false, needs: String? = nil,
    excludes: [String] = [], help: String,
    details: String = ""
  ) {
    self.name = name
    self.letter = letter
    self.value = placeholder.map {
      Value(placeholder: $0, kind: kind, isOptional: isValueOptional)
    }
    self.isRepeatable = isRepeatable
    self.isHidden = isHidden
    self.needs = needs
    self.excludes = excludes
    self.category = category
    self.help = help
    self.details = details
  }
}
