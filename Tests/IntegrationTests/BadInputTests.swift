import Foundation
import TestKit
import Testing

/// What the program says when it is given something that it cannot read or use.
@Suite("bad input")
struct BadInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// One line that begins with the command, names the subject and says why.
  private func expectRefusal(
    _ run: Run, status: Int32, naming words: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(run.status == status, "\(run.errors)", sourceLocation: sourceLocation)
    #expect(run.errorLines.count == 1, "\(run.errors)", sourceLocation: sourceLocation)
    #expect(
      run.errors.hasPrefix("lantool sniff: "), "\(run.errors)", sourceLocation: sourceLocation)
    for word in words {
      #expect(
        run.errors.lowercased().contains(word.lowercased()), "\(word): \(run.errors)",
        sourceLocation: sourceLocation)
    }
  }

  @Test("a missing file is named") func missingFile() async throws {
    let path = folder.path("nowhere.pcap")
    let run = try await runLantool(["sniff", "-r", path])
    expectRefusal(run, status: 2, naming: [path, "no such file"])
  }

  @Test("an empty file is told from a broken one") func emptyFile() async throws {
    let path = try folder.write([], to: "empty.pcap")
    expectRefusal(try await runLantool(["sniff", "-r", path]), status: 2, naming: [path, "empty"])
  }

  @Test("text is not a capture file") func textFile() async throws {
    let path = try folder.write(Array("this is a letter, not a capture\n".utf8), to: "letter.txt")
    let run = try await runLantool(["sniff", "-r", path])
    expectRefusal(run, status: 2, naming: [path, "not a capture file"])
  }

  @Test("a folder is not a file") func directory() async throws {
    let run = try await runLantool(["sniff", "-r", folder.url.path])
    expectRefusal(run, status: 2, naming: [folder.url.path, "directory"])
  }

  @Test(
    "a compressed capture is named as such, with the program that unpacks it",
    arguments: [
      ("1f8b0800000000000003", "gzip"), ("28b52ffd0458", "zstd"), ("04224d186440", "lz4"),
    ])
  func compressedFile(magic: String, tool: String) async throws {
    let path = try folder.write(
      hexadecimal: magic + String(repeating: "00", count: 64), to: "packed.pcap")
    expectRefusal(try await runLantool(["sniff", "-r", path]), status: 2, naming: [path, tool])
  }

  @Test("what stands before a cut is printed, then the cut is told")
  func truncatedFile() async throws {
    for name in ["syn-fmt-cut-header.pcap", "syn-fmt-cut-record.pcap", "syn-fmt-huge-record.pcap"] {
      let run = try await runLantool(["sniff", "-r", fixture(name), "--json"])
      expectRefusal(run, status: 2, naming: [name, "byte"])
      let events = try run.objects()
      #expect(events.messages.count == 6)
      #expect(events.last?.event == "summary")
    }
  }

  @Test(
    "a wrong option value is usage, names the option and captures nothing",
    arguments: [
      ["--timeout", "0"], ["--timeout", "soon"], ["--count", "few"], ["--count", "0"],
      ["--color", "sometimes"], ["--protocol", "smtp"], ["--kind", "rumour"],
      ["--fields", "weight"], ["--duration", "-3s"], ["--ring-size", "none"], ["--filter"],
      ["--jsno"],
    ])
  func wrongUsage(arguments: [String]) async throws {
    let run = try await runLantool(["sniff", "-r", fixture("syn-raw.pcap")] + arguments)
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.stdout.isEmpty)
    #expect(run.errors.hasPrefix("lantool sniff: "))
    #expect(arguments.contains { run.errors.contains($0) }, "\(run.errors)")
  }

  @Test("a mistyped option gets a suggestion") func suggestion() async throws {
    let run = try await runLantool(["sniff", "--jsno"])
    #expect(run.errors.contains("--json"))
  }

  @Test("a bad filter expression is shown with the compiler's complaint")
  func badFilter() async throws {
    let run = try await runLantool(
      ["sniff", "-r", fixture("syn-eth-tags.pcap"), "--filter", "udp prt 5353"])
    expectRefusal(run, status: 64, naming: ["udp prt 5353", "syntax"])
    #expect(run.stdout.isEmpty)
  }

  @Test("an unknown interface is named", .enabled(if: Lab.isPossible, Lab.missing))
  func unknownInterface() async throws {
    let run = try await runLantool(["sniff", "-i", "nosuch0"])
    expectRefusal(run, status: 2, naming: ["nosuch0"])
  }

  @Test("a file that may not be read is a clear refusal", .enabled(if: Lab.isPossible, Lab.missing))
  func unreadableFile() async throws {
    let path = try folder.write([1, 2, 3], to: "secret.pcap")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let run = try await asNobody(["sniff", "-r", path])
    expectRefusal(run, status: 2, naming: [path, "permission denied"])
  }

  @Test(
    "without the right to capture, 77 and two ways out",
    .enabled(if: Lab.isPossible, Lab.missing), arguments: [["-i", "lo"], []])
  func noRightToCapture(arguments: [String]) async throws {
    let run = try await asNobody(["sniff"] + arguments)
    #expect(run.status == 77)
    #expect(run.errors.hasPrefix("lantool sniff: cannot capture"), "\(run.errors)")
    for word in ["setcap cap_net_raw+ep", "--socket"] {
      #expect(run.errors.contains(word), "\(run.errors)")
    }
    #expect(run.stdout.isEmpty)
  }

  /// Runs a copy of the program, which nobody can reach, as a user without any right.
  private func asNobody(_ arguments: [String]) async throws -> Run {
    let copy = try await folder.copyOfProgram()
    return try await runCommand(
      ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", copy] + arguments)
  }
}
