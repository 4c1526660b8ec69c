import Foundation
import TestKit
import Testing

extension BrowseInNamespaces {
  /// Where there is nothing to ask on, and what is heard without a question.
  @Suite("interfaces and unasked types") struct BrowseInterfaceTests {
    @Test("without an interface that has multicast it ends with 2 and says why, following too")
    func nothingToAskOn() async throws {
      let lab = try await RecipeLab("ip link set lo up")
      for options in [[], ["--once"], ["--expect", "X"], ["--zone"], ["--duration", "5s"]] {
        let run = try await lab.browse(options + ["_http._tcp"])
        #expect(run.status == 2 && run.output == "", "\(options)")
        #expect(run.errors.contains("lo has no multicast"), "\(run.errors)")
        #expect(run.errors.hasPrefix("lantool browse: ") && run.errors.contains("-i"))
      }
    }

    @Test("a named interface that is down is waited for by a run that follows, and by no other")
    func waiting() async throws {
      let lab = try await RecipeLab("wired; ip link set v0 down")
      let once = try await lab.browse(["--once", "-i", "v0", "_http._tcp"])
      #expect(once.status == 2 && once.errors.contains("v0 is down"), "\(once.errors)")
      let follower = try lab.browsing("-i", "v0", "_http._tcp")
      let says = try await follower.child.wait(timeout: 10) {
        $0.errorsSoFar.contains("v0 is down; waiting for it")
      }
      #expect(says, "\(follower.child.errorsSoFar)")
      let farm = try await Peer.farm(lab, "--count 1 --hosts 1 --no-announce")
      try await lab.sh("ip link set v0 up")
      try await follower.await("the service") { $0.event == "added" }
      #expect(try await follower.end().status == 0)
      withExtendedLifetime(farm) {}
    }

    @Test("without a TYPE, a type that only an instance shows is browsed, until it goes")
    func heard() async throws {
      let lab = try await RecipeLab("wired")
      let speaker = try await Peer.speaker(lab)
      let follower = try await lab.listening()
      let types = try await lab.listening("--only-types")
      let instance = "_x-heard._tcp.local"
      try await speaker.speak(Self.message(instance, ttl: 120))
      let added = try await follower.await("the instance") { $0.event == "added" }
      #expect(added["serviceName"]?.text == "Deck.\(instance)")
      try await types.await("the type") { $0["type"]?.text == "_x-heard._tcp" }
      try await speaker.speak(Self.message(instance, ttl: 0))
      try await follower.await("its end") { $0["cause"]?.text == "goodbye" }
      try await types.await("the type's end") { $0["action"]?.text == "removed" }
      _ = try await (follower.end(), types.end())
    }

    @Test("the time of a summary is that of the end") func endTime() async throws {
      let lab = try await RecipeLab("wired")
      let follower = try lab.browsing("_http._tcp")
      try await follower.await("the first list") { $0.event == "settled" }
      try await Task.sleep(for: .milliseconds(1_200))
      let records = try await follower.end().objects()
      let times = records.compactMap { $0["time"]?.text }
      #expect(times.count == 2 && times[0].prefix(19) < times[1].prefix(19), "\(times)")
    }

    /// A response with a PTR record of a type to `Deck`, in hexadecimal digits.
    private static func message(_ type: String, ttl: UInt8) -> String {
      func labels(_ name: String) -> [UInt8] {
        name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + $0.utf8 } + [0]
      }
      let data = labels("Deck.\(type)")
      let bytes =
        [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0] + labels(type)
        + [0, 12, 0, 1, 0, 0, 0, ttl, 0, UInt8(data.count)] + data
      return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
  }
}
