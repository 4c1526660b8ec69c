/// One subcommand, or `lantool` itself: everything a user can read about it and type to it.
///
/// Parsing, `--help`, usage errors, manual pages and shell completions are all made from this, so
/// they cannot disagree.
struct CommandDeclaration: Sendable {
  /// A word on the command line that is no option.
  struct Argument: Sendable {
    let placeholder: String
    let isOptional: Bool
    let isRepeatable: Bool
    let help: String
    /// What a shell offers for it.
    var values = ValueKind.text
  }

  /// A command line to learn from.
  struct Example: Sendable {
    let command: String
    /// What it does; a whole sentence.
    let text: String
  }

  /// A further section of the manual page.
  struct Section: Sendable {
    let title: String
    let paragraphs: [Paragraph]
  }

  /// A piece of text.
  enum Paragraph: Sendable {
    case text(String)
    /// A term and its explanation.
    case item(String, String)
    /// Shown as it is.
    case code(String)
  }

  /// The subcommand's word; empty for `lantool` itself.
  let name: String
  /// What it does, in one line without a full stop.
  let abstract: String
  /// Paragraphs of whole sentences.
  let discussion: [Paragraph]
  var arguments: [Argument] = []
  /// What to say when there are more arguments than declared.
  var excessHint = ""
  let options: [OptionDeclaration]
  var examples: [Example] = []
  /// The exit statuses it can end with, and what each means here.
  let statuses: [(ExitStatus, String)]
  /// Sections of the manual page beside the ones made from the other fields.
  var sections: [Section] = []
  /// Manual pages to name, with their section: `tcpdump(8)`.
  var seeAlso: [String] = []

  /// As typed: `lantool sniff`.
  var invocation: String { name.isEmpty ? "lantool" : "lantool \(name)" }
  /// The name of the manual page.
  var page: String { name.isEmpty ? "lantool" : "lantool-\(name)" }
  /// The options that users are told about.
  var visibleOptions: [OptionDeclaration] { options.filter { !$0.isHidden } }
}
