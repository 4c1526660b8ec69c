import Foundation
import TestKit
import Testing

@Suite("watch --verify", .enabled(if: Lab.isPossible, Lab.missing))
struct WatchVerifyTests {
  /// A server on the peer's side that answers each connection with `answer`.
  private func server(_ lab: Lab, _ answer: String, port: Int = 8_080) async throws -> Child {
    let program = """
      import socket, sys
      s = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
      s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      s.bind(("192.0.2.20", int(sys.argv[1]))); s.listen()
      print("ready", flush=True)
      while True:
          c, _ = s.accept(); c.recv(4096)
          c.sendall(sys.argv[2].encode().decode("unicode_escape").encode()); c.close()
      """
    let child = try Child(
      ["ip", "netns", "exec", lab.peer, "python3", "-c", program, "\(port)", answer])
    #expect(try await child.wait(timeout: 10) { $0.outputSoFar.contains("ready") })
    return child
  }

  @Test("without an answer there is a route and no more; with one it is verified")
  func tcp() async throws {
    let lab = try await Lab()
    try await lab.settle()
    let closed = try await lab.once("192.0.2.20", "--verify", "tcp:8080")
    #expect(closed.verdict["status"]?.text == "reachableViaWiFi")
    #expect(closed.verdict["verified"]?.bool == false && closed.status == 1)
    #expect(closed.verdict["verification"]?["connectivity"]?.text == "limited")
    let child = try await server(lab, "")
    defer { child.signal(SIGKILL) }
    let open = try await lab.once("192.0.2.20", "--verify", "tcp:8080")
    #expect(open.verdict["verified"]?.bool == true && open.status == 0)
    let text = try await lab.watch(["--once", "192.0.2.20", "--verify", "tcp:8080"])
    #expect(text.output.contains("; verified: tcp:8080 192.0.2.20"))
  }

  @Test("the first hop and the target answer; a silent one does not") func hops() async throws {
    let lab = try await Lab()
    try await lab.settle()
    for probe in ["neighbour", "icmp"] {
      let run = try await lab.once("192.0.2.20", "--verify", probe)
      #expect(run.verdict["verified"]?.bool == true && run.status == 0, "\(probe)")
    }
    let silent = try await lab.once("192.0.2.77", "--verify", "neighbour")
    #expect(silent.verdict["verified"]?.bool == false && silent.status == 1)
  }

  @Test("a portal is told apart from the network behind it") func portal() async throws {
    let lab = try await Lab()
    try await lab.settle()
    let child = try await server(
      lab, #"HTTP/1.1 302 Found\r\nLocation: http://portal.example/\r\nContent-Length: 0\r\n\r\n"#)
    defer { child.signal(SIGKILL) }
    let run = try await lab.watch([
      "--once", "--json", "192.0.2.20", "--verify", "http://192.0.2.20:8080/check",
    ])
    let snapshot = try #require(try run.objects().first)
    #expect(snapshot["verification"]?["connectivity"]?.text == "portal" && run.status == 1)
    try await expectSchema(run.stdout)
  }

  @Test("--wait with a probe waits until the target answers") func waiting() async throws {
    let lab = try await Lab()
    try await lab.settle()
    let child = try lab.start([
      "watch", "--wait", "--timeout=20s", "--json", "192.0.2.20", "--verify", "tcp:8080",
    ])
    #expect(try await child.wait(timeout: 10) { $0.outputSoFar.contains("\"verified\":false") })
    #expect(child.isRunning)
    let server = try await server(lab, "")
    defer { server.signal(SIGKILL) }
    let run = try await child.finish(timeout: 15)
    #expect(run.status == 0)
    #expect(try run.objects().events("verification").last?["verified"]?.bool == true)
  }

  @Test("a run that follows tells what the probe found as a line of its own")
  func following() async throws {
    let lab = try await Lab()
    try await lab.settle()
    let watching = try await Watching(lab, "192.0.2.20", "--verify", "icmp")
    let found = try await watching.event("verification") { _ in true }
    #expect(found["verified"]?.bool == true && found["target"]?.text == "192.0.2.20")
    #expect(try await watching.end().status == 0)
  }
}

@Suite("watch --record and --replay", .enabled(if: Lab.isPossible, Lab.missing))
struct WatchReplayTests {
  @Test("a recording gives the same verdicts again, anywhere and without privileges")
  func replay() async throws {
    let lab = try await Lab()
    try await lab.ip("route add default via 192.0.2.20")
    try await lab.settle()
    let folder = try TemporaryFolder()
    let file = folder.path("case.pcapng")
    let watching = try await Watching(lab, "--record", file)
    try await lab.peerIP("link set v1 down")
    try await watching.settled("notReachable")
    try await lab.ip("link set v0 down")
    try await watching.event("change") { $0["reason"]?.text == "no-route" }
    let (live, _) = try await watching.end()
    let run = try await runLantool(["watch", "--replay", file, "--json"])
    let again = try run.objects()
    func verdicts(_ events: [JSON]) -> [[String]] {
      events.filter { $0["status"] != nil }.map { event in
        ["event", "status", "reason", "interface", "gateway", "cause"].map {
          event[$0]?.text ?? ""
        }
      }
    }
    #expect(verdicts(again) == verdicts(live))
    #expect(run.status == 1)
    try await expectSchema(run.stdout)
    let waited = try await runLantool(["watch", "--replay", file, "--wait=not reachable", "-q"])
    #expect(waited.status == 0)
    let never = try await runLantool(["watch", "--replay", file, "--wait=wwan", "-q"])
    #expect(never.status == 1)
  }
}
