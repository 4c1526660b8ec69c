import Foundation
import Synchronization
import TestKit
import Testing

/// A real terminal of a size that can change: a window of a tmux server of its own, with a shell in it.
///
/// The server ends with this object, and by itself some time later.
final class Terminal: Sendable {
  static let isPossible: Bool = {
    let probe = Process()
    probe.executableURL = URL(filePath: "/usr/bin/env")
    probe.arguments = ["tmux", "-V"]
    probe.standardOutput = FileHandle.nullDevice
    probe.standardError = FileHandle.nullDevice
    guard (try? probe.run()) != nil else { return false }
    probe.waitUntilExit()
    return probe.terminationStatus == 0
  }()
  static let missing: Comment = "a test of a terminal needs tmux, root and network namespaces"
  /// The title before anything runs.
  static let title = "as it was"

  private let socket: String
  private let server: Child

  /// Opens a window; `environment` is what the shell in it has beside PATH and HOME.
  init(_ columns: Int, _ rows: Int, _ environment: [String: String] = [:]) async throws {
    let id = TerminalCounter.next()
    socket = "lantool\(ProcessInfo.processInfo.processIdentifier)n\(id)"
    // What is started here may have signals blocked, which all programs in the window would inherit.
    let start = """
      import os, signal, sys
      signal.pthread_sigmask(signal.SIG_SETMASK, [])
      os.execvp("timeout", ["timeout", "-s", "KILL", "150", "tmux"] + sys.argv[1:])
      """
    // In the foreground, so that it is nobody else's.
    server = try Child(
      ["python3", "-c", start, "-L", socket, "-f", "/dev/null", "-u", "-D"],
      environment: ["TERM": "xterm"])
    try await serverIsThere()
    var variables = ["LC_ALL": "C.UTF-8", "PS1": "$ ", "TZ": "UTC", "L": lantoolPath]
    // The runtime of a debug build would ask questions at SIGQUIT.
    variables["SWIFT_BACKTRACE"] = "enable=no"
    variables.merge(environment) { $1 }
    let shell =
      ["env", "-i", "PATH=$PATH", "HOME=/", "TERM=$TERM"]
      + variables.sorted { $0.key < $1.key }.map { "'\($0.key)=\($0.value)'" }
      + ["timeout", "--foreground", "120", "sh"]
    try await tmux(
      ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", shell.joined(separator: " ")],
      ["select-pane", "-T", Self.title])
    try await wait(for: "the prompt") { $0.lines == ["$"] }
    try await type("M=$(stty -g); clear")
    try await wait(for: "an empty window") { $0.lines == ["$"] }
  }

  deinit {
    // With its last session it ends, and what runs there is told so.
    let end = Process()
    end.executableURL = URL(filePath: "/usr/bin/env")
    end.arguments = [
      "tmux", "-N", "-L", socket, "set-option", "-s", "exit-empty", "on", ";", "kill-session",
    ]
    end.standardError = FileHandle.nullDevice
    try? end.run()
    end.waitUntilExit()
    let folder = ProcessInfo.processInfo.environment["TMUX_TMPDIR"] ?? "/tmp"
    unlink("\(folder)/tmux-\(geteuid())/\(socket)")
  }

