import Foundation
import TestKit
import Testing

extension ServeInNamespaces {
  /// Faults that were reported of others.
  @Suite("cases") struct ServeCaseTests {
    @Test("SE-01: its own packets, sent back by another host, are no name conflict")
    func reflected() async throws {
      let lab = try await RecipeLab("wired")
      let mirror = try await lab.begin("reflect", "5")
      let follower = try await lab.serving("--host", "lan")
      let seen = try await lab.result(of: mirror)
      #expect(try #require(seen["reflected"]?.integer) >= 5)
      #expect(seen["names"]?.list.compactMap(\.text) == ["Deck._witap2._tcp.local."])
      #expect(follower.events == ["published"])
      #expect(follower.records.first?["host"]?.text == "lan.local")
      #expect(follower.child.errorsSoFar == "")
    }

    @Test("SE-03: a plain resolver's question gets a unicast answer that it understands")
    func legacy() async throws {
      let lab = try await RecipeLab("wired")
      let follower = try await lab.serving()
      let answer = try await lab.trial("legacy")
      #expect(answer["answer"]?.bool == true)
      #expect(answer["from"]?.text == "192.0.2.10" && answer["port"]?.integer == 5_353)
      #expect(answer["id"]?.integer == 0x1234)
      #expect(
        answer["questions"]
          == .list([.list([.text("_witap2._tcp.local."), .text("PTR")])]))
      let records = answer["records"]?.list ?? []
      #expect(records.contains { $0["text"]?.text?.hasPrefix("Deck.") == true })
      for record in records {
        #expect(try #require(record["ttl"]?.integer) <= 10 && record["flush"]?.bool == false)
      }
      #expect(answer["notes"]?.list.isEmpty == true)
      withExtendedLifetime(follower) {}
    }

    @Test("SE-05: known answers in a second packet silence what they name, and nothing else")
    func continued() async throws {
      let lab = try await RecipeLab("wired")
      let deck = try await lab.serving()
      let other = try await lab.serving(name: "Other")
      let known = try await lab.trial("continued", "4000")
      #expect(known["instances"]?["Deck"] == nil)
      let delay = try #require(known["instances"]?["Other"]?.amount)
      #expect(delay >= 400 && delay < 700, "\(delay) ms")
      let old = try await lab.trial("continued", "2000")
      #expect(old["instances"]?["Deck"] != nil)
      #expect(deck.child.errorsSoFar == "" && other.child.errorsSoFar == "")
    }

    @Test("SE-07: a TXT value that changes while it runs takes the place of the old one")
    func text() async throws {
      let lab = try await RecipeLab("wired")
      let folder = try TemporaryFolder()
      let file = folder.path("txt")
      try "n=1\n".write(toFile: file, atomically: true, encoding: .utf8)
      let watcher = try await lab.begin("texts", "3", "12")
      let follower = try await lab.serving("--txt-file", file)
      for value in ["2", "10"] {
        try "n=\(value)\n".write(toFile: file, atomically: true, encoding: .utf8)
        let start = ContinuousClock.now
        follower.child.signal(SIGHUP)
        let came = try await watcher.wait(timeout: 4) { $0.errorsSoFar.contains("\"n=\(value)\"") }
        #expect(came && ContinuousClock.now - start < .seconds(2), "\(watcher.errorsSoFar)")
      }
      let texts = try await lab.result(of: watcher)["texts"]?.list ?? []
      #expect(texts.count == 3 && texts.allSatisfy { $0["flush"]?.bool == true })
      for (text, value) in zip(texts, ["1", "2", "10"]) {
        let strings = text["strings"]?.list.compactMap(\.text) ?? []
        #expect(strings.filter { $0.hasPrefix("n=") } == ["n=\(value)"])
      }
    }

    @Test("SE-11: clients that vanish while they are written to are a line each, and no more")
    func resets() async throws {
      let lab = try await RecipeLab("wired")
      let follower = try lab.serve(["--no-publish", "--mode", "echo"])
      let port = try #require(
        try await follower.await("port") { $0.event == "listening" }["port"]?.integer)
      let result = try await lab.clients(port, "reset", "20", "0.1")
      #expect(result["echo"]?.bool == true)
      let ended = try await follower.child.wait(timeout: 5) { _ in
        follower.events.filter { $0 == "closed" }.count == 21
      }
      #expect(ended, "\(follower.events)")
      #expect(follower.child.errorsSoFar == "")
      #expect(try await follower.terminate().status == 0)
    }

    @Test("SE-13: without descriptors it waits, says so once, and serves again when there are some")
    func descriptors() async throws {
      let lab = try await RecipeLab("wired")
      let follower = Follower(
        try Child([
          "sh", "-c", "ulimit -n 32; exec \"$@\"", "sh", lantoolPath, "serve", "--netns", lab.own,
          "--json", "--no-publish", "--mode", "echo",
        ]), in: lab)
      let port = try #require(
        try await follower.await("port") { $0.event == "listening" }["port"]?.integer)
      let result = try await lab.clients(
        port, "crowd", "\(follower.child.processID)", "60", "2.5")
      #expect(try #require(result["cpu"]?.amount) < 0.2)
      #expect(result["echo"]?.bool == true)
      let warnings =
        follower.events.filter { $0 == "cannotAccept" }.count
        + follower.child.errorsSoFar.split(separator: "\n").count
      #expect((1...2).contains(warnings), "\(follower.child.errorsSoFar)")
    }

    @Test("SE-15: a service goes over both versions of IP, and nothing of it is said afterwards")
    func goodbye() async throws {
      let lab = try await RecipeLab("wired")
      let follower = try await lab.serving()
      let watcher = try await lab.begin("goodbyes", "3")
      let run = try await follower.terminate()
      #expect(run.status == 0)
      let gone = try await lab.result(of: watcher)
      for family in ["ipv4", "ipv6"] {
        let types = Set(gone[family]?.list.compactMap(\.text) ?? [])
        #expect(types.isSuperset(of: ["PTR", "SRV", "TXT", "A", "AAAA"]), "\(family): \(types)")
      }
      #expect(gone["after"]?.list.isEmpty == true, "\(gone)")
    }

    @Test("SE-17: all addresses of the link are handed out, whatever the question came over")
    func addresses() async throws {
      let lab = try await RecipeLab("wired")
      let follower = try await lab.serving("--host", "lan")
      let answers = try await lab.trial(
        "ask", "000000000001000000000000036c616e056c6f63616c00001c0001")
      let records = (answers["answers"]?.list ?? []).flatMap { $0["records"]?.list ?? [] }
      let addresses = records.filter { $0["type"]?.text == "AAAA" }.compactMap { $0["text"]?.text }
      #expect(addresses.contains("2001:db8::10"), "\(records)")
      #expect(addresses.contains { $0.hasPrefix("fe80:") })
      withExtendedLifetime(follower) {}
    }
  }
}
