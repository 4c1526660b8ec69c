import CLan
import Glibc

/// The keys typed on the terminal that is standard input, each at once and not shown.
///
/// Control-C, Control-\ and Control-Z keep their meaning. The terminal is put back by `stop()`, at
/// the end of the process however it comes, and while the process is stopped. There can be one at a
/// time.
public final class TerminalKeys {
  /// True if there is a terminal to read keys from and to show something on.
  public static var isPossible: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  /// Called after the process was stopped and goes on: what was shown is to be shown again.
  public var onContinue: (() -> Void)?

  private let reactor: Reactor
  private let handler: (TerminalKey) -> Void
  private let hidesCursor: Bool
  private var parser = TerminalKeyParser()
  private var watch: WatchToken?
  private var signals: SignalSource?

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
    signals = try SignalSource([SIGTSTP, SIGCONT], on: reactor) { [unowned self] in take($0) }
    if isForeground { try begin() }
  }

  deinit { stop() }

  /// Puts the terminal back and reads no more.
  public func stop() {
    pause()
    signals?.cancel()
    signals = nil
  }

  private var isForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

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

  private func pause() {
    guard let watch else { return }
    reactor.unwatch(watch)
    self.watch = nil
    lan_terminal_restore()
  }

  private func take(_ signal: Int32) {
    if signal == SIGTSTP {
      pause()
      // It returns once somebody lets the process go on.
      raise(SIGSTOP)
    }
    guard isForeground else { return }
    // What cannot be taken back now will be at the next time in the foreground.
    try? begin()
    onContinue?()
  }

  private func read() {
    // Reading in the background would stop the process.
    guard isForeground else { return pause() }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      pause()
      return handler(.endOfInput)
    }
    for key in parser.keys(Array(bytes[..<count])) where watch != nil { handler(key) }
  }
}
