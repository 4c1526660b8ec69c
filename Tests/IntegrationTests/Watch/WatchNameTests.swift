import Foundation
import TestKit
import Testing

extension WatchInNamespaces {
  /// Names that the system's resolver does not know.
  @Suite("names of the link") struct WatchNameTests {
    @Test("a name in .local is found by multicast DNS, and status 2 where nobody has it")
    func multicast() async throws {
      let lab = try await RecipeLab("wired")
      let peer = Follower(
        try Child([
          lantoolPath, "serve", "--netns", lab.peer, "--json", "--publish-only", "--port", "4242",
          "--host", "tv",
        ]), in: lab)
      try await peer.await("publication") { $0.event == "published" }
      let verdict = try #require(try await lab.once(["tv.local"]).first)
      #expect(verdict["status"]?.text == "reachableViaWiFi")
      #expect(verdict["target"]?.text == "tv.local" && verdict["interface"]?.text == "v0")
      let nobody = try await lab.watch(["--once", "nobody.local"])
      #expect(nobody.status == 2)
      #expect(nobody.errors.contains("cannot resolve 'nobody.local'"))
      _ = try await peer.end()
    }
  }
}
