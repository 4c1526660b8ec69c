import Foundation
import Testing

/// The program that was built beside the tests.
private let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  .deletingLastPathComponent().appending(path: "lantool").path

// The program's name is `$0` to the script, so that it needs no quoting.
private func shell(_ script: String) throws -> (output: String, errors: String, status: Int32) {
  let process = Process()
  process.executableURL = URL(filePath: "/bin/bash")
  process.arguments = ["-c", script, program]
  let output = Pipe()
  let errors = Pipe()
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = errors
  try process.run()
  let texts = [output, errors].map {
    String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
  process.waitUntilExit()
  return (texts[0], texts[1], process.terminationStatus)
}

@Suite("The command line of the built program") struct CommandLineTests {
  @Test("help and version go to standard output and end with 0") func answers() throws {
    let version = try shell("$0 --version")
    #expect(version.output.hasPrefix("lantool ") && version.output.hasSuffix("\n"))
    #expect(version.errors == "" && version.status == 0)
    let help = try shell("$0 sniff --help")
    #expect(help.output.hasPrefix("Usage: lantool sniff") && help.errors == "")
    #expect(help.status == 0)
  }

  @Test(
    "wrong usage goes to standard error in one line and ends with 64",
    arguments: ["$0 snif", "$0 sniff --jsno", "$0 --bogus", "$0 sniff --timeout 0"])
  func refusals(_ line: String) throws {
    let result = try shell(line)
    #expect(result.output == "" && result.status == 64)
    #expect(result.errors.hasPrefix("lantool") && result.errors.hasSuffix("--help'.\n"))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test("bare lantool shows a short usage and ends with 64") func bare() throws {
    let result = try shell("$0")
    #expect(result.output == "" && result.errors.hasPrefix("Usage:") && result.status == 64)
  }

  @Test("a full disk behind standard output is an error, not silence") func full() throws {
    for option in ["--version", "--help"] {
      let result = try shell("$0 \(option) > /dev/full")
      #expect(result.errors.hasPrefix("lantool: cannot write to standard output: "))
      #expect(result.status == 2)
    }
  }

  @Test("a closed pipe ends the program quietly, as the signal does") func closedPipe() throws {
    let result = try shell("{ sleep 0.2; $0 --help; echo \"status $?\" >&2; } | true")
    #expect(result.errors == "status 141\n")
    let ignored = try shell(
      "trap '' PIPE; { sleep 0.2; $0 --help; echo \"status $?\" >&2; } | true")
    #expect(ignored.errors == "status 141\n")
  }
}
