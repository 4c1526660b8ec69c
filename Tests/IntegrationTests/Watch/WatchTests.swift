import Foundation
import TestKit
import Testing

@Suite("watch in a network namespace", .enabled(if: Lab.isPossible, Lab.missing))
struct WatchTests {
  /// A lab whose default path goes by the peer.
  private func routedLab() async throws -> Lab {
    let lab = try await Lab()
    try await lab.ip("route add default via 192.0.2.20")
    try await lab.settle()
    return lab
  }

  @Test("the present state comes first, then each change with its cause, then the summary")
  func changes() async throws {
    let lab = try await routedLab()
    let watching = try await Watching(lab)
    let snapshot = try #require(watching.events.first)
    #expect(snapshot["status"]?.text == "reachableViaWiFi" && snapshot["statusCode"]?.integer == 2)
    #expect(snapshot["interface"]?.text == "v0" && snapshot["gateway"]?.text == "192.0.2.20")
    #expect(snapshot["source"]?.text == "192.0.2.10" && snapshot["medium"]?.text == "ethernet")
    #expect(snapshot["flags"] == .list([.text("reachable")]))
    #expect(snapshot["families"]?["ipv6"]?["reason"]?.text == "no-route")
    #expect(snapshot["interfaces"]?.list.first?["interface"]?.text == "v0")
    try await lab.peerIP("link set v1 down")
    try await watching.settled("notReachable")
    try await lab.peerIP("link set v1 up")
    try await watching.settled("reachableViaWiFi")
    let (events, status) = try await watching.end()
    #expect(status == 0)
    let loss = try #require(events.events("change").first)
    #expect(loss["reason"]?.text == "no-carrier" && loss["cause"]?.text == "link")
    #expect(loss["causedBy"]?.text == "v0")
    #expect(loss["previous"]?["status"]?.text == "reachableViaWiFi")
    let target = try #require(events.last?["targets"]?.list.first)
    #expect(target["outageCount"]?.integer == 1 && target["changes"]?.integer == 2)
    #expect(target["outages"]?.list.first?["reason"]?.text == "no-carrier")
  }

