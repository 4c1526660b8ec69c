import Testing

@testable import LanCLI

private let declarations = [.lantool] + Command.all.map(\.declaration)

@Suite("Flag tables") struct DeclarationTests {
  @Test("names are unique, lower-case and hyphenated; letters are unique ASCII")
  func names() {
    for command in declarations {
      let names = command.options.map(\.name)
      let letters = command.options.compactMap(\.letter)
      #expect(Set(names).count == names.count, "\(command.invocation)")
      #expect(Set(letters).count == letters.count, "\(command.invocation)")
      #expect(letters.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
      for name in names {
        let words = name.split(separator: "-", omittingEmptySubsequences: false)
        let isPlain = words.allSatisfy { word in
          !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) }
        }
        #expect(isPlain, "--\(name)")
      }
    }
  }

  @Test("an option has the same letter, kind of value and help in every command")
  func common() {
    for name in ["json", "timeout", "netns", "quiet", "color", "help", "version"] {
      let texts = declarations.flatMap { $0.options.filter { $0.name == name } }.map {
        "\($0.letter.map(String.init) ?? "") \($0.value?.placeholder ?? "") \($0.help)"
      }
      #expect(Set(texts).count == 1, "--\(name)")
    }
  }

  @Test("every command answers --help and --version") func general() {
    for command in declarations {
      #expect(command.options.contains { $0.name == "help" && $0.letter == "h" })
      #expect(command.options.contains { $0.name == "version" })
    }
  }

  @Test("an option needs and excludes only options that exist") func company() {
    for command in declarations {
      let names = Set(command.options.map(\.name))
      for option in command.options {
        #expect(names.isSuperset(of: option.excludes + [option.needs].compactMap { $0 }))
      }
    }
  }

  @Test("help is a phrase without a full stop, details are sentences with one") func style() {
    for option in declarations.flatMap(\.options) {
      #expect(!option.help.isEmpty && !option.help.hasSuffix("."), "--\(option.name)")
      #expect(option.details.isEmpty || option.details.hasSuffix("."), "--\(option.name)")
    }
  }

  @Test("no line of help is wider than a terminal of 80 columns") func width() {
    for command in declarations {
      for line in HelpText(command).text.split(separator: "\n") {
        #expect(line.count <= HelpText.width, "\(line)")
        #expect(!line.hasSuffix(" "))
      }
    }
    #expect(HelpText.shortUsage.split(separator: "\n").allSatisfy { $0.count <= HelpText.width })
  }

  @Test("help lists every option but the hidden ones") func complete() {
    for command in declarations {
      let words = Set(HelpText(command).text.split { " ,\n".contains($0) })
      for option in command.options {
        #expect(words.contains("--\(option.name)") == !option.isHidden, "--\(option.name)")
      }
    }
  }

  @Test("every example is a command line that is accepted") func examples() throws {
    for command in Command.all.map(\.declaration) {
      for example in command.examples {
        let line = example.command.split { "|<".contains($0) }[0]
        let words = line.split(separator: " ").drop { $0 != command.name[...] }.dropFirst()
        #expect(throws: Never.self, "\(example.command)") {
          try ArgumentParser(command: command).parse(words.map { Array($0.utf8) })
        }
      }
    }
  }

  @Test("the exit statuses are those of the contract") func statuses() {
    #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 64, 77])
    #expect(CommandDeclaration.lantool.statuses.map(\.0) == ExitStatus.allCases)
  }
}
