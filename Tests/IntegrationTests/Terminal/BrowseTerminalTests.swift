import Foundation
import TestKit
import Testing

extension RecipeLab {
  /// Starts a host on the peer's side with a service of WiTap 2 for each name, in presentation form.
  func offer(_ names: [String], text: String = "a=b") async throws -> Peer {
    let records = names.enumerated().flatMap { index, name in
      Peer.service(name, port: 4_000 + index, text: [text]).filter {
        index == 0 || $0[1] as? String != "A"
      }
    }
    return try await Peer.announcer(self, records, every: 1)
  }
}

extension TerminalInNamespaces {
  /// The table of `browse`.
  @Suite("browse on a terminal") struct Browse {
    private static let many = (10..<50).map { "Deck \($0)" }

    @Test("the table fits the window, whatever becomes of that, and says what has no place")
    func resize() async throws {
      let lab = try await RecipeLab("wired")
      let host = try await lab.offer(Self.many)
      let terminal = try await Terminal(80, 24)
      try await terminal.type("echo before; $L browse --netns \(lab.own) _witap2._tcp")
      // Narrower ones last: what a terminal has broken and moved out of the window is out of reach.
      let sizes = [
        (80, 24), (200, 60), (100, 10), (100, 4), (100, 24), (80, 50), (40, 10), (12, 6), (20, 5),
      ]
      for (columns, rows) in sizes {
        try await terminal.resize(columns, rows)
        // The title takes a line, and one stays free; so does the note if there is one.
        let shown = rows - 2 < 40 ? rows - 3 : 40
        let note = shown < 40 ? "... and \(40 - shown) more" : "Deck 49"
        let now = try await terminal.wait(for: "table of \(columns) × \(rows)") {
          $0.width == columns && $0.count("Deck ") == shown && $0.count("NAME") == 1
            && $0.last.hasPrefix(note.prefix(columns - 2))
            && (columns < 100 || $0.count("192.0.2.20") == shown)
        }
        // The cursor rests at its first line, and above stands what stood there before.
        let title = try #require(now.lines.firstIndex { $0.hasPrefix("NAME") })
        #expect(now.cursor.row == title && now.cursor.column == 0, "\(now.text)")
        #expect(now.lines.count - title == shown + (shown < 40 ? 2 : 1), "\(now.text)")
        #expect(now.lines[..<title].allSatisfy { !$0.contains("Deck") }, "\(now.text)")
      }
      try await terminal.press("C-c")
      try await terminal.expectGivenBack(after: "SIGINT")
      // What had no place is printed at the end.
      try await terminal.resize(80, 60)
      try await terminal.type("clear; $L browse --netns \(lab.own) _witap2._tcp")
      try await terminal.wait(for: "table") { $0.count("Deck ") == 40 }
      try await terminal.resize(80, 50)
      try await terminal.press("C-c")
      let end = try await terminal.wait(for: "whole table") {
        $0.count("Deck ") == 40 && $0.last == "$"
      }
      #expect(end.count("NAME") == 1 && end.count("40 services") == 1, "\(end.text)")
      withExtendedLifetime((lab, host)) {}
    }

    @Test("columns stay in line behind wide, combining and joined characters") func wide()
      async throws
    {
      let lab = try await RecipeLab("wired")
      let names = [
        "Deck", "打印机 二", "e\u{301}e\u{301}a\u{308}", "👩\u{200D}🚀 and 🚀", "프린터",
        "\u{1112}\u{1161}\u{11AB}", "❤\u{FE0F} ✅ 🇩🇪", "so\u{AD}ft", "Ｆｕｌｌ ｱｲ", "end\u{200D}",
        "\u{301}start", "זכר", "x\u{202E}drow", "🖨 printer",
      ]
      let host = try await lab.offer(names)
      let terminal = try await Terminal(110, 30)
      try await terminal.type("$L browse --netns \(lab.own) _witap2._tcp")
      let wide = try await terminal.wait(for: "table") { $0.count(":40") == names.count }
      #expect(wide.lines.contains { $0.hasPrefix(#"x\226\128\174drow "#) }, "\(wide.text)")
      var columns: Set<Int> = [try await terminal.column(of: "HOST")]
      for index in names.indices {
        columns.insert(try await terminal.column(of: "tv.local:\(4_000 + index)"))
      }
      #expect(columns.count == 1, "\(columns)\n\(wide.text)")
      for (width, height) in [(34, 30), (14, 30), (7, 30)] {
        try await terminal.resize(width, height)
        let now = try await terminal.wait(for: "table of \(width)") {
          $0.width == width && $0.lines.count { $0.hasPrefix("NAME") } == 1
            && $0.cursor.row + names.count + 1 == $0.lines.count
        }
        #expect(now.lines.contains { $0.hasPrefix("打印") }, "\(now.text)")
      }
      try await terminal.press("C-c")
      try await terminal.expectGivenBack(after: "SIGINT")
      withExtendedLifetime((lab, host)) {}
    }

