import Foundation
import TestKit
import Testing

/// Names from the network in real shells: what a tab key puts into the line, and what the shell makes
/// of that line.
@Suite(
  "completion in namespaces", .serialized, .enabled(if: RecipeLab.isPossible, RecipeLab.missing))
struct CompletionInNamespaces {
  static let shells = ["bash", "zsh", "fish"]

  /// Labels that mean something to one shell or another; each has a service type of its own.
  private static let labels = [
    "Plain", "a b", "it's", "\"q\"", "a;b", "back\\slash", "$(touch ran)", "`touch ran`",
    "(touch ran)", "${HOME}", "x & touch ran", "> ran", "!touch", "'tis", "*", "a!b ~ c", "# c",
    "{x,y}",
    "=ls", "a:b", "%1", "^a^b", "[a-z]?", "a\\' $(touch ran) '", "Büro 3. Stock; 🖨",
  ]
  /// Labels that are not offered.
  private static let refused: [[UInt8]] = [
    Array("esc\u{1B}[31mred".utf8), Array("line\ntouch ran".utf8), Array("bell\u{7}".utf8),
    Array("tab\there".utf8), Array("csi\u{9B}31m".utf8), Array("bidi\u{202E}".utf8),
    Array("--exec=touch ran".utf8), Array("~root".utf8), Array("latin".utf8) + [0xFC],
  ]

  /// A peer that announces all of them.
  private static func announcing(_ lab: RecipeLab, _ more: [String] = []) async throws -> Peer {
    let all = labels.map { Array($0.utf8) } + refused
    let words = all.enumerated().map { index, label in
      "_n\(index)._tcp="
        + label.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        .joined()
    }
    return try await Peer(
      in: lab.peer, ["python3", "announce_names.py", "v1", "192.0.2.20", "deck.local"] + words)
  }

  /// What the program was given for each line in each shell; all of them listen at once.
  private static func type(
    _ lines: [String], in lab: RecipeLab
  ) async throws -> [(shell: String, arguments: [[String]?])] {
    try await withThrowingTaskGroup { group in
      for shell in shells {
        group.addTask { (shell, try await type(lines, into: shell, in: lab)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// What the program was given for each line, after a tab; nil where a line did not come to run.
  private static func type(
    _ lines: [String], into shell: String, in lab: RecipeLab
  ) async throws -> [[String]?] {
    let folder = try TemporaryFolder()
    let program = try await folder.copyOfProgram()
    let path = URL(filePath: program).deletingLastPathComponent().path
    let top = Repository.top.path
    let run = try await runCommand(
      [
        "ip", "netns", "exec", lab.own, "env", "PATH=\(path):/usr/sbin:/usr/bin:/sbin:/bin",
        "python3", "\(top)/Tests/Lab/complete_in_shell.py", shell, "\(top)/completions",
      ], stdin: try JSONSerialization.data(withJSONObject: lines), timeout: 240)
    let result = try JSON(run.stdout)
    #expect(result["files"]?.list == [], "\(shell) ran a name")
    // It listens for a second; what is beyond that is the shell's, and the machine's.
    if case .number(let seconds) = result["seconds"] { #expect(seconds < 5, "\(shell)") }
    let arguments = result["arguments"]?.list ?? []
    try #require(arguments.count == lines.count, "\(run.errors)")
    return arguments.map { $0 == .null ? nil : $0.list.compactMap(\.text) }
  }

  @Test("a name stands in the line as it is and is never expanded or run")
  func hostile() async throws {
    let lab = try await RecipeLab("wired")
    let peer = try await Self.announcing(lab)
    let commands = Self.labels.indices.map { "resolve --service _n\($0)._tcp " }
    // Behind a quote that the user has opened, the name is quoted as it has to be there.
    let open = ["'", "\""].flatMap { quote in
      Self.labels.indices.filter { Self.labels[$0].contains { "'$`!".contains($0) } }.map { index in
        (index, "lantool \(commands[index])\(quote)")
      }
    }
    let lines = commands.map { "lantool \($0)" } + open.map(\.1)
    let expected = Array(Self.labels.indices) + open.map(\.0)
    for (shell, arguments) in try await Self.type(lines, in: lab) {
      for (line, (index, words)) in zip(lines, zip(expected, arguments)) {
        #expect(words?.last == Self.labels[index], "\(shell): \(line)")
        #expect(words?.count == 4, "\(shell): \(line)")
      }
    }
    #expect(peer.child.isRunning)
  }

  @Test("names with control characters, and such as would be options, are not offered")
  func refused() async throws {
    let lab = try await RecipeLab("wired")
    let peer = try await Self.announcing(lab)
    let all = try await lab.sh("\"\(lantoolPath)\" --complete instances resolve")
    #expect(all.output.split(separator: "\n").map(String.init) == Self.labels.sorted())
    let targets = try await lab.sh("\"\(lantoolPath)\" --complete targets ping-peer")
    let words = targets.output.split(separator: "\n").map(String.init)
    #expect(words.contains("deck.local") && words.contains("a b._n1._tcp.local"))
    #expect(words.contains("Büro 3\\. Stock; 🖨._n24._tcp.local"))
    #expect(!targets.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(words.count == Self.labels.count + 1)
    #expect(peer.child.isRunning)
  }

  @Test("nothing is sent while names are listened for, and it takes a second")
  func passive() async throws {
    let lab = try await RecipeLab("wired")
    let tap = try await Tap(in: lab.peer, "v1")
    let began = ContinuousClock.now
    let run = try await lab.sh("\"\(lantoolPath)\" --complete targets resolve")
    #expect(ContinuousClock.now - began < .seconds(5))
    #expect(run.output == "" && run.errors == "")
    #expect(tap.child.outputSoFar == "")
  }

  @Test("names are offered wherever a command takes them")
  func places() async throws {
    let lab = try await RecipeLab("wired")
    let peer = try await Self.announcing(lab)
    let lines = [
      ("lantool resolve dec", ["resolve", "deck.local"]),
      ("lantool watch -i v0 dec", ["watch", "-i", "v0", "deck.local"]),
      ("lantool ping-peer Pl", ["ping-peer", "Plain._n0._tcp.local"]),
      ("lantool resolve --service=_n1._tcp ", ["resolve", "--service=_n1._tcp", "a b"]),
      ("lantool browse --expect Bü", ["browse", "--expect", "Büro 3. Stock; 🖨"]),
      ("lantool browse --expect=Pl", ["browse", "--expect=Plain"]),
      (
        "lantool ping-peer --browse _n2._tcp --name ",
        ["ping-peer", "--browse", "_n2._tcp", "--name", "it's"]
      ),
      ("lantool sniff --host de", ["sniff", "--host", "deck.local"]),
      ("lantool sniff -i v", ["sniff", "-i", "v0"]),
      ("lantool sniff --netns \(lab.peer)", ["sniff", "--netns", lab.peer]),
      ("lantool serve --type _witap2", ["serve", "--type", "_witap2._tcp"]),
    ]
    for (shell, arguments) in try await Self.type(lines.map(\.0), in: lab) {
      for (line, words) in zip(lines, arguments) { #expect(words == line.1, "\(shell): \(line.0)") }
    }
    #expect(peer.child.isRunning)
  }
}
