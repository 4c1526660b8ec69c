import Foundation
import TestKit
import Testing

extension TerminalInNamespaces {
  /// The status line of `watch`.
  @Suite("watch on a terminal") struct Watch {
    private static let one = "192.0.2.20: reachable since"

    @Test("the status line fits the window, whatever becomes of that; SIGINT takes it away")
    func resize() async throws {
      let lab = try await RecipeLab("wired")
      let terminal = try await Terminal(50, 12)
      try await terminal.type("$L watch --netns \(lab.own) 192.0.2.20")
      let first = try await terminal.wait(for: "status line") { $0.last.hasPrefix(Self.one) }
      #expect(first.last.hasSuffix("~") && first.last.count == 49, "\(first.text)")
      for (columns, rows) in [(20, 12), (20, 5), (110, 5), (33, 20), (9, 4), (90, 12)] {
        try await terminal.resize(columns, rows)
        let now = try await terminal.wait(for: "status line of \(columns)") {
          $0.width == columns && $0.last.hasPrefix("192") && $0.last.count == min(columns - 1, 60)
            && $0.cursor.row == $0.lines.count - 1
        }
        // One of them, and what came before stands right above.
        #expect(now.cursor.column == 0, "\(now.text)")
        #expect(now.lines.count { $0.hasPrefix("192.0.2.20: ") } <= 1, "\(now.text)")
      }
      let whole = try await terminal.picture()
      #expect(whole.last.hasPrefix(Self.one) && whole.last.hasSuffix("outages: 0"))
      try await lab.sh("ip link set v0 down")
      let changed = try await terminal.wait(for: "change") { $0.last.contains("changes: 1") }
      #expect(changed.count("since") == 1 && changed.count("not reachable") == 2)
      try await terminal.press("C-c")
      try await terminal.expectGivenBack(after: "SIGINT")
      withExtendedLifetime(lab) {}
    }

    @Test("Control-Z takes it away, fg draws it below what was done meanwhile, SIGTERM ends it")
    func jobControl() async throws {
      let lab = try await RecipeLab("wired")
      let terminal = try await Terminal(80, 16)
      try await terminal.type("$L watch --netns \(lab.own) 192.0.2.20")
      try await terminal.wait(for: "status line") { $0.last.hasPrefix(Self.one) }
      try await terminal.press("C-z")
      let stopped = try await terminal.wait(for: "prompt") { $0.last == "$" }
      #expect(stopped.count(Self.one) == 0 && stopped.count("Stopped") == 1, "\(stopped.text)")
      try await terminal.type("clear; echo meanwhile; bg")
      try await terminal.wait(for: "prompt") { $0.last == "$" && $0.count("meanwhile") == 1 }
      // In the background it writes lines, and leaves the prompt alone.
      try await lab.sh("ip link set v0 down")
      let background = try await terminal.wait(for: "line") { $0.count("not reachable") == 1 }
      #expect(background.count("since") == 0, "\(background.text)")
      try await terminal.type("fg")
      try await lab.sh("ip link set v0 up")
      let again = try await terminal.wait(for: "status line") { $0.last.contains("changes: ") }
      #expect(again.count("since") == 1 && again.count("meanwhile") == 1, "\(again.text)")
      #expect(again.lines.first == "meanwhile", "\(again.text)")
      try await terminal.signal(SIGTERM)
      try await terminal.expectGivenBack(after: "SIGTERM")
      withExtendedLifetime(lab) {}
    }

