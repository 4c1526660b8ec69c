import Glibc

/// What standard output is, as far as text for people depends on it.
public enum TerminalOutput {
  /// True when standard output is a terminal.
  public static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether to colour: `always`, `never`, or by default on a terminal that is not called dumb,
  /// unless NO_COLOR is set to anything.
  public static func isColoured(_ wish: String?) -> Bool {
    switch wish {
    case "always": return true
    case "never": return false
    default: break
    }
    if let refusal = unsafe getenv("NO_COLOR"), unsafe refusal.pointee != 0 { return false }
    if let kind = unsafe getenv("TERM"), unsafe strcmp(kind, "dumb") == 0 { return false }
    return isTerminal
  }
}
