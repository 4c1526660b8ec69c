import Foundation
import TestKit
import Testing

@Suite("installing") struct PackagingTests {
  /// Runs `make` for the built program, without building anything.
  private func make(_ goal: String, into folder: URL) async throws -> Run {
    try await runCommand([
      "make", "-C", Repository.top.path, "-s", "-o", lantoolPath, goal, "PROGRAM=\(lantoolPath)",
      "DESTDIR=\(folder.path)", "PREFIX=/usr",
    ])
  }

  /// The files below a folder, relative to it.
  private func files(below folder: URL) throws -> Set<String> {
    let found = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return Set(
      found.filter { path in
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(
          atPath: folder.appending(path: path).path, isDirectory: &isFolder)
        return !isFolder.boolValue
      })
  }

  @Test("everything goes where a Debian user expects it, and `make uninstall` leaves nothing")
  func install() async throws {
    let folder = try TemporaryFolder()
    let installed = try await make("install", into: folder.url)
    #expect(installed.status == 0, "\(installed.errors)")
    let found = try files(below: folder.url)
    var expected: Set<String> = [
      "usr/bin/lantool", "usr/share/bash-completion/completions/lantool",
      "usr/share/zsh/site-functions/_lantool", "usr/share/fish/vendor_completions.d/lantool.fish",
      "usr/share/man/man5/lantool-json.5", "usr/share/man/man1/lantool.1",
    ]
    for name in ["watch", "browse", "resolve", "sniff", "ping-peer", "serve"] {
      expected.insert("usr/share/man/man1/lantool-\(name).1")
      expected.insert("usr/share/lantool/schema/lantool.\(name).schema.json")
    }
    let languages = String(decoding: try Repository.bytes("po/LINGUAS"), as: UTF8.self)
    for language in languages.split(whereSeparator: \.isWhitespace) {
      expected.insert("usr/share/locale/\(language)/LC_MESSAGES/lantool.mo")
    }
    #expect(languages.contains("de"))
    #expect(expected.subtracting(found) == [])
    #expect(found.subtracting(expected) == [])

    let program = try await runCommand([
      folder.url.appending(path: "usr/bin/lantool").path, "--version",
    ])
    #expect(program.status == 0 && program.output.hasPrefix("lantool "))
    let page = try await runCommand([
      "man", "-M", folder.url.appending(path: "usr/share/man").path, "-w", "5", "lantool-json",
    ])
    #expect(page.output.contains("man5/lantool-json.5"), "\(page.errors)")

    let removed = try await make("uninstall", into: folder.url)
    #expect(removed.status == 0, "\(removed.errors)")
    #expect(try files(below: folder.url) == [])
  }

  private static let hasSystemd = FileManager.default.isExecutableFile(
    atPath: "/usr/bin/systemd-analyze")

  @Test(
    "systemd finds nothing wrong with the units, and their commands are the program's",
    .enabled(if: hasSystemd, "systemd-analyze is not installed"),
    arguments: ["lantool-watch.service", "lantool-serve.service"])
  func units(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let unit = String(
      decoding: try Repository.bytes("packaging/systemd/\(name)"), as: UTF8.self)
    #expect(unit.contains("ExecStart=/usr/bin/lantool "))
    let here = folder.url.appending(path: name)
    try Data(unit.replacing("/usr/bin/lantool", with: lantoolPath).utf8).write(to: here)
    let verified = try await runCommand(["systemd-analyze", "verify", "--man=no", here.path])
    #expect(verified.status == 0 && verified.errors == "", "\(verified.errors)")
  }
}
