import Foundation
import TestKit
import Testing

/// Messages of the cases, as they stand there.
private enum Message {
  private static let pointer =
    "075f776974617032045f746370056c6f63616c00000c0001000011940019044465636b"
    + "075f776974617032045f746370056c6f63616c00"
  private static let name = "044465636b075f776974617032045f746370056c6f63616c00"
  private static let srv = "00218001000000780010000000001092027476056c6f63616c00"
  private static let host = "027476056c6f63616c00"
  private static let head = "000084000000000400000000"
  private static let three = head + pointer + name + srv + name

  static let forged =
    three + "0010800100001194002f296e6f74653d220a2b3b657468393b495076343b47686f73743b5f687474702e"
    + "5f7463703b6c6f63616c04743d0961" + host + "00018001000000780004c0000214"
  static let deck =
    three + "001080010000119400" + "0403763d32" + host + "00018001000000780004c0000214"
  static let oldAddress =
    three + "001080010000119400" + "0403763d32" + host + "00018001000000780004a9fe0709"
  static let newAddress = "000084000000000100000000" + host + "00018001000000780004c0000214"
  static let otherAddress = "000084000000000100000000" + host + "00018001000000780004c6336414"
  static let deckElsewhere =
    three + "001080010000119400" + "0403763d32" + host + "00018001000000780004c6336414"
  static let onlyIPv6 =
    three + "001080010000119400" + "0403763d32" + host
    + "001c8001000000780010fe800000000000000000000000000020"
  static let loops = [
    "000084000000000100000000c00c000c0001000000780002c00c",
    "000084000000000200000000c01a000c0001000000780002c00cc00c000c0001000000780002c01a",
    "000084000000000100000000c018000c0001000000780014075f776974617032045f746370056c6f63616c00",
  ]
  static let cased = [
    "000084000000000100000000075f576954617032045f544350056c6f63616c00000c000100001194001d08"
      + "4465636b204f6e65075f776974617032045f746370056c6f63616c00",
    "000084000000000100000000084445434b206f6e65075f776974617032045f746370054c4f43414c00"
      + "00218001000000780010000000001092027476056c6f63616c00",
    "000084000000000100000000025456054c4f43414c000001800100000078000" + "4c0000214",
  ]
  static let types =
    "000084000000000100000000095f7365727669636573075f646e732d7364045f756470056c6f63616c00"
    + "000c0001000011940014075f776974617032045f746370056c6f63616c00"
}

extension BrowseInNamespaces {
  /// Faults that were reported in public against tools of this kind.
  @Suite("reported faults") struct BrowseCaseTests {
    private static let type = "_witap2._tcp"

    @Test("BR-01: a line break in an attribute forges no line") func forgedLine() async throws {
      let lab = try await RecipeLab("wired")
      let speaker = try await Peer.speaker(lab)
      let follower = try await lab.listening(Self.type)
      let text = try Child([
        lantoolPath, "browse", "--netns", lab.own, "--duration", "3s", Self.type,
      ])
      try await Task.sleep(for: .milliseconds(500))
      try await speaker.speak(Message.forged)
      let added = try await follower.await("Deck") { $0.event == "added" }
      #expect(added["instance"]?.text == "Deck" && added["port"]?.integer == 4242)
      let note = Data("\"\n+;eth9;IPv4;Ghost;_http._tcp;local".utf8).base64EncodedString()
      #expect(
        added["txt"]
          == .object([
            "note": .object(["base64": .text(note)]),
            "t": .object(["base64": .text(Data("\ta".utf8).base64EncodedString())]),
          ]))
      #expect(try await follower.end().objects().events("added").count == 1)
      let lines = try await text.finish(timeout: 10).output.split(separator: "\n")
      #expect(lines.count == 1 && lines.first?.contains("Deck") == true, "\(lines)")
      #expect(lines.first?.contains("\\010") == true && lines.first?.contains("\\009") == true)
      #expect(!lines.contains { $0.hasPrefix("+;") || $0.contains("\t") })
    }

    @Test("BR-03: pointers that loop or point forward neither hang nor end it")
    func pointerLoops() async throws {
      let lab = try await RecipeLab("wired")
      let speaker = try await Peer.speaker(lab)
      let follower = try await lab.listening(Self.type)
      for message in Message.loops { try await speaker.speak(message) }
      let start = ContinuousClock.now
      try await speaker.speak(Message.deck)
      try await follower.await("Deck") { $0.event == "added" && $0["instance"]?.text == "Deck" }
      #expect(ContinuousClock.now - start < .seconds(1))
      let run = try await follower.end()
      #expect(run.status == 0)
      #expect(run.errorLines.filter { !$0.contains("service") }.count <= 3, "\(run.errors)")
      #expect(BrowsedList(try run.objects()).instances == ["Deck"])
    }

    @Test("BR-05: names that differ in the case of ASCII letters are one service")
    func cases() async throws {
      let lab = try await RecipeLab("wired")
      let speaker = try await Peer.speaker(lab)
      let follower = try await lab.listening(Self.type)
      for message in Message.cased { try await speaker.speak(message) }
      let resolved = try await follower.await("its address") {
        $0["addresses"]?.list.compactMap(\.text) == ["192.0.2.20"]
      }
      #expect(resolved["instance"]?.text == "Deck One" && resolved["port"]?.integer == 4242)
      // Letters beyond ASCII are not folded: É and é are two.
      for letter in ["c389", "c3a9"] {
        try await speaker.speak(
          "000084000000000100000000075f776974617032045f746370056c6f63616c00000c0001000011940017"
            + "02\(letter)075f776974617032045f746370056c6f63616c00")
      }
      try await follower.await("é") { $0["instance"]?.text == "é" }
      let list = BrowsedList(try await follower.end().objects())
      #expect(list.faults == [] && list.services.count == 3, "\(list.instances)")
    }

