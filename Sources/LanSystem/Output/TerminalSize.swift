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
}
