import Glibc

/// Where programs keep what they remember from run to run.
public enum StateFolder {
  /// `$XDG_STATE_HOME/lantool`, or `~/.local/state/lantool`; nil where there is no home folder.
  public static var path: String? {
    // A relative path is to be ignored (XDG Base Directory Specification).
    if let state = variable("XDG_STATE_HOME") { return state + "/lantool" }
    return variable("HOME").map { $0 + "/.local/state/lantool" }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.hasPrefix("/") ? text : nil
  }
}