  @Test("--once says how it is, and its exit status too") func once() async throws {
    let lab = try await routedLab()
    #expect(try await lab.once().status == 0)
    let direct = try await lab.once("192.0.2.20")
    #expect(direct.status == 0)
    #expect(direct.verdict["flags"] == .list([.text("reachable"), .text("isDirect")]))
    #expect(direct.verdict["flagsValue"]?.integer == 0x20002)
    #expect(try await lab.once("-6").status == 1)
    #expect(try await lab.once("-4").status == 0)
    #expect(try await lab.once("192.0.2.20", "2001:db8::1").status == 1)
    #expect(try await lab.once("--any", "192.0.2.20", "2001:db8::1").status == 0)
    #expect(
      try await lab.once("--local", "198.51.100.1").verdict["reason"]?.text == "source-not-local")
    try await lab.ip("route add unreachable 203.0.113.0/24")
    #expect(try await lab.once("203.0.113.1").verdict["reason"]?.text == "route-unreachable")
    let quiet = try await lab.watch(["--once", "-q", "203.0.113.1"])
    #expect(quiet.status == 1 && quiet.output == "" && quiet.errors == "")
  }

  @Test("policy rules see the mark, the user and the port that are asked about")
  func policy() async throws {
    let lab = try await routedLab()
    try await lab.ip(
      "route add blackhole default table 100", "rule add fwmark 0x10 table 100",
      "rule add uidrange 4242-4242 table 100", "rule add ipproto tcp dport 4243 table 100")
    #expect(try await lab.once("-4").status == 0)
    for option in ["--mark=0x10", "--uid=4242", "--port=4243"] {
      let (verdict, status) = try await lab.once("-4", option)
      #expect(verdict["reason"]?.text == "route-blackhole" && status == 1, "\(option)")
    }
  }

  @Test("the text promises a route and nothing more") func text() async throws {
    let lab = try await routedLab()
    let run = try await lab.watch(["--once", "--why", "198.51.100.7"])
    let lines = run.output.split(separator: "\n")
    #expect(
      lines.first?.hasSuffix(
        "198.51.100.7  reachable (ethernet)  route to 198.51.100.7 via 192.0.2.20 on v0 from "
          + "192.0.2.10  [Reachable]") == true, "\(run.output)")
    #expect(lines.contains { $0.hasPrefix("    + IPv4: route 0.0.0.0/0 in table main") })
    let letters = try await lab.watch(["--once", "--compact"])
    #expect(letters.output.hasSuffix("default  -R -------  v0\n"))
  }

  @Test("a text of the user's language, also where its locale is not installed; JSON never")
  func languages() async throws {
    let lab = try await routedLab()
    let folder = try TemporaryFolder()
    for language in ["de", "ja", "zh_TW"] {
      let target = folder.url.appending(path: "\(language)/LC_MESSAGES")
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      let source = Repository.top.appending(path: "po/\(language).po").path
      let made = try await runCommand(
        ["msgfmt", "-o", target.appending(path: "lantool.mo").path, source])
      try #require(made.status == 0, "msgfmt: \(made.errors)")
    }
    func run(_ variables: [String: String], _ arguments: String...) async throws -> String {
      let child = try Child(
        ["ip", "netns", "exec", lab.own, lantoolPath, "watch", "--once"] + arguments,
        environment: variables.merging(["TEXTDOMAINDIR": folder.url.path]) { $1 })
      return try await child.finish(timeout: 10).output
    }
    #expect(try await run(["LC_ALL": "de_DE.UTF-8"]).contains("erreichbar (Ethernet)  Route zu"))
    #expect(try await run(["LANGUAGE": "ja"]).contains("到達可能"))
    #expect(try await run(["LC_ALL": "zh_HK.UTF-8"]).contains("可連線"))
    #expect(try await run(["LC_ALL": "C"]).contains("reachable (ethernet)"))
    #expect(try await run(["LC_ALL": "xx_XX.UTF-8"]).contains("reachable (ethernet)"))
    let json = try await run(["LC_ALL": "de_DE.UTF-8"], "--json")
    #expect(json.contains("\"status\":\"reachableViaWiFi\"") && !json.contains("erreichbar"))
  }

  @Test("--events tells links, addresses and default routes, and nothing twice")
  func events() async throws {
    let lab = try await routedLab()
    let watching = try await Watching(lab, "--events")
    try await lab.ip(
      "addr add 192.0.2.11/24 dev v0", "link add br0 type bridge", "link set br0 name br1",
      "link del br1", "route replace default via 192.0.2.21", "route del default",
      "addr del 192.0.2.11/24 dev v0")
    try await watching.event("address") { $0["action"]?.text == "removed" }
    let (events, _) = try await watching.end()
    // The link-local address may end its duplicate detection meanwhile.
    let told = events.filter {
      ["link", "address", "route"].contains($0.event)
        && $0["address"]?.text?.hasPrefix("fe80") != true
    }.map {
      [$0.event, $0["action"]?.text, $0["address"]?.text ?? $0["interface"]?.text]
        .map { $0 ?? "" }.joined(separator: " ")
    }
    #expect(
      told == [
        "address added 192.0.2.11/24", "link added br0", "link renamed br1", "link removed br1",
        "route changed v0", "route removed v0", "address removed 192.0.2.11/24",
      ])
    let routes = events.events("route")
    #expect(routes.first?["previousGateway"]?.text == "192.0.2.20")
    #expect(routes.last?["gateway"]?.text == "192.0.2.21")
  }

  @Test("--wait ends once the condition has held for --for; in vain, the status is 3")
  func wait() async throws {
    let lab = try await Lab()
    try await lab.settle()
    let vain = try await lab.watch(["--wait", "--timeout", "200ms", "--json"])
    #expect(vain.status == 3)
    #expect(try vain.objects().last?.event == "summary")
    let child = try lab.start([
      "watch", "--wait=reachable and ipv4", "--for=200ms", "--timeout=10s", "--json",
    ])
    #expect(try await child.wait(timeout: 5) { $0.outputSoFar.contains("snapshot") })
    try await lab.ip("route add default via 192.0.2.20")
    let run = try await child.finish(timeout: 10)
    let events = try run.objects()
    #expect(run.status == 0 && events.events("change").count == 1)
    let held = events.last?["targets"]?.list.first?["reachableMicroseconds"]?.integer ?? 0
    #expect(held >= 200_000)
  }

  @Test("one program of --exec runs at a time, and the last state is never lost")
  func exec() async throws {
    let lab = try await routedLab()
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    let hook = try folder.write(
      Array(
        """
        #!/bin/sh
        echo "begin $LANTOOL_EVENT $LANTOOL_STATUS $1" >> "\(log)"
        while [ ! -e "\(folder.path("go"))" ]; do sleep 0.05; done
        echo "end" >> "\(log)"
        echo noise
        """.utf8), to: "hook")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
    let child = try lab.start([
      "watch", "--json", "--count", "6", "--exec", "'\(hook)' 'a b'", "--exec-initial",
    ])
    #expect(try await child.wait(timeout: 5) { $0.outputSoFar.contains("snapshot") })
    for count in 1...6 {
      try await lab.ip(
        count.isMultiple(of: 2) ? "route add default via 192.0.2.20" : "route del default")
      #expect(
        try await child.wait(timeout: 5) {
          $0.outputSoFar.components(separatedBy: "\"change\"").count == count + 1
        })
    }
    _ = try folder.write([], to: "go")
    let run = try await child.finish(timeout: 10)
    #expect(run.status == 0)
    #expect(run.errors.contains("noise") && !run.output.contains("noise"))
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    // The first one held the others up, and of those only the latest ran.
    #expect(
      lines == [
        "begin snapshot reachableViaWiFi a b", "end", "begin change reachableViaWiFi a b", "end",
      ])
  }

  @Test("a hostile name of an interface reaches the program as it is, and no shell")
  func hostileExec() async throws {
    let lab = try await routedLab()
    let folder = try TemporaryFolder()
    let hostile = "v;>pwn;$(id)`"
    try await lab.ip("link set v0 down")
    try await lab.ip("link set v0 name \(hostile)")
    try await lab.ip("link set \(hostile) up")
    try await lab.ip("route replace default via 192.0.2.20")
    let hook = try folder.write(
      Array("#!/bin/sh\nprintf '%s\\n' \"$LANTOOL_INTERFACE\" > \"$1\"\nls > \"$2\"\n".utf8),
      to: "hook")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
    let (name, list) = (folder.path("name"), folder.path("list"))
    let run = try await lab.watch([
      "--duration=500ms", "--exec", "'\(hook)' '\(name)' '\(list)'", "--exec-initial",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try String(contentsOfFile: name, encoding: .utf8) == hostile + "\n")
    #expect(try !String(contentsOfFile: list, encoding: .utf8).contains("pwn"))
  }

  @Test("a program that cannot be run is told of, and the run goes on")
  func badExec() async throws {
    let lab = try await routedLab()
    let run = try await lab.watch(
      ["--duration=100ms", "--exec=/no/such/program", "--exec-initial"])
    #expect(run.status == 0)
    #expect(run.errors.contains("cannot run '/no/such/program': no such file or directory"))
  }

  @Test("SIGTERM ends an unbounded run in order and a bounded one by the signal")
  func signals() async throws {
    let lab = try await routedLab()
    let follow = try lab.start(["watch"])
    #expect(try await follow.wait(timeout: 5) { $0.outputSoFar.contains("reachable") })
    follow.signal(SIGTERM)
    let ended = try await follow.finish(timeout: 5)
    #expect(ended.status == 0 && ended.output.contains("--- default: reachable 100.000 % of"))
    let bounded = try lab.start(["watch", "--duration", "30s"])
    #expect(try await bounded.wait(timeout: 5) { $0.outputSoFar.contains("reachable") })
    bounded.signal(SIGTERM)
    #expect(try await bounded.finish(timeout: 5).status == 128 + SIGTERM)
  }

  @Test("--settle keeps a flap back and counts it") func settling() async throws {
    let lab = try await routedLab()
    let watching = try await Watching(lab, "--settle", "2s", "--events")
    let flap = "ip route del default; sleep 0.2; ip route add default via 192.0.2.20"
    _ = try await lab.start(command: ["sh", "-c", flap]).finish(timeout: 10)
    try await watching.event("route") { $0["action"]?.text == "added" }
    try await Task.sleep(for: .milliseconds(100))
    try await lab.ip("route del default")
    try await watching.settled("notReachable")
    let (events, status) = try await watching.end()
    #expect(status == 1)
    #expect(events.events("change").count == 1)
    #expect(events.events("change").first?["suppressedChanges"]?.integer == 1)
  }

  @Test("several targets, from standard input too, have one line each") func input() async throws {
    let lab = try await routedLab()
    let lines = """
      192.0.2.20
      {"schema":"lantool.browse/1","event":"added","host":"x.local","addresses":["192.0.2.21"]}
      """
    let child = try Child(
      ["ip", "netns", "exec", lab.own, lantoolPath, "watch", "--once", "--json", "-", "default"],
      stdin: Data(lines.utf8))
    let run = try await child.finish(timeout: 10)
    #expect(
      Set(try run.objects().events("snapshot").compactMap { $0["target"]?.text })
        == ["192.0.2.20", "192.0.2.21", "default"])
    #expect(run.status == 0)
  }

  @Test("bad input has a clear message and the right status") func badInput() async throws {
    let lab = try await routedLab()
    let expected: [([String], Int32, String)] = [
      (["-i", "nope"], 2, "no interface 'nope'; there are lo, v0"),
      (["fe80::1%nope", "--once"], 2, "no interface 'nope'"),
      (["fe80::1"], 64, "say 'fe80::1%eth0'"), (["--wait=maybe"], 64, "unknown word 'maybe'"),
      (["--settle=fast"], 64, "expected a time"),
      (["--once", "no-such-name.invalid"], 2, "cannot resolve 'no-such-name.invalid'"),
      (["--netns", "no-such-namespace"], 2, "no network namespace"),
      (["--replay", "/no/such/file"], 2, "/no/such/file"),
    ]
    for (arguments, status, words) in expected {
      let run = try await lab.watch(arguments, timeout: 15)
      #expect(run.status == status, "\(arguments): \(run.errors)")
      #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
      #expect(run.errorLines.count == 1, "\(arguments): \(run.errors)")
    }
  }

  @Test("an ordinary user may watch, but not enter a namespace") func unprivileged() async throws {
    let lab = try await routedLab()
    let folder = try TemporaryFolder()
    let program = try await folder.copyOfProgram()
    let user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    let child = try lab.start(command: user + [program, "watch", "--once", "--json", "--mark=7"])
    let run = try await child.finish(timeout: 10)
    #expect(run.status == 0 && run.errors == "")
    let refused = try await runCommand(user + [program, "watch", "--once", "--netns", lab.own])
    #expect(refused.status == 77 && refused.errors.contains("cap_sys_admin"))
  }

  @Test("on a terminal the last line shows the state, at most as wide as it") func terminal()
    async throws
  {
    let lab = try await routedLab()
    let script = """
      import os, pty, sys, fcntl, termios, struct, select, signal, time
      pid, fd = pty.fork()
      if pid == 0:
          os.environ["TERM"] = "xterm"
          fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
          os.execvp(sys.argv[1], sys.argv[1:])
      data, end = b"", time.time() + 1.5
      while time.time() < end:
          if select.select([fd], [], [], 0.1)[0]:
              data += os.read(fd, 65536)
      os.kill(pid, signal.SIGINT)
      try:
          while True:
              more = os.read(fd, 65536)
              if not more: break
              data += more
      except OSError:
          pass
      os.waitpid(pid, 0)
      sys.stdout.buffer.write(data)
      """
    let child = try lab.start(command: [
      "python3", "-c", script, lantoolPath, "watch", "--color=never",
    ])
    let run = try await child.finish(timeout: 10)
    let parts = run.output.components(separatedBy: "\r\u{1B}[?7l\u{1B}[K")
    #expect(parts.count >= 2, "\(run.output.debugDescription)")
    let line = parts.last?.prefix { $0 != "\u{1B}" } ?? ""
    #expect(line.hasPrefix("default: reachable since") && line.utf8.count == 39, "\(line)")
    #expect(parts.last?.contains("\r\u{1B}[J--- default: reachable") == true)
  }
}
