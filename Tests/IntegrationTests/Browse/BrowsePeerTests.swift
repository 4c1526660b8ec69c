import Foundation
import TestKit
import Testing

extension BrowseInNamespaces {
  /// What real responders of others publish.
  @Suite("peers") struct BrowsePeerTests {
    @Test("what avahi publishes is listed whole, taken back at its goodbye")
    func avahi() async throws {
      let lab = try await RecipeLab("wired")
      let avahi = try await AvahiHost(in: lab.peer, name: "alpha")
      let follower = try lab.browsing("_ipp._tcp")
      try await avahi.publish(
        "--subtype=_universal._sub._ipp._tcp -- 'Büro 3. Stock; 🖨' _ipp._tcp 631 "
          + "rp=ipp/print flag $'bin=\\x01\\xff' leer=")
      let added = try await follower.await("the printer") { $0.event == "added" }
      #expect(added["instance"]?.text == "Büro 3. Stock; 🖨")
      #expect(added["serviceName"]?.text == "Büro 3\\. Stock; 🖨._ipp._tcp.local")
      #expect(added["host"]?.text == "alpha.local" && added["port"]?.integer == 631)
      #expect(
        added["txt"]
          == .object([
            "rp": .text("ipp/print"), "flag": .bool(true), "leer": .text(""),
            "bin": .object(["base64": .text("Af8=")]),
          ]))
      try await follower.await("both addresses") { record in
        let addresses = record["addresses"]?.list.compactMap(\.text) ?? []
        return addresses.contains("192.0.2.20") && addresses.contains("2001:db8::20")
      }
      let sub = try await lab.browse(["--json", "--once", "_ipp._tcp,_universal"])
      #expect(BrowsedList(try sub.objects()).instances == ["Büro 3. Stock; 🖨"])
      try await avahi.withdraw()
      let removed = try await follower.await("its end") { $0.event == "removed" }
      #expect(removed["cause"]?.text == "goodbye")
      #expect(BrowsedList(follower.records).faults == [])
      try await expectBrowseSchema(try await follower.end().stdout)
    }

    @Test("what python-zeroconf publishes is listed, updated and taken back")
    func zeroconf() async throws {
      let lab = try await RecipeLab("wired")
      let python = try await Peer.pythonWithZeroconf()
      let follower = try lab.browsing("_http._tcp")
      let publisher = try await Peer(
        in: lab.peer,
        [python, "zeroconf_publish.py", "192.0.2.20", "Zéro Conf", "_http._tcp", "8080", "a=1"])
      let added = try await follower.await("the service") { $0.event == "added" }
      #expect(
        ServiceFacts(added)
          == ServiceFacts(
            "Zéro Conf", "_http._tcp", "zeroconf-host.local", 8080, .object(["a": .text("1")]),
            ["192.0.2.20"]))
      try await publisher.say("a=2 b=3", until: "updated")
      try await follower.await("the new attributes") {
        $0.event == "updated" && $0["txt"] == .object(["a": .text("2"), "b": .text("3")])
      }
      publisher.child.endInput()
      let removed = try await follower.await("its end") { $0.event == "removed" }
      #expect(removed["cause"]?.text == "goodbye")
    }

    @Test("beside avahi on the same host both lists are right, and avahi is not disturbed")
    func sameHost() async throws {
      let lab = try await RecipeLab("wired")
      let farm = try await Peer.farm(lab, "--count 50 --hosts 10 --no-announce")
      let avahi = try await AvahiHost(in: lab.own, name: "here")
      try await avahi.publish("'My Web' _http._tcp 8080 own=1")
      let others = (0..<50).map { "Farm Service \($0)" }
      let follower = try lab.browsing("_http._tcp")
      let all = (others + ["My Web"]).sorted()
      let isComplete = try await follower.child.wait(timeout: 15) { _ in
        BrowsedList(follower.records).instances == all
      }
      #expect(isComplete, "\(BrowsedList(follower.records).instances)")
      // The daemon still answers, keeps its name and hears all.
      let theirs = try await avahi.run("avahi-browse -rpt _http._tcp | grep '^=.*;IPv4;' | wc -l")
      #expect(theirs.hasPrefix("51\n"), "\(theirs)")
      let own = try #require(
        BrowsedList(follower.records).services.values.first {
          $0["instance"]?.text == "My Web"
        })
      #expect(own["own"]?.bool == true && own["port"]?.integer == 8080)
      let hidden = try await lab.browse(["--json", "--once", "--ignore-own", "_http._tcp"])
      #expect(BrowsedList(try hidden.objects()).instances == others.sorted())
      #expect(BrowsedList(follower.records).faults == [])
      #expect(!avahi.log.contains("conflict") && !avahi.log.contains("retrying"), "\(avahi.log)")
      _ = try await follower.end()
      withExtendedLifetime((lab, farm)) {}
    }
  }
}
