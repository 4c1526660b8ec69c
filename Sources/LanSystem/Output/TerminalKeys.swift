import CLan
import Glibc

/// The keys typed on the terminal that is standard input, each at once and not shown.
///
/// Control-C, Control-\ and Control-Z keep their meaning. The terminal is put back by `stop()` and at
/// the end of the process however it comes. Where a shell stops the process, `stop()` is to be called
/// before and `resume()` when it goes on. There can be one at a time.
public final class TerminalKeys {
  /// True if there is a terminal to read keys from and to show something on.
  public static var isPossible: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  private let reactor: Reactor
  private let handler: (TerminalKey) -> Void
  private let hidesCursor: Bool
  private var parser = TerminalKeyParser()
  private var watch: WatchToken?

  /// Takes the terminal over and calls `handler` on the loop with each key.
  ///
  /// - Parameters:
  ///   - reactor: The loop.
  ///   - hidesCursor: Whether the cursor is not shown meanwhile.
  ///   - handler: Runs on the loop.
  /// - Throws: Where standard input is no terminal.
  public init(
    on reactor: Reactor, hidesCursor: Bool = false, _ handler: @escaping (TerminalKey) -> Void
  ) throws(SystemError) {
    self.reactor = reactor
    self.hidesCursor = hidesCursor
    self.handler = handler
    if TerminalOutput.isForeground { try begin() }
  }

  deinit { stop() }

  /// Puts the terminal back and reads no more, until `resume()`.
  public func stop() {
    guard let watch else { return }
    reactor.unwatch(watch)
    self.watch = nil
    lan_terminal_restore()
  }

  /// Takes the terminal over again, if this process is in its foreground.
  ///
  /// What cannot be taken back now will be at the next time in the foreground.
  public func resume() {
    // Whoever stopped the process unasked may have changed the terminal.
    stop()
    if TerminalOutput.isForeground { try? begin() }
  }

  private func begin() throws(SystemError) {
    guard watch == nil else { return }
    try systemCall("tcgetattr", on: "standard input") {
      lan_terminal_take(STDIN_FILENO, hidesCursor ? 1 : 0)
    }
    do throws(SystemError) {
      watch = try reactor.watch(STDIN_FILENO) { [unowned self] _ in read() }
    } catch {
      lan_terminal_restore()
      throw error
    }
  }

  private func read() {
    // Reading in the background would stop the process.
    guard TerminalOutput.isForeground else { return stop() }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      stop()
      return handler(.endOfInput)
    }
    for key in parser.keys(Array(bytes[..<count])) where watch != nil { handler(key) }
  }
}