    @Test("names that are made to steer a terminal change nothing but their own cell")
    func hostile() async throws {
      let lab = try await RecipeLab("wired")
      let names = [
        #"\027]0;taken\007"#, #"\027[2J\027[H"#, #"\155\0502J"#, "\u{9B}2J\u{9D}0;taken\u{9C}",
        #"a\013b\010c\009d\127"#, #"\027c\027[?1049h\027[?25l"#, "x\u{202E}\u{2066}y\u{2028}z",
        #"\027ktaken\027\\"#,
      ]
      let host = try await lab.offer(names, text: "\u{1B}]0;taken\u{7}\u{1B}[2J")
      let terminal = try await Terminal(120, 24)
      try await terminal.type("echo before; $L browse --netns \(lab.own) _witap2._tcp")
      let table = try await terminal.wait(for: "table") { $0.count("tv.local:40") == names.count }
      #expect(table.title == Terminal.title && table.isCursorShown && !table.isAlternate)
      #expect(table.lines[1] == "before" && table.count("NAME") == 1, "\(table.text)")
      let shown = [
        #"\027]0;taken\007 "#, #"\027[2J\027[H "#, #"\15522J "#,
        #"\194\1552J\194\1570;taken\194\156 "#,
        #"a\013b\010c\009d\127 "#, #"\027c\027[?1049h\027[?25l "#,
        #"x\226\128\174\226\129\166y\226\128\168z "#, #"\027ktaken\027\\ "#,
      ]
      for name in shown {
        #expect(table.lines.contains { $0.hasPrefix(name) }, "\(name)\n\(table.text)")
      }
      try await terminal.resize(30, 12)
      try await terminal.wait(for: "narrow table") {
        $0.width == 30 && $0.count(#"\027]0;"#) == 1 && $0.count("WiTap") == 8
      }
      try await terminal.press("C-c")
      try await terminal.expectGivenBack(after: "SIGINT")
      // As lines, with the TXT.
      try await terminal.resize(100, 40)
      try await terminal.type("clear; $L browse --netns \(lab.own) --once _witap2._tcp | cat")
      let lines = try await terminal.wait(for: "lines") {
        $0.count(#"\027]0;taken\007\027[2J"#) >= 8
      }
      #expect(lines.title == Terminal.title)
      try await terminal.expectGivenBack(after: "the end")
      withExtendedLifetime((lab, host)) {}
    }

    @Test("Control-Z lets the table stand, fg draws it below what was done meanwhile")
    func jobControl() async throws {
      let lab = try await RecipeLab("wired")
      let host = try await lab.offer(["Deck", "Attic"])
      let terminal = try await Terminal(100, 30)
      try await terminal.type("$L browse --netns \(lab.own) _witap2._tcp")
      try await terminal.wait(for: "table") { $0.count("tv.local:40") == 2 }
      try await terminal.press("C-z")
      let stopped = try await terminal.wait(for: "prompt") { $0.last == "$" }
      #expect(stopped.count("tv.local:40") == 2 && stopped.count("NAME  ") == 1, "\(stopped.text)")
      try await terminal.type("echo meanwhile; fg")
      let again = try await terminal.wait(for: "table") { $0.count("tv.local:40") == 4 }
      let middle = try #require(again.lines.lastIndex { $0.contains("meanwhile") })
      #expect(again.cursor.row == middle + 2 && again.lines[middle + 2].hasPrefix("NAME  "))
      // Unasked, and from elsewhere.
      try await terminal.signal(SIGSTOP)
      try await terminal.wait(for: "prompt") {
        $0.lines.contains { $0.hasPrefix("$") } && $0.cursor.column == 2
      }
      try await terminal.type("clear; fg")
      try await terminal.wait(for: "table") { $0.count("tv.local:40") == 2 }
      try await terminal.signal(SIGTERM)
      try await terminal.wait(for: "whole table") { $0.count("tv.local:40") == 2 && $0.last == "$" }
      try await terminal.expectGivenBack(after: "SIGTERM")
      withExtendedLifetime((lab, host)) {}
    }

    @Test("without colours there are none, on a dumb terminal lines, and ASCII where that is all")
    func plain() async throws {
      let lab = try await RecipeLab("wired")
      let host = try await lab.offer(["Dëck", "打印机"])
      let terminal = try await Terminal(140, 12)
      let command = "$L browse --netns \(lab.own)"
      for (before, after) in [
        ("", ""), ("NO_COLOR=1", ""), ("", "--color never"), ("TERM=dumb", ""),
      ] {
        try await terminal.type("clear; \(before) \(command) \(after) _witap2._tcp")
        try await terminal.wait(for: "services") { $0.count("tv.local:40") == 2 }
        let text = try await terminal.colouredText()
        #expect(text.contains("\u{1B}[") == (before + after == ""), "\(text)")
        #expect(text.contains("NAME") == (before != "TERM=dumb"), "\(text)")
        #expect(text.contains("Dëck") && text.contains("打印机"), "\(text)")
        try await terminal.press("C-c")
        try await terminal.expectGivenBack(after: "SIGINT")
      }
      try await terminal.type("clear; LC_ALL=C \(command) _witap2._tcp")
      let ascii = try await terminal.wait(for: "table") { $0.count("tv.local:40") == 2 }
      #expect(
        ascii.text.utf8.allSatisfy { $0 < 0x80 } && ascii.count(#"D\195\171ck"#) == 1,
        "\(ascii.text)")
      let places = [
        try await terminal.column(of: "tv.local:4000"),
        try await terminal.column(of: "tv.local:4001"),
      ]
      #expect(places[0] == places[1])
      try await terminal.press("C-c")
      try await terminal.expectGivenBack(after: "SIGINT")
      withExtendedLifetime((lab, host)) {}
    }
  }
}
