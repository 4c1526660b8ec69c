import Glibc

extension TerminalOutput {
  /// The columns of the terminal that standard output is; nil for anything else.
  public static var columns: Int? { size.map { Int($0.ws_col) } }

  /// The lines of the terminal that standard output is; nil for anything else.
  public static var lines: Int? { size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

  private static var size: winsize? {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return size
  }

  /// True if standard output is a terminal that can redraw a line.
  public static var canRedraw: Bool {
    guard isTerminal else { return false }
    guard let kind = unsafe getenv("TERM") else { return false }
    return unsafe strcmp(kind, "dumb") != 0
  }

  /// True unless the terminal belongs to another job at the moment, such as the shell that this
  /// process was put into the background of.
  public static var isForeground: Bool {
    let group = tcgetpgrp(STDOUT_FILENO)
    return group < 0 || group == getpgrp()
  }

  /// True if standard output is a terminal that the locale says takes no UTF-8.
  ///
  /// On such a one the bytes of a name may be controls. Where nothing is said, as in a bare container,
  /// the terminal is taken for one of today.
  public static let isWithoutUTF8: Bool = isTerminal && !Self.localeHasUTF8

  /// False where the locale of the environment names another encoding, or C.
  static let localeHasUTF8: Bool = {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { continue }
      let locale = unsafe String(cString: value).lowercased()
      return ["utf-8", "utf8"].contains { locale.hasSuffix($0) || locale.contains("\($0)@") }
    }
    return true
  }()
}
