import Foundation
import TestKit
import Testing

/// All tests of `lantool resolve` in namespaces, one at a time.
@Suite("resolve in namespaces", .serialized, .enabled(if: RecipeLab.isPossible, RecipeLab.missing))
enum ResolveInNamespaces {}

extension RecipeLab {
  /// Runs `lantool resolve` in the own namespace to its end.
  ///
  /// `files` stand in the place of files of `/etc`, for this run alone.
  func resolve(_ arguments: [String], files: [String: String] = [:]) async throws -> Run {
    let folder = try TemporaryFolder()
    var binds = ""
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.url.appending(path: name))
      binds += "mount --bind '\(folder.path(name))' '/etc/\(name)'\n"
    }
    // The machine's own names must not answer, whatever the files are.
    let script = "set -e\nmount --make-rprivate /\n\(binds)exec \"$@\""
    return try await runCommand(
      ["ip", "netns", "exec", own, "unshare", "--mount", "sh", "-c", script, "sh", lantoolPath]
        + ["resolve"] + arguments, timeout: 30)
  }

  /// The files of a host whose names come from a hosts file and multicast alone.
  static let plain = [
    "hosts": "127.0.0.1 localhost\n::1 localhost\n", "nsswitch.conf": "hosts: files\n",
    "resolv.conf": "",
  ]
}