  private func serverIsThere() async throws {
    let end = Date(timeIntervalSinceNow: 20)
    while try await runCommand(["tmux", "-N", "-L", socket, "show-options", "-s"]).status != 0 {
      try #require(Date() < end && server.isRunning, "no tmux: \(server.errorsSoFar)")
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Runs commands of tmux, one after the other, and returns what they print.
  @discardableResult
  private func tmux(_ commands: [String]...) async throws -> String {
    let words = commands.joined(separator: [";"])
    let run = try await runCommand(["tmux", "-N", "-L", socket, "-u"] + words)
    try #require(run.status == 0, "tmux \(words.joined(separator: " ")): \(run.errors)")
    return run.output
  }

  // MARK: What a user does

  /// Types text as it is, and Return.
  func type(_ line: String) async throws {
    try await tmux(["send-keys", "-l", "--", line], ["send-keys", "Enter"])
  }

  /// Presses keys by tmux's names: `C-c`, `Down`, `q`.
  func press(_ keys: String...) async throws { try await tmux(["send-keys"] + keys) }

  /// Gives the window another size.
  func resize(_ columns: Int, _ rows: Int) async throws {
    try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Sends a signal to the job in the foreground.
  func signal(_ number: Int32) async throws {
    let pid = try await tmux(["display-message", "-p", "#{pane_pid}"])
      .trimmingCharacters(in: .whitespacesAndNewlines)
    // The foreground's process group is the eighth field, and the second may hold blanks.
    let status = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    let fields = try #require(status.components(separatedBy: ") ").last).split(separator: " ")
    kill(-(try #require(Int32(fields[5]))), number)
  }

  // MARK: What a user sees

  /// What the window shows at the moment.
  func picture() async throws -> TerminalPicture {
    let facts = [
      "#{pane_width}", "#{cursor_x}", "#{cursor_y}", "#{cursor_flag}", "#{alternate_on}",
      "#{wrap_flag}", "#{pane_title}",
    ]
    return TerminalPicture(
      try await tmux(
        ["display-message", "-p", facts.joined(separator: "\n")], ["capture-pane", "-p"]))
  }

  /// What the window shows, with its colours as escape sequences.
  func colouredText() async throws -> String { try await tmux(["capture-pane", "-p", "-e"]) }

  /// The column at which the terminal itself has `text`, counted from 0.
  func column(of text: String) async throws -> Int {
    let answer = try await tmux(
      ["copy-mode"], ["send-keys", "-X", "search-backward-text", text],
      ["display-message", "-p", "#{copy_cursor_x}"], ["send-keys", "-X", "cancel"])
    return try #require(Int(answer.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// Waits until the window shows what is looked for, and returns it.
  @discardableResult
  func wait(
    for what: String, timeout: Double = 20, sourceLocation: SourceLocation = #_sourceLocation,
    until fits: (TerminalPicture) -> Bool
  ) async throws -> TerminalPicture {
    let end = Date(timeIntervalSinceNow: timeout)
    while true {
      let now = try await picture()
      if fits(now) { return now }
      try #require(
        Date() < end, "no \(what):\n\(now.text)\n\(now.facts)", sourceLocation: sourceLocation)
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}

/// What a terminal shows.
struct TerminalPicture {
  /// The lines without blanks at their ends, and without the empty ones at the bottom.
  let lines: [String]
  let width: Int
  let cursor: (column: Int, row: Int)
  let isCursorShown: Bool
  /// The alternate screen, as editors use it.
  let isAlternate: Bool
  /// A long line goes on in the next one.
  let wraps: Bool
  let title: String

  fileprivate init(_ answer: String) {
    var all = answer.components(separatedBy: "\n")
    func next() -> String { all.isEmpty ? "" : all.removeFirst() }
    width = Int(next()) ?? 0
    cursor = (Int(next()) ?? -1, Int(next()) ?? -1)
    isCursorShown = next() == "1"
    isAlternate = next() == "1"
    wraps = next() == "1"
    title = next()
    while all.last == "" { all.removeLast() }
    lines = all
  }

  var text: String { lines.joined(separator: "\n") }
  var last: String { lines.last ?? "" }
  var facts: String {
    "width \(width), cursor \(cursor), shown \(isCursorShown), alternate \(isAlternate), "
      + "wraps \(wraps), title \(title)"
  }

  /// How many lines hold `text`.
  func count(_ text: String) -> Int { lines.count { $0.contains(text) } }

  /// True if a shell waits at the end, at a terminal as it was before the run.
  var isGivenBack: Bool {
    last == "$" && cursor.column == 2 && cursor.row == lines.count - 1 && isCursorShown
      && !isAlternate && wraps && title == Terminal.title
  }
}

extension Terminal {
  /// Waits for the shell, and holds the terminal to what it was before the run.
  func expectGivenBack(
    after what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await wait(for: "terminal given back after \(what)", sourceLocation: sourceLocation) {
      $0.isGivenBack
    }
    try await type("clear; [ \"$(stty -g)\" = \"$M\" ] && echo sa''me || stty -a")
    let modes = try await wait(for: "the modes", sourceLocation: sourceLocation) {
      picture in
      ["same", "speed"].contains { picture.lines.first?.hasPrefix($0) == true }
        && picture.last == "$"
    }
    #expect(modes.lines == ["same", "$"], "\(modes.text)", sourceLocation: sourceLocation)
  }
}

/// Numbers for the servers of this process.
private enum TerminalCounter {
  private static let last = Mutex(0)

  static func next() -> Int {
    last.withLock { value in
      value += 1
      return value
    }
  }
}

/// All tests of what is drawn on a terminal; each has its own, and its own namespaces.
@Suite(
  "pictures on a terminal",
  .enabled(if: RecipeLab.isPossible && Terminal.isPossible, Terminal.missing))
enum TerminalInNamespaces {}