    @Test("BR-07: a limit holds while something new comes all the time") func limits() async throws
    {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(lab, "--count 1 --grow 0.2")
      for (options, limit) in [(["--duration", "3s"], 3.0), (["--once", "--timeout", "5s"], 5.0)] {
        let start = ContinuousClock.now
        let run = try await lab.browse(["--json", "_http._tcp"] + options)
        let took = (ContinuousClock.now - start) / .seconds(1)
        let records = try run.objects()
        // What the machine needs to start a program on top is not the run's.
        let own = Double(records.last?["durationMicroseconds"]?.integer ?? 0) / 1e6
        #expect(took >= limit && own <= limit + 0.5, "\(own) of \(took)")
        let list = BrowsedList(records)
        #expect(run.status == 0 && list.services.count > Int(limit) * 3, "\(list.services.count)")
        #expect(list.faults == [])
      }
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("BR-09: a type that is told of is no service") func typeAnswers() async throws {
      let lab = try await RecipeLab("wired")
      let speaker = try await Peer.speaker(lab)
      let follower = try await lab.listening(Self.type)
      let types = try await lab.listening("--only-types")
      for _ in 0..<2 { try await speaker.speak(Message.types) }
      try await types.await("the type") { $0["type"]?.text == Self.type }
      // One more message than the one under test, which shows that it was read.
      try await speaker.speak(Message.deck)
      try await follower.await("Deck") { $0.event == "added" }
      #expect(BrowsedList(try await follower.end().objects()).instances == ["Deck"])
      let told = try await types.end().objects().filter { $0["type"]?.text == Self.type }
      #expect(told.count == 1 && told.first?["action"]?.text == "added")
    }

    @Test("BR-11: a new address takes the place of the old one") func newAddress() async throws {
      let lab = try await RecipeLab("wired")
      let speaker = try await Peer.speaker(lab)
      let follower = try await lab.listening(Self.type)
      try await speaker.speak(Message.oldAddress)
      let added = try await follower.await("Deck") { $0.event == "added" }
      #expect(added["addresses"]?.list.compactMap(\.text) == ["169.254.7.9"])
      try await Task.sleep(for: .seconds(3))
      let told = follower.records.count
      try await speaker.speak(Message.newAddress)
      try await follower.await("the new address", after: told, timeout: 2) {
        $0["addresses"]?.list.compactMap(\.text) == ["192.0.2.20"]
      }
      try await Task.sleep(for: .milliseconds(1500))
      let updates = follower.records.dropFirst(told).filter { $0["addresses"] != nil }
      #expect(updates.count == 1, "\(updates)")
      _ = try await follower.end()
    }

    @Test("BR-13: what is flushed on one interface stays on the other") func twoLinks() async throws
    {
      let lab = try await RecipeLab(
        """
        wired; pair w0 w1
        ip addr add 198.51.100.10/24 dev w0; there ip addr add 198.51.100.20/24 dev w1
        """)
      let first = try await Peer.speaker(lab)
      let second = try await Peer.speaker(lab, by: "w1", from: "198.51.100.20")
      let follower = try await lab.listening(Self.type)
      try await first.speak(Message.deck)
      try await second.speak(Message.deckElsewhere)
      try await follower.await("Deck on w0") {
        $0.event == "added" && $0["interface"]?.text == "w0"
      }
      for _ in 0..<3 {
        // Longer than the second in which records of a set may follow each other.
        try await Task.sleep(for: .milliseconds(1300))
        try await first.speak(Message.newAddress)
        try await Task.sleep(for: .milliseconds(1300))
        try await second.speak(Message.otherAddress)
      }
      try await Task.sleep(for: .milliseconds(1300))
      let run = try await follower.end()
      let list = BrowsedList(try run.objects())
      let addresses = Dictionary(
        list.services.values.map {
          ($0["interface"]?.text ?? "", $0["addresses"]?.list.compactMap(\.text) ?? [])
        }, uniquingKeysWith: { $1 })
      #expect(addresses == ["v0": ["192.0.2.20"], "w0": ["198.51.100.20"]])
      #expect(try run.objects().events("removed").isEmpty && list.faults == [])
      #expect(try run.objects().events("updated").isEmpty)
    }

    @Test("BR-15: a service with nothing but an IPv6 address is listed, its zone with it")
    func onlyIPv6() async throws {
      let lab = try await RecipeLab("wired")
      let speaker = try await Peer.speaker(lab)
      let follower = try await lab.listening(Self.type)
      let text = try Child([
        lantoolPath, "browse", "--netns", lab.own, "--expect", "Deck", "--timeout", "10s",
        Self.type,
      ])
      try await Task.sleep(for: .milliseconds(500))
      try await speaker.speak(Message.onlyIPv6)
      let added = try await follower.await("Deck") { $0.event == "added" }
      #expect(added["addresses"]?.list.compactMap(\.text) == ["fe80::20%v0"])
      #expect(added["port"]?.integer == 4242 && added["complete"] == nil)
      let run = try await text.finish(timeout: 15)
      #expect(run.status == 0 && run.output.contains("fe80::20%v0"), "\(run.output)")
      #expect(run.output.contains("4242"))
      _ = try await follower.end()
    }
  }
}
