import CLan
import Synchronization

/// An option as the scanner needs to know it.
package struct ScannerOption: Sendable {
  /// Long name without the hyphens.
  package var name: String
  /// Short letter, an ASCII letter or digit.
  package var letter: UInt8?
  /// Whether a value must follow.
  package var takesValue: Bool
  /// Whether the value may be left out; it follows after '=' only then, never after a space.
  package var isValueOptional: Bool

  /// Describes one option.
  package init(name: String, letter: UInt8?, takesValue: Bool, isValueOptional: Bool = false) {
    self.name = name
    self.letter = letter
    self.takesValue = takesValue
    self.isValueOptional = isValueOptional
  }

  fileprivate var argumentRule: Int32 {
    isValueOptional ? optional_argument : takesValue ? required_argument : no_argument
  }
}

/// What the scanner found, in the order of the command line.
package enum ScanEvent: Equatable, Sendable {
  /// The option at `index` of the table, with its value's bytes.
  case option(index: Int, value: [UInt8]?)
  /// A word that is no option.
  case argument([UInt8])
  /// An option that is not in the table, as typed but without `=value`. For a letter, `word` is
  /// the whole bundle that it stood in.
  case unknown(option: [UInt8], word: [UInt8])
  /// An abbreviation of several options of the table.
  case ambiguous(option: [UInt8], candidates: [Int])
  /// The option at `index` came last and its value is missing.
  case missingValue(index: Int)
  /// The option at `index` takes no value but `=value` was attached.
  case unexpectedValue(index: Int)
}

/// Splits a command line into options and arguments with glibc's `getopt_long`.
///
/// Options and arguments may be mixed, `--` ends options, names may be abbreviated and letters
/// bundled. A value that follows as a word of its own is taken whatever it begins with, so
/// `--count -5` hands `-5` over; a lone `-` is an argument.
package struct OptionScanner: Sendable {
  private let options: [ScannerOption]
  private let stopsAtArgument: Bool
  // The position of getopt_long is one per process; tests scan from several threads.
  private static let turn = Mutex<Void>(())
  private static let firstIndex: Int32 = 256

  /// A scanner for `options`; with `stopsAtArgument` all from the first argument on is left alone.
  package init(options: [ScannerOption], stopsAtArgument: Bool = false) {
    self.options = options
    self.stopsAtArgument = stopsAtArgument
  }

  /// Scans `arguments`, which do not include the program's name.
  package func scan(_ arguments: [[UInt8]]) -> [ScanEvent] {
    Self.turn.withLock { _ in scanAlone(arguments) }
  }

  private func scanAlone(_ arguments: [[UInt8]]) -> [ScanEvent] {
    var words = CStrings([Array("lantool".utf8)] + arguments)
    var names = CStrings(options.map { Array($0.name.utf8) })
    var letters = CStrings([Array(letterText.utf8)])
    var events: [ScanEvent] = []
    unsafe words.withPointers { words in
      unsafe names.withPointers { names in
        unsafe letters.withPointers { letters in
          guard let words = words.baseAddress, let letters = unsafe letters[0] else { return }
          var table = unsafe zip(options, names).enumerated().map { index, pair in
            unsafe option(
              name: pair.1, has_arg: pair.0.argumentRule, flag: nil,
              val: Self.firstIndex + Int32(index))
          }
          unsafe table.append(option())
          events = unsafe collect(arguments, words: words, letters: letters, table: table)
        }
      }
    }
    return events
  }

  private func collect(
    _ arguments: [[UInt8]], words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
    letters: UnsafePointer<CChar>, table: [option]
  ) -> [ScanEvent] {
    var events: [ScanEvent] = []
    var result = unsafe lan_getopt()
    unsafe result.next = 1
    while true {
      // getopt_long advances only behind the last letter of a bundle, and these modes never
      // permute, so the word it looks at is the one that it stopped at before.
      let current = unsafe Int(result.next) - 1
      let found = unsafe lan_getopt_next(
        Int32(arguments.count + 1), words, letters, table, events.isEmpty ? 1 : 0, &result)
      if found == -1 { break }
      let value = unsafe result.value.map {
        unsafe Array(UnsafeRawBufferPointer(start: $0, count: length(of: $0)))
      }
      let word = arguments.indices.contains(current) ? arguments[current] : []
      events.append(event(found, offender: unsafe result.offender, value: value, word: word))
    }
    let rest = unsafe max(Int(result.next) - 1, 0)
    return events + arguments.dropFirst(rest).map { .argument($0) }
  }

  private func event(_ found: Int32, offender: Int32, value: [UInt8]?, word: [UInt8]) -> ScanEvent {
    switch found {
    case 1: .argument(value ?? [])
    case Int32(UInt8(ascii: ":")):
      index(of: offender).map { .missingValue(index: $0) } ?? .unknown(option: word, word: word)
    case Int32(UInt8(ascii: "?")): failure(offender: offender, word: word)
    default:
      index(of: found).map { .option(index: $0, value: value) }
        ?? .unknown(option: word, word: word)
    }
  }

  private func failure(offender: Int32, word: [UInt8]) -> ScanEvent {
    if let index = index(of: offender) { return .unexpectedValue(index: index) }
    if offender != 0 {
      let isASCII = (0x21...0x7e).contains(offender)
      let typed = isASCII ? [UInt8(ascii: "-"), UInt8(offender)] : word
      return .unknown(option: typed, word: word)
    }
    let typed = Array(word.prefix { $0 != UInt8(ascii: "=") })
    let candidates = options.indices.filter {
      options[$0].name.utf8.starts(with: typed.dropFirst(2))
    }
    guard typed.count > 2, candidates.count > 1 else { return .unknown(option: typed, word: word) }
    return .ambiguous(option: typed, candidates: candidates)
  }

  private func index(of found: Int32) -> Int? {
    if found >= Self.firstIndex { return Int(found - Self.firstIndex) }
    return options.firstIndex { $0.letter.map(Int32.init) == found }
  }

  // '-' asks for arguments in their place, '+' for a stop at the first; ':' tells a missing value
  // apart from an unknown option.
  private var letterText: String {
    options.reduce(into: stopsAtArgument ? "+:" : "-:") { text, option in
      guard let letter = option.letter else { return }
      text.unicodeScalars.append(Unicode.Scalar(letter))
      if option.takesValue { text += option.isValueOptional ? "::" : ":" }
    }
  }
}
