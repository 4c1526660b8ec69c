import Foundation
import TestKit
import Testing

extension ServeAndPeersInNamespaces {
  /// Beside other responders on the same machine.
  @Suite("neighbours") struct ServeCoexistenceTests {
    /// Whether avahi has given up a name.
    private func hasFought(_ avahi: AvahiHost) -> Bool {
      avahi.log.lowercased().contains("conflict") || avahi.log.contains("withdrawing")
    }

    @Test("beside avahi the service points to avahi's host, and to our own once avahi has gone")
    func avahiFirst() async throws {
      let lab = try await RecipeLab("wired")
      let avahi = try await AvahiHost(in: lab.own, name: "here")
      try await avahi.publish("'My Web' _http._tcp 8080 own=1")
      let browser = try lab.browsingBeyond()
      let follower = try await lab.serving()
      let published = try #require(follower.records.last { $0.event == "published" })
      #expect(published["host"]?.text == "here.local")
      let added = try await browser.await("the service") { $0.event == "added" }
      #expect(added["host"]?.text == "here.local" && added["port"]?.integer == 4_242)
      #expect(added["addresses"]?.list.contains(.text("192.0.2.10")) == true)
      // Both answer for what is theirs.
      let there = try await lab.trial(
        "ask", "000000000001000000000000075f776974617032045f746370056c6f63616c00000c0001")
      #expect(there["answers"]?.list.isEmpty == false)
      let names = try await avahi.run("avahi-resolve -4n here.local; avahi-resolve -a 192.0.2.10")
      #expect(names.contains("192.0.2.10\there.local"), "\(names)")
      try await Task.sleep(for: .seconds(1))
      #expect(!hasFought(avahi), "\(avahi.log)")
      let before = follower.records.count
      try await avahi.run("kill -TERM $daemon; wait $daemon")
      let again = try await follower.await("own host", after: before) { $0.event == "published" }
      #expect(again["host"]?.text != "here.local" && again["instance"]?.text == "Deck")
      let moved = try await browser.await("the new host") {
        $0.event == "updated" && $0["host"] == again["host"]
          && $0["addresses"]?.list.contains(.text("192.0.2.10")) == true
      }
      #expect(moved["port"]?.integer == 4_242)
      #expect(browser.events.filter { $0 == "removed" }.isEmpty)
      #expect(follower.child.errorsSoFar == "")
    }

    @Test("avahi that starts later keeps the name of the host, and the service is found all along")
    func avahiLater() async throws {
      let lab = try await RecipeLab("wired")
      let browser = try lab.browsingBeyond()
      let follower = try await lab.serving()
      let first = try #require(follower.records.last { $0.event == "published" }?["host"]?.text)
      let name = String(first.prefix { $0 != "." })
      let avahi = try await AvahiHost(in: lab.own, name: name)
      try await Task.sleep(for: .seconds(3))
      #expect(!hasFought(avahi), "\(avahi.log)")
      let resolved = try await avahi.run("avahi-resolve -4n \(first); avahi-resolve -a 192.0.2.10")
      #expect(resolved.contains("192.0.2.10\t\(first)"), "\(resolved)")
      #expect(follower.events.allSatisfy { $0 == "published" })
      let last = try #require(BrowsedList(browser.records).services.values.first)
      #expect(last["host"]?.text == first)
      #expect(last["addresses"]?.list.contains(.text("192.0.2.10")) == true)
      #expect(browser.events.filter { $0 == "removed" }.isEmpty)
    }

    @Test("--host is published beside avahi under that name, and avahi keeps its own")
    func given() async throws {
      let lab = try await RecipeLab("wired")
      let avahi = try await AvahiHost(in: lab.own, name: "here")
      let browser = try lab.browsingBeyond()
      let follower = try await lab.serving("--host", "lan")
      #expect(follower.records.last?["host"]?.text == "lan.local")
      let added = try await browser.await("the service") { $0.event == "added" }
      #expect(added["host"]?.text == "lan.local")
      #expect(added["addresses"]?.list.contains(.text("192.0.2.10")) == true)
      let names = try await avahi.run("avahi-resolve -a 192.0.2.10")
      #expect(names.contains("192.0.2.10\there.local"), "\(names)")
      try await Task.sleep(for: .seconds(1))
      #expect(!hasFought(avahi), "\(avahi.log)")
    }

    @Test("two programs of ours have one host name, which stays when one of them ends")
    func twice() async throws {
      let lab = try await RecipeLab("wired")
      let one = try await lab.serving(name: "One")
      let two = try await lab.serving(name: "Two")
      let host = try #require(one.records.first?["host"])
      #expect(two.records.first?["host"] == host)
      let browser = try lab.browsingBeyond()
      let both = try await browser.child.wait(timeout: 5) { _ in
        BrowsedList(browser.records).instances == ["One", "Two"]
      }
      #expect(both, "\(browser.records)")
      #expect(try await one.terminate().status == 0)
      try await browser.await("the end of one") {
        $0.event == "removed" && $0["instance"]?.text == "One"
      }
      // It is taken over: a goodbye counts after a second, and probing takes another (RFC 6762
      // sections 8.1 and 10.1).
      try await Task.sleep(for: .seconds(3))
      let resolved = try await runLantool(
        ["resolve", "--netns", lab.peer, "--json", host.text ?? ""])
      let addresses = try resolved.objects().events("address").compactMap { $0["address"]?.text }
      #expect(addresses.contains("192.0.2.10"), "\(resolved.errors)")
      #expect(two.events.allSatisfy { $0 == "published" } && two.child.errorsSoFar == "")
      #expect(two.records.allSatisfy { $0["host"] == host })
    }
  }
}
