import Foundation
import TestKit
import Testing

extension BrowseInNamespaces {
  /// The first list is complete and right, however many services there are.
  @Suite("lists") struct BrowseListTests {
    /// What `--once` lists of a farm has to be what the farm offers, each once.
    private func list(_ count: Int, hosts: Int, _ options: String...) async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(
        lab, "--count \(count) --hosts \(hosts) --no-announce", options.joined(separator: " "))
      let run = try await lab.browse(["--json", "--once", "_http._tcp"])
      let records = try run.objects()
      let list = BrowsedList(records)
      let expected = (0..<count).map { ServiceFacts.farm($0, hosts: hosts) }.sorted()
      #expect(run.status == 0, "\(run.errors)")
      #expect(list.faults == [])
      #expect(list.instances == expected.map(\.instance))
      let wrong = Set(list.facts).subtracting(expected)
      #expect(wrong.isEmpty, "\(wrong.count) differ: \(wrong.prefix(3))")
      #expect(records.events("removed").isEmpty)
      #expect(records.events("settled").count == 1 && records.last?.event == "summary")
      #expect(records.compactMap { $0["seq"]?.integer } == (0..<records.count).map { $0 + 1 })
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("one service") func one() async throws { try await list(1, hosts: 1) }

    @Test("fifty services of ten hosts, as the schema says") func fifty() async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(lab, "--count 50 --hosts 10 --no-announce")
      let run = try await lab.browse(["--json", "--once", "_http._tcp"])
      #expect(
        BrowsedList(try run.objects()).facts
          == (0..<50).map { ServiceFacts.farm($0, hosts: 10) }.sorted())
      try await expectBrowseSchema(run.stdout)
      let service = try #require(try run.objects().events("added").first)
      #expect(service["domain"]?.text == "local" && service["origin"]?.text == "mdns")
      #expect(service["interface"]?.text == "v0" && service["priority"]?.integer == 0)
      #expect(service["ttlSeconds"]?.integer == 4500 && service["weight"]?.integer == 0)
      #expect(service["heardOver"]?.list.isEmpty == false)
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("fifty services whose answers come bare: SRV, TXT and addresses are asked for")
    func bare() async throws { try await list(50, hosts: 10, "--no-additionals") }

    @Test("a thousand services of a hundred hosts") func thousand() async throws {
      try await list(1000, hosts: 100)
    }

    @Test("names and attributes at the edge of what is allowed") func exotic() async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(lab, "--count 0 --hosts 3 --exotic --no-announce")
      let tools = Repository.top.appending(path: "Tests/Lab").path
      let told = try await runCommand(
        ["python3", "\(tools)/zeroconf_farm.py", "--list-exotic"])
      let offered = try JSON(told.stdout).list
      let run = try await lab.browse(["--json", "--once", "_http._tcp", "_ipp._tcp", "_sip._udp"])
      let list = BrowsedList(try run.objects())
      #expect(list.faults == [])
      #expect(list.instances == offered.compactMap { $0["name"]?.text }.sorted())
      let found = Dictionary(
        list.services.values.map { ($0["instance"]?.text ?? "", $0) }, uniquingKeysWith: { $1 })
      for service in offered {
        let name = service["name"]?.text ?? ""
        guard let told = found[name] else { continue }
        #expect(told["port"] == service["port"], "\(name)")
        #expect(told["complete"] == nil, "\(name): \(told)")
        guard let strings = service["txt"]?.list.compactMap(\.text) else { continue }
        #expect(told["txt"] == .object(Self.attributes(strings)), "\(name)")
      }
      #expect(found["prio and weight"]?["priority"]?.integer == 7)
      #expect(found["prio and weight"]?["weight"]?.integer == 9)
      #expect(found["port zero"]?["placeholder"]?.bool == true)
      // bin=00 01 ff fe 3d 0a, then key, key= and key2,
      #expect(
        found["binary txt"]?["txt"]
          == .object([
            "bin": .object(["base64": .text("AAH//j0K")]), "key": .bool(true), "key2,": .bool(true),
          ]))
      #expect(found["binary txt"]?["txtRaw"]?.list.count == 4)
      try await expectBrowseSchema(run.stdout)
      withExtendedLifetime((lab, farm)) {}
    }

    /// What the contract makes of strings: the first of a key wins, whatever its case.
    private static func attributes(_ strings: [String]) -> [String: JSON] {
      var seen: Set<String> = []
      var result: [String: JSON] = [:]
      for string in strings {
        let parts = string.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let key = String(parts[0])
        guard !key.isEmpty, seen.insert(key.lowercased()).inserted else { continue }
        result[key] = parts.count == 2 ? .text(String(parts[1])) : .bool(true)
      }
      return result
    }

    @Test("a subtype is browsed for in both spellings, and finds those that have it")
    func subtype() async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(lab, "--count 5 --exotic --no-announce")
      for word in ["_printer._sub._http._tcp", "_http._tcp,_printer"] {
        let run = try await lab.browse(["--json", "--once", word])
        let list = BrowsedList(try run.objects())
        #expect(list.instances == ["with subtypes"], "\(word): \(run.errors)")
        #expect(list.services.values.first?["type"]?.text == "_http._tcp")
      }
      withExtendedLifetime((lab, farm)) {}
    }

    @Test("without a type every type of the network is browsed") func everything() async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(
        lab, "--count 12 --hosts 4 --type _http._tcp,_ipp._tcp,_x-mine._udp --no-announce")
      let run = try await lab.browse(["--json", "--once"])
      let expected = (0..<12).map {
        ServiceFacts.farm($0, hosts: 4, type: ["_http._tcp", "_ipp._tcp", "_x-mine._udp"][$0 % 3])
      }
      #expect(BrowsedList(try run.objects()).facts == expected.sorted())
      let types = try await lab.browse(["--json", "--only-types", "--once"])
      #expect(
        try types.objects().compactMap { $0["type"]?.text }.sorted()
          == ["_http._tcp", "_ipp._tcp", "_x-mine._udp"])
      #expect(types.status == 0)
      try await expectBrowseSchema(types.stdout)
      withExtendedLifetime((lab, farm)) {}
    }
  }
}
