import Foundation
import TestKit

/// A folder of its own for one test, removed with it.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "lantool-test-\(ProcessInfo.processInfo.processIdentifier)-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    // Programs that run as another user have to reach the files.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of `name` in the folder, whether it exists or not.
  func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes `bytes` to the file `name` and returns its path.
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: url.appending(path: name))
    return path(name)
  }

  /// A copy of the program that any user can reach.
  ///
  /// Another process makes it: a descriptor that writes it here could pass to a program that
  /// another test starts, and a file that is open for writing cannot be run.
  func copyOfProgram() async throws -> String {
    _ = try await runCommand(["cp", lantoolPath, path("lantool")])
    return path("lantool")
  }

  /// Writes the bytes of a string of hexadecimal digits to `name` and returns its path.
  func write(hexadecimal: String, to name: String) throws -> String {
    try write(hex(hexadecimal), to: name)
  }
}

/// The path of one of the project's own captures.
func fixture(_ name: String) -> String {
  Repository.top.appending(path: "Tests/Fixtures/pcap/\(name)").path
}
