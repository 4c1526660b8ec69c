import Testing

@testable import LanCore

private func matches(_ pattern: String, _ text: String) -> Bool {
  Glob.matches(pattern: Array(pattern.utf8), Array(text.utf8))
}

@Suite("Patterns for names") struct GlobTests {
  @Test(
    "a pattern is compared with the whole text",
    arguments: [
      ("", "", true), ("", "a", false), ("a", "", false), ("abc", "abc", true),
      ("ab", "abc", false),
      ("ABC", "abc", true), ("Ä", "ä", false), ("*", "", true), ("*", "anything", true),
      ("**", "", true), ("a*", "a", true), ("a*c", "abbbc", true), ("a*c", "abbbd", false),
      ("*b*", "abc", true), ("*.local", "h.local", true), ("*.local", "h.local.x", false),
      ("?", "", false), ("?", "a", true), ("?", "ab", false), ("a?c", "abc", true),
      ("caf?", "café", true), ("caf??", "café", false), ("?", "😀", true), ("*??", "€", false),
      ("*?", "€", true), ("?*", "€", true), ("???", "日本語", true), ("*本?", "日本語", true),
      ("[abc]", "b", true), ("[abc]", "d", false), ("[a-c]", "B", true), ("[A-C]", "b", true),
      ("[a-c]", "d", false), ("[!a-c]", "d", true), ("[!a-c]", "b", false), ("[^a]", "b", true),
      ("[a-]", "-", true), ("[]]", "]", true), ("[!]]", "a", true), ("[!]]", "]", false),
      ("[!]a]", "b", true), ("[!]a]", "a", false), ("[", "[", true), ("[a", "[a", true),
      ("[]", "[]", true), ("\\*", "*", true), ("\\*", "a", false), ("\\?", "?", true),
      ("\\[a", "[a", true), ("a\\.b", "a\\.b", true), ("a\\.b", "a.b", false), ("\\", "\\", true),
      ("\\\\", "\\\\", true), ("*\\.*", "2\\.1", true),
    ])
  func table(_ pattern: String, _ text: String, _ expected: Bool) {
    #expect(matches(pattern, text) == expected, "'\(pattern)' and '\(text)'")
  }

  @Test(
    "a pattern of many stars against a long name takes no time to speak of", .timeLimit(.minutes(1))
  )
  func pathological() {
    let text = String(repeating: "a", count: 1_000)
    let stars = String(repeating: "*a", count: 500)
    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(!matches(stars + "*b", text))
      #expect(matches(stars + "*", text))
      #expect(!matches(String(repeating: "*?", count: 600) + "b", text))
      #expect(!matches(String(repeating: "*[b", count: 300), text))
      #expect(!matches(String(repeating: "*[!b]", count: 300) + "b", text))
    }
    #expect(time < .seconds(5))
  }
}
