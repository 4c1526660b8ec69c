import LanCore
import LanSystem
import LanWire
import TestKit
import Testing

@testable import LanCLI

private typealias Sample = SampleMessage

/// One message of each kind, a second and more apart.
func kinds() throws -> SniffTrace {
  let trace = SniffTrace()
  let second: Int64 = 1_000_000_000
  let start = 1_700_000_000 * second
  let pointer = try Sample.pointer("_ipp._tcp.local", to: "P._ipp._tcp.local")
  let address = try Sample.address("h.local")
  trace.send(try Sample.query(["_ipp._tcp.local"], unicast: true, known: [pointer]), at: start)
  trace.send(try Sample.response([pointer]), at: start + second / 4)
  trace.send(
    try Sample.query(["h.local"], type: .any, proposed: [address]), at: start + 10 * second)
  trace.send(try Sample.response([address]), at: start + 100 * second)
  trace.send(try Sample.response([Sample.address("h.local", ttl: 0)]), at: start + 110 * second)
  return trace
}

@Suite("Text of sniff") struct SniffTextTests {
  @Test("a message is a headline and an aligned line for each entry") func blocks() throws {
    #expect(
      try rendered(kinds(), ["--time=none", "--color=never"]) == """
        query         10.0.0.7 > 224.0.0.251  frame 1 49 B
            question    PTR           QU    _ipp._tcp.local
            known       PTR         4500    _ipp._tcp.local = P._ipp._tcp.local
        response      10.0.0.7 > 224.0.0.251  frame 2 43 B
            answer      PTR         4500    _ipp._tcp.local = P._ipp._tcp.local
        probe         10.0.0.7 > 224.0.0.251  frame 3 41 B
            question    ANY           QM    h.local
            proposed    A            120 !  h.local = 10.0.0.7
        announcement  10.0.0.7 > 224.0.0.251  frame 4 35 B
            answer      A            120 !  h.local = 10.0.0.7
        goodbye       10.0.0.7 > 224.0.0.251  frame 5 35 B
            answer      A              0 !  h.local = 10.0.0.7

        """)
  }

  @Test("colours stand around words and change no column") func colours() throws {
    let coloured = try rendered(kinds(), ["--time=none", "--color=always"])
    let esc = "\u{1B}"
    let words = [
      ("query", 36), ("response", 32), ("probe", 33), ("announcement", 34), ("goodbye", 35),
    ]
    let lengths = ["49", "43", "41", "35", "35"]
    let headlines = coloured.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(String.init)
    #expect(headlines.count == 5)
    for (index, (word, colour)) in words.enumerated() {
      let space = String(repeating: " ", count: 14 - word.utf8.count)
      #expect(
        headlines[index]
          == "\(esc)[\(colour)m\(word)\(esc)[0m\(space)10.0.0.7 > 224.0.0.251"
          + "\(esc)[2m  frame \(index + 1) \(lengths[index]) B\(esc)[0m")
    }
    #expect(coloured.contains("A              \(esc)[35m0\(esc)[0m !  h.local = 10.0.0.7\n"))
    let plain = coloured.replacing(try Regex("\u{1B}\\[[0-9]*m"), with: "")
    #expect(try plain == rendered(kinds(), ["--time=none", "--color=never"]))
  }

  @Test("data of every kind is readable") func shapes() throws {
    let host = try DNSName("h.local")
    let shapes: [(DNSRecordData, String)] = [
      (.srv(priority: 0, weight: 0, port: 631, target: host), "h.local:631"),
      (.srv(priority: 1, weight: 2, port: 0, target: host), "h.local:0 priority 1 weight 2"),
      (.txt([Array("a=b c".utf8), []]), #""a=b c" """#), (.txt([[0x5C, 0xFF]]), #""\\\255""#),
      (.nsec(next: host, types: [.a, .aaaa]), "A AAAA"),
      (.nsec(next: .root, types: []), "nothing next ."),
      (.hinfo(cpu: Array("ARM".utf8), os: Array("Linux".utf8)), #""ARM" "Linux""#),
      (.unknown(.init(rawValue: 65280), [0xAB]), "\\# 1 ab"),
      (.unknown(.init(rawValue: 65280), []), "\\# 0"),
      (.mx(preference: 5, exchange: host), "5 h.local"),
      (
        .unknown(.init(rawValue: 65280), .init(repeating: 0, count: 65)),
        "\\# 65 \(String(repeating: "00", count: 64))..."
      ),
    ]
    for (data, text) in shapes {
      let payload = try Sample.response([Sample.record("h.local", data)])
      let found = try lines(trace(payload), ["--time=none"])[1]
      #expect(found.hasSuffix(" = \(text)"), "\(found)")
    }
  }

  @Test("what is out of the ordinary is remarked in the headline") func remarks() throws {
    let sent = trace(try Sample.response([Sample.address("h.local")], flags: 0x8603), port: 5355)
    sent.batch.messages[0].envelope.hopLimit = 1
    sent.batch.messages[0].envelope.isCut = true
    let line = try lines(sent, ["--time=none", "--oneline"])[0]
    #expect(
      line
        == "response      10.0.0.7:5355 > 224.0.0.251:5355  frame 1 llmnr ttl 1 rcode 3 truncated "
        + "cut 35 B: A h.local = 10.0.0.7 ttl 120")
  }

  @Test("a malformed message says why and where") func malformed() throws {
    let payload = try Sample.response([Sample.address("h.local")])
    let sent = trace(Array(payload.dropLast()))
    let block = try lines(sent, ["--time=none"])
    #expect(block.count == 2)
    #expect(block[1].hasPrefix("    malformed  ") && block[1].contains(", at byte "))
    let one = try lines(sent, ["--time=none", "--oneline"])
    #expect(one.count == 1 && one[0].contains(" malformed: "))
    #expect(try lines(trace([1]), ["--time=none"])[0].hasPrefix("malformed "))
  }

  @Test("--oneline is one line a message, whatever is in it") func oneLine() throws {
    #expect(
      try lines(kinds(), ["--time=none", "--oneline"]) == [
        "query         10.0.0.7 > 224.0.0.251  frame 1 49 B: QU PTR _ipp._tcp.local, "
          + "PTR _ipp._tcp.local = P._ipp._tcp.local ttl 4500",
        "response      10.0.0.7 > 224.0.0.251  frame 2 43 B: "
          + "PTR _ipp._tcp.local = P._ipp._tcp.local ttl 4500",
        "probe         10.0.0.7 > 224.0.0.251  frame 3 41 B: QM ANY h.local, "
          + "A h.local = 10.0.0.7 ttl 120",
        "announcement  10.0.0.7 > 224.0.0.251  frame 4 35 B: A h.local = 10.0.0.7 ttl 120",
        "goodbye       10.0.0.7 > 224.0.0.251  frame 5 35 B: A h.local = 10.0.0.7 ttl 0",
      ])
    #expect(try lines(Hostile.trace(), ["--oneline"], interfaces: [2: Hostile.text]).count == 1)
  }
}
