import LanCore

/// A page for man(1).
struct ManPage {
  /// The day that stands in every page: that of the release, so that pages are reproducible.
  static let date = "2026-11-30"

  let command: CommandDeclaration

  init(_ command: CommandDeclaration) { self.command = command }

  /// The source of the page.
  var text: String {
    let version = "lantool \(Lantool.version)"
    var lines = [
      ".\\\" Made by 'lantool --generate man \(command.page)'; edit the declaration instead.",
      ".TH \(command.page.uppercased()) 1 \(Self.date) \"\(version)\" \"User Commands\"",
      ".SH NAME", "\(command.page.replacing("-", by: "\\-")) \\- \(Roff.prose(command.abstract))",
    ]
    lines += [".SH SYNOPSIS"] + synopsis
    lines += section("Description", command.discussion)
    if !command.arguments.isEmpty { lines += [".SH ARGUMENTS"] + arguments }
    if command.name.isEmpty { lines += [".SH COMMANDS"] + commands }
    lines += [".SH OPTIONS"] + options
    lines += [".SH EXIT STATUS"]
    lines += command.statuses.flatMap { item(Roff.bold("\($0.rawValue)"), $1) }
    for section in command.sections { lines += self.section(section.title, section.paragraphs) }
    if !command.examples.isEmpty { lines += [".SH EXAMPLES"] + examples }
    lines += [".SH SEE ALSO"] + seeAlso
    return lines.joined(separator: "\n") + "\n"
  }

  private var synopsis: [String] {
    let words = command.arguments.map { argument in
      let word = Roff.italic(argument.placeholder)
      return (argument.isOptional ? "[\(word)]" : word) + (argument.isRepeatable ? "..." : "")
    }
    let options = command.name.isEmpty ? [] : ["[\(Roff.italic("OPTION"))]..."]
    let line = ([Roff.bold(command.invocation)] + options + words).joined(separator: " ")
    guard command.name.isEmpty else { return [line] }
    let general = command.visibleOptions.map { Roff.bold("--\($0.name)") }.joined(separator: " | ")
    return [line, ".br", "\(Roff.bold(command.invocation)) \(general)"]
  }

  private var arguments: [String] {
    command.arguments.flatMap { item(Roff.italic($0.placeholder), "\(sentence($0.help)).") }
  }

  private var commands: [String] {
    let declarations = Command.all.map(\.declaration)
    return declarations.flatMap { command in
      item(Roff.bold(command.name), "\(sentence(command.abstract)). See \(command.page)(1).")
    }
      + item(
        "\(Roff.bold("help")) [\(Roff.italic("COMMAND"))]",
        "Show the help of a command, or of lantool itself.")
  }

  private var options: [String] {
    OptionDeclaration.Category.allCases.flatMap { category -> [String] in
      let options = command.visibleOptions.filter { $0.category == category }
      if options.isEmpty { return [] }
      let title = command.name.isEmpty ? [] : [".SS \(category.rawValue)"]
      return title + options.flatMap(lines(for:))
    }
  }

  private func lines(for option: OptionDeclaration) -> [String] {
    let letter = option.letter.map { "\(Roff.bold("-\($0)")), " } ?? ""
    let value =
      option.value.map { value in
        let word = Roff.italic(value.placeholder)
        return value.isOptional ? "[=\(word)]" : " \(word)"
      } ?? ""
    var lines = item(
      "\(letter)\(Roff.bold("--\(option.name)"))\(value)", "\(sentence(option.help)).")
    if !option.details.isEmpty { lines.append(Roff.prose(option.details)) }
    switch option.value?.kind {
    case .choice(let choices), .choices(let choices):
      lines.append(".RS")
      lines += choices.flatMap { item(Roff.bold($0.word), "\(sentence($0.help)).") }
      lines.append(".RE")
    case .words(let words):
      lines.append(Roff.prose("Known words: \(words.joined(separator: ", "))."))
    default: break
    }
    return lines
  }

  private var examples: [String] {
    command.examples.flatMap { example in
      [
        ".PP", Roff.prose(example.text), ".PP", ".RS 4", ".EX", Roff.code(example.command), ".EE",
        ".RE",
      ]
    }.dropFirstParagraph()
  }

  private var seeAlso: [String] {
    let own =
      command.name.isEmpty ? Command.all.map { "\($0.declaration.page)(1)" } : ["lantool(1)"]
    let pages = own + ["lantool-json(5)"] + command.seeAlso
    return [
      pages.map { page in
        let parts = page.split(separator: "(")
        return "\(Roff.bold(String(parts[0])))(\(parts[1])"
      }.joined(separator: ",\n")
    ]
  }

  private func section(_ title: String, _ paragraphs: [CommandDeclaration.Paragraph]) -> [String] {
    [".SH \(title.uppercased())"]
      + paragraphs.flatMap { paragraph in
        switch paragraph {
        case .text(let text): [".PP", Roff.prose(text)]
        case .item(let term, let text): item(Roff.bold(term), text)
        case .code(let line): [".PP", ".RS 4", ".EX", Roff.code(line), ".EE", ".RE"]
        }
      }.dropFirstParagraph()
  }

  private func item(_ term: String, _ text: String) -> [String] { [".TP", term, Roff.prose(text)] }
}

extension [String] {
  // A paragraph request behind a heading is empty, which mandoc complains about.
  fileprivate func dropFirstParagraph() -> [String] {
    first == ".PP" ? Array(dropFirst()) : self
  }
}
