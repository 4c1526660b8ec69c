import Foundation
import TestKit
import Testing

extension TerminalInNamespaces {
  /// The status line of `ping-peer`, and its list of peers to choose from.
  @Suite("ping-peer on a terminal") struct PingPeer {
    @Test("the status line stays one line at the end, whatever becomes of the window")
    func resize() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab)
      let terminal = try await Terminal(80, 12)
      try await terminal.type("$L ping-peer --netns \(lab.own) --interval 300ms 192.0.2.20:7")
      try await terminal.wait(for: "curve") { $0.last.contains("▁") }
      for (columns, rows) in [(20, 12), (20, 5), (120, 5), (33, 20), (10, 3), (90, 12)] {
        try await terminal.resize(columns, rows)
        let now = try await terminal.wait(for: "status line of \(columns)") {
          $0.width == columns && $0.cursor.row == $0.lines.count - 1 && $0.cursor.column == 0
            && (columns < 40 ? $0.last.hasSuffix("~") : $0.last.hasSuffix("answered, 0.0 % lost"))
            && $0.last.count <= columns - 1
        }
        #expect(now.lines.dropLast().allSatisfy { !$0.contains("% lost") }, "\(now.text)")
      }
      try await terminal.press("C-\\")
      let report = try await terminal.wait(for: "report") {
        $0.count("0.0 % loss") == 1 && $0.last.hasSuffix("0.0 % lost")
      }
      #expect(report.count("% lost") == 1, "\(report.text)")
      try await terminal.press("C-z")
      let stopped = try await terminal.wait(for: "prompt") { $0.last == "$" }
      #expect(stopped.count("% lost") == 0 && stopped.isCursorShown, "\(stopped.text)")
      try await terminal.type("clear; echo meanwhile; fg")
      let again = try await terminal.wait(for: "status line") { $0.last.hasSuffix("% lost") }
      #expect(again.lines.first == "meanwhile" && again.count("% lost") == 1, "\(again.text)")
      try await terminal.press("C-c")
      try await terminal.expectGivenBack(after: "SIGINT")
      withExtendedLifetime((lab, peer)) {}
    }

    @Test("that it searches is said until there is something else to say") func searching()
      async throws
    {
      let lab = try await RecipeLab("wired")
      let terminal = try await Terminal(60, 8)
      try await terminal.type("$L ping-peer --netns \(lab.own)")
      // A busy machine may look only when it has ended.
      try await terminal.wait(for: "word") {
        $0.last == "searching ..." || $0.count("no peer of type") == 1
      }
      try await terminal.resize(20, 5)
      try await terminal.wait(for: "word") {
        $0.width == 20 && ($0.last == "searching ..." || $0.last == "$")
      }
      try await terminal.resize(70, 10)
      let end = try await terminal.wait(for: "hint") { $0.count("no peer of type") == 1 }
      #expect(end.count("searching") == 0, "\(end.text)")
      try await terminal.expectGivenBack(after: "the end")
      withExtendedLifetime(lab) {}
    }

    @Test("a long list of peers fits the window and says where in it one is; Enter tests one")
    func picker() async throws {
      let lab = try await RecipeLab("wired")
      let host = try await lab.offer((10..<50).map { "Deck \($0)" })
      let peer = try await Peer.faulty(lab, 4_003)
      let terminal = try await Terminal(80, 24)
      try await terminal.type("echo before; $L ping-peer --mode echo --netns \(lab.own)")
      let list = try await terminal.wait(for: "list") { $0.last == "... 1 to 21 of 40" }
      #expect(list.count("Deck ") == 21 && list.count("> Deck 10") == 1 && !list.isCursorShown)
      for (columns, rows) in [(120, 30), (80, 10), (80, 4), (80, 24), (50, 12), (20, 5)] {
        try await terminal.resize(columns, rows)
        let shown = max(rows - 3, 1)
        let now = try await terminal.wait(for: "list of \(columns)") {
          $0.width == columns && $0.last == "... 1 to \(shown) of 40" && $0.count("Deck ") == shown
        }
        #expect(now.count("Which peer") == 1 && now.count("> Deck 10") == 1, "\(now.text)")
      }
      try await terminal.press("End")
      try await terminal.wait(for: "end") {
        $0.last == "... 39 to 40 of 40" && $0.count("> Deck 49") == 1
      }
      try await terminal.press("Home", "Down", "Down", "Down", "Enter")
      let test = try await terminal.wait(for: "answers") { $0.last.contains(" ms ") }
      #expect(test.count("Which peer") == 0 && test.isCursorShown, "\(test.text)")
      try await terminal.press("C-c")
      try await terminal.expectGivenBack(after: "SIGINT")
      withExtendedLifetime((lab, host, peer)) {}
    }

    @Test("hostile and wide names keep to their lines, and every end gives the terminal back")
    func hostile() async throws {
      let lab = try await RecipeLab("wired")
      let names = [
        #"\027]0;taken\007"#, #"\027[2J\027[?1049h"#, "\u{9B}2J", #"a\013b\010c\009\127"#,
        "x\u{202E}y", "打印机", "e\u{301}", "👩\u{200D}🚀", "end\u{200D}",
      ]
      let host = try await lab.offer(names)
      let terminal = try await Terminal(100, 20)
      let command = "$L ping-peer --netns \(lab.own)"
      try await terminal.type("echo before; \(command)")
      let list = try await terminal.wait(for: "list") { $0.count("_witap2._tcp") == names.count }
      #expect(list.title == Terminal.title && !list.isAlternate && list.lines[1] == "before")
      var columns: Set<Int> = []
      for index in names.indices {
        columns.insert(try await terminal.column(of: "tv.local:\(4_000 + index)"))
      }
      #expect(columns.count == 1, "\(columns)\n\(list.text)")
      try await terminal.press("C-z")
      let stopped = try await terminal.wait(for: "prompt") { $0.last == "$" && $0.isCursorShown }
      #expect(stopped.count("_witap2") == 0, "\(stopped.text)")
      try await terminal.type("clear; echo meanwhile; fg")
      let again = try await terminal.wait(for: "list") { $0.count("_witap2._tcp") == names.count }
      #expect(again.lines.first == "meanwhile" && !again.isCursorShown, "\(again.text)")
      try await terminal.resize(24, 20)
      try await terminal.wait(for: "narrow list") {
        $0.width == 24 && $0.lines.count { $0.hasPrefix("> ") } == 1
          && $0.lines.count { $0.hasPrefix("  ") } == names.count - 1
      }
      try await terminal.press("q")
      try await terminal.expectGivenBack(after: "q")
      for (number, word) in [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT"), (SIGHUP, "SIGHUP")] {
        try await terminal.type("clear; \(command)")
        try await terminal.wait(for: "list") { !$0.isCursorShown && $0.count("> ") == 1 }
        try await terminal.signal(number)
        let end = try await terminal.wait(for: "prompt") { $0.last == "$" }
        #expect(end.count("Which") + end.count("> ") == 0, "\(end.text)")
        try await terminal.expectGivenBack(after: word)
      }
      withExtendedLifetime((lab, host)) {}
    }

    @Test("without colours there are none, on a dumb terminal lines, and ASCII where that is all")
    func plain() async throws {
      let lab = try await RecipeLab("wired")
      let peer = try await Peer.faulty(lab)
      let terminal = try await Terminal(90, 14)
      let command = "$L ping-peer --netns \(lab.own) --interval 200ms"
      let ways = [
        ("", ""), ("NO_COLOR=1", ""), ("", "--color never"), ("TERM=dumb", ""), ("LC_ALL=C", ""),
      ]
      for (before, after) in ways {
        try await terminal.type("clear; \(before) \(command) \(after) 192.0.2.20:7")
        let picture = try await terminal.wait(for: "answers") {
          $0.count("probe=2") == 1 && (before == "TERM=dumb" || $0.last.hasSuffix("% lost"))
        }
        let text = try await terminal.colouredText()
        #expect(picture.last.contains("lost") == (before != "TERM=dumb"), "\(text)")
        if before + after != "", before != "LC_ALL=C" {
          #expect(!text.contains("\u{1B}["), "\(text)")
        }
        #expect(before != "LC_ALL=C" || picture.text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
        try await terminal.press("C-c")
        try await terminal.expectGivenBack(after: "SIGINT")
      }
      withExtendedLifetime((lab, peer)) {}
    }
  }
}
