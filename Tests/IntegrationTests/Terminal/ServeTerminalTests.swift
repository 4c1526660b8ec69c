import Foundation
import TestKit
import Testing

extension TerminalInNamespaces {
  /// The board of `serve --tiles`.
  @Suite("serve --tiles on a terminal") struct Serve {
    private static func command(_ lab: RecipeLab) -> String {
      "$L serve --netns \(lab.own) --mode tap --tiles --port 4242 --name Deck"
    }

    private static func isBoard(_ picture: TerminalPicture, above status: String) -> Bool {
      let lines = picture.lines.suffix(4).map { $0.split(separator: " ").joined() }
      return lines.count == 4 && Array(lines[..<3]) == ["123", "456", "789"]
        && picture.last.hasPrefix(status) && picture.cursor.row == picture.lines.count - 4
    }

    @Test("the board stands at the end, whatever becomes of the window; taps show; q ends")
    func board() async throws {
      let lab = try await RecipeLab("wired")
      let terminal = try await Terminal(80, 24, ["XDG_STATE_HOME": RecipeLab.noState])
      try await terminal.type(Self.command(lab))
      let first = try await terminal.wait(for: "board") {
        $0.count("published") == 1 && Self.isBoard($0, above: "waiting for a player")
      }
      #expect(!first.isCursorShown && first.count("waiting") == 1, "\(first.text)")
      for (columns, rows) in [(20, 24), (20, 5), (120, 5), (40, 10), (12, 6), (80, 16)] {
        try await terminal.resize(columns, rows)
        let status = columns < 22 ? "waiting" : "waiting for a player"
        let now = try await terminal.wait(for: "board of \(columns)") {
          $0.width == columns && Self.isBoard($0, above: status)
        }
        #expect(now.count("waiting") == 1, "\(now.text)")
      }
      let player = try Child([
        lantoolPath, "ping-peer", "--netns", lab.peer, "--mode", "tap", "--interval", "2s",
        "192.0.2.10:4242",
      ])
      let game = try await terminal.wait(for: "game") {
        $0.last.hasPrefix("playing with 192.0.2.20:") && $0.count("connected") == 1
      }
      #expect(game.count("waiting") == 0, "\(game.text)")
      for _ in 0..<50 {
        try await terminal.press("5")
        // Reversed, which shows without colours too.
        if try await terminal.colouredText().contains("5>") { break }
      }
      try await terminal.wait(for: "released tile") { !$0.text.contains(">") }
      try await terminal.resize(16, 3)
      try await terminal.wait(for: "low board") {
        $0.width == 16 && $0.lines.count == 3 && $0.last.contains("8")
      }
      try await terminal.resize(70, 12)
      try await terminal.press("q")
      try await terminal.expectGivenBack(after: "q")
      player.signal(SIGKILL)
      withExtendedLifetime(lab) {}
    }

    @Test("Control-Z and every end give the terminal back; fg draws the board again")
    func ends() async throws {
      let lab = try await RecipeLab("wired")
      let terminal = try await Terminal(80, 14, ["XDG_STATE_HOME": RecipeLab.noState])
      try await terminal.type(Self.command(lab))
      try await terminal.wait(for: "board") { Self.isBoard($0, above: "waiting") }
      try await terminal.press("C-z")
      let stopped = try await terminal.wait(for: "prompt") { $0.last == "$" && $0.isCursorShown }
      #expect(stopped.count("waiting") == 0, "\(stopped.text)")
      try await terminal.type("clear; stty -echo; stty echo; echo meanwhile; fg")
      let again = try await terminal.wait(for: "board") { Self.isBoard($0, above: "waiting") }
      #expect(again.count("waiting") == 1 && again.count("meanwhile") == 1 && !again.isCursorShown)
      try await terminal.press("C-c")
      try await terminal.expectGivenBack(after: "SIGINT")
      for (number, word) in [(SIGTERM, "SIGTERM"), (SIGQUIT, "SIGQUIT")] {
        try await terminal.type("clear; ulimit -c 0; NO_COLOR=1 \(Self.command(lab))")
        try await terminal.wait(for: "board") { Self.isBoard($0, above: "waiting") }
        #expect(try await !terminal.colouredText().contains("\u{1B}[2m"))
        try await terminal.signal(number)
        let end = try await terminal.wait(for: "prompt") { $0.last == "$" }
        #expect(end.count("waiting") == 0, "\(end.text)")
        try await terminal.expectGivenBack(after: word)
      }
      // What cannot begin leaves nothing behind.
      let other = try await Peer.atHome(lab, 4_242)
      try await terminal.type("clear; \(Self.command(lab))")
      let refused = try await terminal.wait(for: "failure") {
        $0.last == "$" && $0.count("lantool serve: ") == 1
      }
      #expect(refused.count("waiting") == 0, "\(refused.text)")
      try await terminal.expectGivenBack(after: "failure")
      try await terminal.type("clear; TERM=dumb \(Self.command(lab))")
      try await terminal.wait(for: "refusal") { $0.count("--tiles needs a terminal") == 1 }
      withExtendedLifetime((lab, other)) {}
    }
  }
}
