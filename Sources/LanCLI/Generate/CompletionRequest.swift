import LanCore
import LanSystem

/// What the completion scripts ask for: `lantool --complete KIND COMMAND WORD...`, with the words
/// that stand before the one that is being typed.
///
/// The line is unfinished and may be wrong, so nothing in it is refused.
struct CompletionRequest: Equatable {
  /// The names that are wanted.
  var kind: HeardNames.Kind
  /// The only types whose instances are wanted; empty for all.
  var types: [ServiceType] = []
  /// The only interfaces to listen on; empty for all.
  var interfaces: [String] = []
  /// Where to listen.
  var namespace: String?

  /// Reads the words of a line.
  init(_ kind: HeardNames.Kind, _ words: [[UInt8]]) {
    self.kind = kind
    let name = words.first.map { String(decoding: $0, as: UTF8.self) }
    guard let command = Command.all.map(\.declaration).first(where: { $0.name == name }) else {
      return
    }
    let scanner = OptionScanner(options: command.options.map(ScannerOption.init))
    for event in scanner.scan(Array(words.dropFirst())) {
      switch event {
      case .option(let index, let value?):
        take(command.options[index], value)
      case .argument(let word):
        if case .serviceType = command.arguments.first?.values { take(type: word) }
      default: break
      }
    }
  }

  private mutating func take(_ option: OptionDeclaration, _ value: [UInt8]) {
    let text = String(decoding: value, as: UTF8.self)
    switch option.value?.kind {
    case .serviceType:
      take(type: value)
      // With --service an argument is the label of an instance.
      if option.name == "service" { kind = .instances }
    case .interface: interfaces.append(text)
    case .namespace: namespace = text
    default: break
    }
  }

  private mutating func take(type word: [UInt8]) {
    types += ((try? BrowseTypeWord(word))?.types ?? []).map(\.base)
  }
}
