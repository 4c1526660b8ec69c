import Foundation
import Glibc
import TestKit

/// What a finished run of the program left behind.
struct Run {
  /// The exit status, or 128 and the signal's number when a signal ended it, as a shell has it.
  var status: Int32
  var stdout: Data
  var stderr: Data

  var output: String { String(decoding: stdout, as: UTF8.self) }
  var errors: String { String(decoding: stderr, as: UTF8.self) }

  /// The lines of standard error that are not empty.
  var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

  /// The objects of a JSON Lines output; throws at a line that is none.
  func objects() throws -> [JSON] {
    try stdout.split(separator: UInt8(ascii: "\n")).map { try JSON(Data($0)) }
  }
}

/// Why a run gave no result.
enum RunError: Error {
  case timedOut(command: String, seconds: Double)
}

/// The built program: `$LANTOOL`, else the one that was built with the tests.
let lantoolPath: String = {
  if let path = ProcessInfo.processInfo.environment["LANTOOL"] { return path }
  // The tests' program lies beside it, whatever the configuration or scratch path is.
  return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "lantool").path
}()

/// Runs the program and waits for its end.
func runLantool(
  _ arguments: [String], stdin: Data? = nil, environment: [String: String] = [:],
  timeout: Double = 20
) async throws -> Run {
  try await runCommand(
    [lantoolPath] + arguments, stdin: stdin, environment: environment, timeout: timeout)
}

/// Runs `command` and waits for its end; it is killed after `timeout` seconds.
func runCommand(
  _ command: [String], stdin: Data? = nil, environment: [String: String] = [:],
  timeout: Double = 20
) async throws -> Run {
  let child = try Child(command, stdin: stdin, environment: environment)
  return try await child.finish(timeout: timeout)
}

/// A running program whose output is collected while it runs.
final class Child: @unchecked Sendable {
  let command: [String]
  private let process = Process()
  private let out = Collector()
  private let err = Collector()
  /// Our end of an interactive child's standard input, else -1.
  private var input: Int32 = -1

  /// Starts `command`; with `isInteractive` what `send` is given becomes its standard input.
  init(
    _ command: [String], stdin: Data? = nil, isInteractive: Bool = false,
    environment: [String: String] = [:]
  ) throws {
    self.command = command
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    var variables = ProcessInfo.processInfo.environment
    // What the machine's user prefers must not decide a test.
    for name in ["NO_COLOR", "LANGUAGE", "CLICOLOR", "TZ"] { variables[name] = nil }
    variables["LC_ALL"] = "C.UTF-8"
    variables.merge(environment) { $1 }
    process.environment = variables
    process.standardOutput = out.pipe
    process.standardError = err.pipe
    if let stdin {
      let pipe = Pipe()
      process.standardInput = pipe
      try process.run()
      let writer = pipe.fileHandleForWriting
      Thread.detachNewThread {
        try? writer.write(contentsOf: stdin)
        try? writer.close()
      }
    } else if isInteractive {
      let other = try makeInput()
      process.standardInput = FileHandle(fileDescriptor: other)
      defer { close(other) }
      try process.run()
    } else {
      process.standardInput = FileHandle.nullDevice
      try process.run()
    }
    out.start()
    err.start()
  }

  deinit { if input >= 0 { close(input) } }

  /// Makes the two ends of an interactive child's standard input and returns the child's.
  ///
  /// A socket, since what is written to a pipe that nobody reads ends the writer by a signal.
  private func makeInput() throws -> Int32 {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
    input = ends[0]
    return ends[1]
  }

  /// Writes a line to the standard input of an interactive child.
  func send(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      written += count
    }
  }

  /// Ends the standard input of an interactive child.
  func endInput() { shutdown(input, Int32(SHUT_WR)) }

  var processID: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }

  /// What standard output holds by now.
  var outputSoFar: String { String(decoding: out.data, as: UTF8.self) }
  /// What standard error holds by now.
  var errorsSoFar: String { String(decoding: err.data, as: UTF8.self) }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits until `condition` holds of the child; false when `timeout` seconds pass first.
  func wait(timeout: Double, until condition: (Child) -> Bool) async throws -> Bool {
    let end = Date(timeIntervalSinceNow: timeout)
    while !condition(self) {
      guard Date() < end else { return false }
      try await Task.sleep(for: .milliseconds(5))
    }
    return true
  }

  /// Waits for the end; kills the program and throws after `timeout` seconds.
  func finish(timeout: Double) async throws -> Run {
    let ended = try await wait(timeout: timeout) { !$0.process.isRunning && $0.drained }
    guard ended else {
      kill(process.processIdentifier, SIGKILL)
      throw RunError.timedOut(command: command.joined(separator: " "), seconds: timeout)
    }
    let bySignal = process.terminationReason == .uncaughtSignal
    return Run(
      status: process.terminationStatus + (bySignal ? 128 : 0), stdout: out.data, stderr: err.data)
  }

  private var drained: Bool { out.isAtEnd && err.isAtEnd }
}

/// Reads a pipe to its end on a thread of its own, so that a full pipe never stops the child.
private final class Collector: @unchecked Sendable {
  let pipe = Pipe()
  private let lock = NSLock()
  private var collected = Data()
  private var ended = false

  var data: Data { lock.withLock { collected } }
  var isAtEnd: Bool { lock.withLock { ended } }

  func start() {
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread {
      while case let part = handle.availableData, !part.isEmpty {
        self.lock.withLock { self.collected.append(part) }
      }
      // `Process` outlives its run, and with thousands of descriptors it crashes.
      try? handle.close()
      self.lock.withLock { self.ended = true }
    }
  }
}
