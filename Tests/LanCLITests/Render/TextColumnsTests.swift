import LanSystem
import Testing

@testable import LanCLI

@Suite("how wide text is on a terminal") struct TextColumnsTests {
  @Test(
    "columns are counted as terminals have them",
    arguments: [
      ("", 0), ("Deck", 4), ("打印机", 6), ("ｱｲ", 2), ("Ａ", 2), ("e\u{301}", 1), ("한글", 4),
      // Hangul in parts, as some file systems have it.
      ("\u{1112}\u{1161}\u{11AB}", 2), ("so\u{AD}ft", 5), ("🚀", 2), ("🖨", 1), ("🪐", 2),
      ("✅", 2), ("⌚", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("🇩🇪", 2), ("🀄", 2), ("〇", 2),
      ("👩\u{200D}🚀", 4), ("שלום", 4), ("𝒳", 1), ("\u{AC00}", 2), ("क्षि", 3), ("𠀀", 2),
    ])
  func width(_ text: String, _ columns: Int) { #expect(text.columns == columns) }

  @Test("text is cut between characters, with a sign where there is room for one") func cutting() {
    #expect("打印机".cut(to: 5) == "打印" && "打印机".shortened(to: 5) == "打印~")
    #expect("e\u{301}e\u{301}".cut(to: 1) == "e\u{301}")
    // A joiner at the end would take in what comes next.
    #expect("👩\u{200D}🚀".cut(to: 3) == "👩" && "👩\u{200D}🚀x".shortened(to: 4) == "👩~")
    #expect("Deck".shortened(to: 4) == "Deck" && "Deck".shortened(to: 3) == "Dec")
  }

  @Test("what could steer is escaped before columns are counted") func escaped() {
    let text = "\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\r\n\t\u{7F}e\u{301}机"
    let shown = text.shown(isASCII: false)
    #expect(
      shown == #"\027]0;x\007\194\1552J\226\128\174\013\010\009\127"# + "e\u{301}机")
    #expect(shown.shown(isASCII: false) == shown && shown.columns == shown.utf8.count - 3)
    #expect("a\u{200D}b\u{200D}".shown(isASCII: false) == "a\u{200D}b" + #"\226\128\141"#)
    #expect("机\\".shown(isASCII: true) == #"\230\156\186\"#)
  }
}

@Suite("a picture that is drawn in its place") struct LivePictureTests {
  private func written(_ body: (inout OutputBuffer) -> Void) -> String {
    BrowseSamples.written(body)
  }

  @Test("it begins where the cursor rests, and the cursor rests there again") func drawing() {
    var picture = LivePicture()
    func draw(_ lines: Int, width: Int = 80) -> String {
      written { out in
        picture.draw(lines, width: width, height: 24, to: &out) { $1.append($0) }
      }
    }
    let first = draw(3)
    #expect(
      first
        == "\r\u{1B}[?7l\u{1B}[K0\r\n\u{1B}[K1\r\n\u{1B}[K2\u{1B}[J\u{1B}[?7h\r\u{1B}[2A")
    #expect(picture.count == 3)
    // The same again is written for another window alone.
    #expect(draw(3) == "" && draw(3, width: 70) == first && draw(3, width: 70) == "")
    picture.forget()
    #expect(draw(3, width: 70) == first && draw(0) == "\r\u{1B}[J")
    #expect(written { picture.clear(to: &$0) } == "" && picture.count == 0)
  }
}
