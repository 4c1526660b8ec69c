import Foundation
import TestKit

/// Runs programs of the machine.
enum Shell {
  static func has(_ program: String) -> Bool { path(program) != nil }

  static func missing(_ program: String) -> String { "\(program) is not installed" }

  /// What `program` writes to both streams, and its exit status; the top of the checkout is the
  /// working directory.
  static func run(_ program: String, _ arguments: [String]) throws -> (text: String, status: Int32)
  {
    let process = Process()
    process.executableURL = URL(filePath: path(program) ?? program)
    process.arguments = arguments
    process.currentDirectoryURL = Repository.top
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }

  private static func path(_ program: String) -> String? {
    ["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin"].map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
