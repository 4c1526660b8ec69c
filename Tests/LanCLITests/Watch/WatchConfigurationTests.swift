import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

private func configure(
  _ words: String..., input: [String] = []
) throws -> WatchConfiguration {
  let parsed = try ArgumentParser(command: .watch).parse(words.map { Array($0.utf8) })
  return try WatchConfiguration(parsed) { input }
}

private func refusal(_ words: String..., input: [String] = []) -> String {
  do {
    let parsed = try ArgumentParser(command: .watch).parse(words.map { Array($0.utf8) })
    _ = try WatchConfiguration(parsed) { input }
    return "accepted"
  } catch {
    return "\(error)"
  }
}

@Suite("What watch is asked to do") struct WatchConfigurationTests {
  @Test("bare: the default path, both families, following") func bare() throws {
    let watch = try configure()
    #expect(watch.targets.map(\.name) == ["default"])
    let options = try #require(watch.targets.first).question.options
    #expect(options.usesIPv4 && options.usesIPv6)
    #expect(!watch.isBounded && watch.polls)
    guard case .follow = watch.mode else {
      Issue.record("it does not follow")
      return
    }
  }

  @Test("the zero addresses mean the default path, a mapped address its IPv4 one, once each")
  func targets() throws {
    let watch = try configure("0.0.0.0", "::", "::ffff:192.0.2.7", "192.0.2.7", "fe80::1%eth0", "h")
    #expect(watch.targets.map(\.name) == ["default", "192.0.2.7", "fe80::1%eth0", "h"])
  }

  @Test("a target that means nothing is refused, with what would be right") func badTargets() {
    #expect(
      refusal("fe80::1")
        == "lantool watch: link-local address fe80::1 means nothing without its interface; say "
        + "'fe80::1%eth0' or add '--interface eth0'. Try 'lantool watch --help'.")
    #expect(refusal("-i", "v0", "fe80::1") == "accepted")
    #expect(refusal("192.0.2.7%v0").contains("no usable interface"))
    #expect(refusal("a b").contains("neither an address nor a host name"))
    #expect(refusal("").contains("an empty word is no target"))
    #expect(refusal("-6", "192.0.2.7").contains("'192.0.2.7' is no IPv6 address"))
    #expect(refusal("-").contains("standard input names no target"))
  }

  @Test("--wait takes its condition after =, and a word behind it is a target") func wait() throws {
    guard case .wait(.reachable, 0) = try configure("--wait", "h").mode else {
      Issue.record("not the plain condition")
      return
    }
    let watch = try configure("--wait=ipv6 and not transient", "--for", "5s")
    guard case .wait(let expression, let duration) = watch.mode else {
      Issue.record("no wait")
      return
    }
    #expect(expression == .and(.family(isIPv6: true), .not(.flag(.transientConnection))))
    #expect(duration == 5_000_000_000)
  }

  @Test("a bad condition is named, with what was probably meant") func badCondition() {
    #expect(
      refusal("--wait=reachabel").contains("unknown word 'reachabel'; did you mean 'reachable'?"))
    #expect(refusal("--wait=(ipv4").contains("a parenthesis is not closed"))
    #expect(refusal("--wait=").contains("it is empty"))
    #expect(refusal("--wait=ipv4 and").contains("it ends where a word should follow"))
    #expect(refusal("--for", "5s").contains("means nothing without '--wait'"))
  }

  @Test(
    "a bad value names the option and what would be right",
    arguments: [
      ("--settle=5x", "expected a time"), ("--timeout=0", "none"),
      ("--mark=0xg", "expected a number up to 0xffffffff"),
      ("--mark=+1", "expected a number"), ("--mark=4294967296", "expected a number"),
      ("--port=0", "1 to 65535"), ("--uid=-1", "expected"),
      ("--local=nobody", "expected an IPv4 or IPv6 address"), ("--verify=ping", "tcp:PORT"),
      ("--verify=tcp:0", "tcp:PORT"), ("--verify=https://h/", "http://"),
      ("--exec='a", "a quote is not closed"), ("--exec= ", "names no program"),
      ("--count=0", "or more"),
    ])
  func badValues(_ word: String, _ words: String) {
    let text = refusal(word)
    #expect(text.contains(words) && text.contains(String(word.prefix { $0 != "=" })), "\(text)")
  }

  @Test("options that contradict each other are refused") func company() {
    #expect(refusal("--once", "--wait").contains("contradict"))
    #expect(refusal("--replay=f", "--record=g").contains("contradict"))
    #expect(refusal("--compact", "--json").contains("contradict"))
    #expect(refusal("--exec-initial").contains("means nothing without '--exec'"))
  }

  @Test("what goes with the question") func options() throws {
    let watch = try configure(
      "-4", "-i", "v0", "--mark", "0x10", "--uid", "1000", "--port", "443", "--local", "192.0.2.10")
    let options = try #require(watch.targets.first).question.options
    #expect(options.usesIPv4 && !options.usesIPv6)
    #expect(options.interface == "v0" && options.mark == 16 && options.uid == 1_000)
    #expect(options.port == 443 && options.local == IPAddress(parsing: "192.0.2.10"))
  }

  @Test("standard input gives names, or the addresses and hosts of browse's JSON Lines")
  func input() {
    let text = """
      nas.example.net
      # a remark

        192.0.2.7\u{20}
      {"event":"added","instance":"Deck","host":"tv.local","addresses":["192.0.2.20","fe80::2%v0"]}
      {"event":"removed","instance":"Gone","host":"gone.local","addresses":["192.0.2.9"]}
      {"event":"added","instance":"A \\u00e9 \\ud83d\\ude00 \\"q\\"","host":"b\\u002dc.local"}
      {"event":"summary","seq":4}
      """
    #expect(
      TargetInput.words(of: text)
        == ["nas.example.net", "192.0.2.7", "192.0.2.20", "fe80::2%v0", "b-c.local"])
    #expect(TargetInput.words(of: "a\r\nb\r\n") == ["a", "b"])
  }

  @Test("JSON that is none is no object, at every length") func brokenJSON() {
    let line = #"{"a":[1,-2.5e3,true,false,null,"\u00e9\n"],"b":{"c":"d"}}"#
    #expect(JSONValue(parsing: line)?["b"]?["c"]?.string == "d")
    for length in 0..<line.utf8.count {
      #expect(JSONValue(parsing: String(line.prefix(length))) == nil)
    }
    #expect(JSONValue(parsing: line + "x") == nil)
    #expect(JSONValue(parsing: String(repeating: "[", count: 100_000)) == nil)
  }

  @Test("the command of --exec is split without a shell") func command() throws {
    #expect(try CommandWords.split("a  b\tc") == ["a", "b", "c"])
    #expect(try CommandWords.split(#"a 'b c' "d e" f\ g ''"#) == ["a", "b c", "d e", "f g", ""])
    #expect(try CommandWords.split(#"a "\"q\" \\ \n" '\'"#) == ["a", #""q" \ \n"#, #"\"#])
    #expect(try CommandWords.split("a $HOME *;|") == ["a", "$HOME", "*;|"])
    #expect(throws: CommandWords.Failure.endsInBackslash) { try CommandWords.split("a\\") }
  }
}
