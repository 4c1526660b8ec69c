import LanSystem

/// What every command does before its run, and with what its run shows.
enum CommandSetup {
  /// Enters the network namespace that was named; a status where that fails, with `complain` told.
  static func enter(
    _ namespace: String?, _ complain: (String) -> Void
  ) -> ExitStatus? {
    guard let namespace else { return nil }
    do throws(NamespaceError) {
      try NetworkNamespace.enter(namespace)
      return nil
    } catch {
      complain("\(error)")
      if case .permissionDenied = error { return .notPermitted }
      return .undetermined
    }
  }

  /// The first of the named interfaces that is not there, in words, with those that are.
  static func missingInterface(_ names: [String]) -> (words: String, list: String)? {
    guard let missing = names.first(where: { InterfaceList.index(of: $0) == nil }) else {
      return nil
    }
    let all = (try? InterfaceList.all().map(\.name)) ?? []
    let list = all.isEmpty ? "" : "; there are \(all.joined(separator: ", "))"
    return ("no interface '\(printable(Array(missing.utf8)))'", list)
  }

  /// Writes `out` to standard output; ends the program quietly when nobody reads it any more, and is
  /// false, with `complain` told, where it cannot be written.
  static func write(_ out: borrowing OutputBuffer, _ complain: (String) -> Void) -> Bool {
    switch out.withBytes({ StandardOutput.write($0) }) {
    case .written: return true
    case .closed: BrokenPipe.end()
    case .failed(let code):
      complain("cannot write to standard output: \(systemMessage(code))")
      return false
    }
  }

  /// Makes text for people fit a terminal that takes no UTF-8.
  static func fit(_ out: inout OutputBuffer) {
    if out.count > 0, TerminalOutput.isWithoutUTF8 { out.escapeNonASCII() }
  }

  /// Hands what was shown to standard output and empties it; `isWritable` is false once that failed.
  static func flush(
    _ out: inout OutputBuffer, _ isWritable: inout Bool, _ complain: (String) -> Void
  ) {
    guard out.count > 0 else { return }
    defer { out.removeAll() }
    guard isWritable else { return }
    isWritable = write(out, complain)
  }
}