    @Test("names of many targets are left out with a count, and wide ones are cut in time")
    func names() async throws {
      let lab = try await RecipeLab("wired")
      let terminal = try await Terminal(64, 40)
      let names = ["192.0.2.20"] + (1...8).map { "2001:db8:99::\($0)" }
      try await terminal.type("$L watch --netns \(lab.own) \(names.joined(separator: " "))")
      let many = try await terminal.wait(for: "count") { $0.last.hasPrefix("1 of 9 reachable") }
      #expect(many.last.contains(", +") && many.last.count < 64, "\(many.text)")
      try await terminal.resize(30, 40)
      try await terminal.wait(for: "count") {
        $0.width == 30 && $0.last.hasPrefix("1 of 9 reachable; not")
      }
      try await terminal.press("C-c")
      try await terminal.expectGivenBack(after: "SIGINT")
      try await terminal.resize(50, 20)
      try await terminal.type("clear; $L watch --netns \(lab.own) 網路主機機機 e\u{301}.local")
      try await terminal.wait(for: "both names") {
        $0.last == "0 of 2 reachable; not: 網路主機機機, e\u{301}.local"
      }
      try await terminal.resize(44, 20)
      try await terminal.wait(for: "count") { $0.last == "0 of 2 reachable; not: 網路主機機機, +1" }
      try await terminal.resize(30, 20)
      let narrow = try await terminal.wait(for: "cut name") { $0.last.hasSuffix(": 網路~") }
      #expect(narrow.count("reachable; not") == 1, "\(narrow.text)")
      try await terminal.press("C-c")
      try await terminal.expectGivenBack(after: "SIGINT")
      withExtendedLifetime(lab) {}
    }

    @Test("what a program of --exec writes stands by itself, and the line comes after it")
    func hook() async throws {
      let lab = try await RecipeLab("wired")
      let terminal = try await Terminal(90, 20)
      try await terminal.type(
        "$L watch --netns \(lab.own) --exec \"ls /hook\" 192.0.2.20")
      try await terminal.wait(for: "status line") { $0.last.hasPrefix(Self.one) }
      try await lab.sh("ip link set v0 down")
      let now = try await terminal.wait(for: "status line") {
        $0.last.hasSuffix("outages: 1") && $0.count("'/hook'") == 1
      }
      #expect(
        now.count("since") == 1 && now.lines.contains { $0.hasSuffix("status 2") }, "\(now.text)")
      try await terminal.press("C-c")
      try await terminal.expectGivenBack(after: "SIGINT")
      withExtendedLifetime(lab) {}
    }

    @Test("without colours there are none, on a dumb terminal no line, and ASCII where that is all")
    func plain() async throws {
      let lab = try await RecipeLab("wired")
      let terminal = try await Terminal(100, 12)
      let command = "$L watch --netns \(lab.own)"
      try await terminal.type("\(command) 192.0.2.20")
      try await terminal.wait(for: "status line") { $0.last.hasPrefix(Self.one) }
      #expect(try await terminal.colouredText().contains("\u{1B}[32m"))
      try await terminal.press("C-c")
      for (before, after) in [("NO_COLOR=1", ""), ("", "--color never"), ("TERM=dumb", "")] {
        try await terminal.expectGivenBack(after: "SIGINT")
        try await terminal.type("clear; \(before) \(command) \(after) 192.0.2.20")
        try await terminal.wait(for: "line") { $0.count("reachable") > 0 }
        if before != "TERM=dumb" {
          try await terminal.wait(for: "status line") { $0.last.hasPrefix(Self.one) }
        }
        let text = try await terminal.colouredText()
        #expect(!text.contains("\u{1B}["), "\(text)")
        #expect(text.contains("since") == (before != "TERM=dumb"), "\(text)")
        try await terminal.press("C-c")
      }
      try await terminal.expectGivenBack(after: "SIGINT")
      try await terminal.type("clear; LC_ALL=C \(command) '主機'")
      let ascii = try await terminal.wait(for: "status line") { $0.last.contains("since") }
      #expect(ascii.text.utf8.allSatisfy { $0 < 0x80 }, "\(ascii.text)")
      #expect(ascii.last.hasPrefix(#"\228\184\187\230\169\159: "#), "\(ascii.text)")
      withExtendedLifetime(lab) {}
    }
  }
}
