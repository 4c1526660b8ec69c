import Foundation
import LanCore
import LanWire
import TestKit
import Testing

@testable import LanSystem

@Suite(.serialized, .enabled(if: Lab.isPossible, "\(Lab.skipped)"))
struct ReachabilityProbeTests {
  /// What a probe of the target finds, as `connectivity detail`, from inside a lab.
  private static func probe(
    _ lab: Lab, _ target: String, _ probe: ReachabilityProbe,
    timeout: Duration = .seconds(1), seconds: Double = 10,
    change: (inout ReachabilityOptions) -> Void = { _ in }
  ) throws -> String {
    var configuration = try ReachabilityMonitor.Configuration([target])
    configuration.probe = probe
    configuration.probeTimeout = timeout
    change(&configuration.targets[0].options)
    let run = try MonitorRun(configuration)
    run.run(seconds: seconds) { !run.probes.isEmpty }
    guard let report = run.probes.first else { return "no report" }
    switch report.outcome {
    case .connectivity(let connectivity): return "\(connectivity) \(report.detail)"
    case .failure(let failure): return "failure \(failure)"
    }
  }

  private static func serve(_ lab: Lab) throws {
    let script = Repository.top.appending(path: "Tests/Lab/http_answers.py").path
    Lab.shell("ip netns exec \(lab.far) python3 \(script) 8080 >/dev/null 2>&1 &")
    let isUp = Lab.shell(
      """
      for i in $(seq 200); do
        ip netns exec \(lab.far) ss -ltn | grep -q ':8080 ' && exit 0; sleep 0.05
      done; exit 1
      """)
    try #require(isUp)
  }

  @Test("a web server's answers tell none, portal, limited and full apart")
  func http() throws {
    let lab = try Lab()
    try Self.serve(lab)
    nonisolated(unsafe) let shared = lab
    try lab.inside {
      let cases: [(String, String)] = [
        ("/204", "full status 204"), ("/204#204", "full status 204"),
        ("/good#success", "full status 200"), ("/chunked#success", "full status 200"),
        ("/page#success", "portal another body than expected"),
        ("/page#204", "portal status 200"), ("/page", "full status 200"),
        ("/moved", "portal status 302 to http://portal.example/?[1m"),
        ("/511", "portal status 511"), ("/500", "limited status 500"),
        ("/missing", "limited status 404"), ("/junk", "limited no HTTP answer"),
        ("/broken", "limited the answer broke off"), ("/hang", "limited no answer"),
      ]
      for (path, expected) in cases {
        let probe = try HTTPProbe(parsing: "http://10.77.0.2:8080\(path)")
        #expect(try Self.probe(shared, "10.77.0.2", .http(probe)) == expected, "\(path)")
      }
      let closed = try HTTPProbe(parsing: "http://10.77.0.2:8081/")
      #expect(try Self.probe(shared, "10.77.0.2", .http(closed)) == "limited refused")
      let silent = try HTTPProbe(parsing: "http://10.77.0.9/")
      #expect(
        try Self.probe(shared, "10.77.0.2", .http(silent)).hasPrefix("none"))
      let nobody = try HTTPProbe(parsing: "http://198.51.100.1/")
      #expect(
        try Self.probe(shared, "10.77.0.2", .http(nobody)) == "none network is unreachable")
    }
  }

  @Test("a port that accepts, one that refuses and a host that is silent are told apart")
  func tcp() throws {
    let lab = try Lab()
    try Self.serve(lab)
    nonisolated(unsafe) let shared = lab
    try lab.inside {
      #expect(try Self.probe(shared, "10.77.0.2", .tcp(port: 8080)) == "full connected")
      #expect(try Self.probe(shared, "10.77.0.2", .tcp(port: 8081)) == "limited refused")
      #expect(try Self.probe(shared, "10.77.0.9", .tcp(port: 80)).hasPrefix("none"))
      let bound = try Self.probe(shared, "10.77.0.2", .tcp(port: 8080)) {
        $0.interface = "v0"
        $0.mark = 9
        $0.local = IPAddress(parsing: "10.77.0.1")
      }
      #expect(bound == "full connected")
    }
  }

  @Test("echo requests and neighbours tell who answers, in both families")
  func echo() throws {
    let lab = try Lab()
    // The kernel gives a silent neighbour three tries.
    Lab.shell("ip netns exec \(lab.near) sysctl -qw net.ipv4.neigh.v0.retrans_time_ms=200")
    nonisolated(unsafe) let shared = lab
    try lab.inside { () throws -> Void in
      #expect(try Self.probe(shared, "10.77.0.2", .icmp) == "full reply")
      #expect(try Self.probe(shared, "127.0.0.1", .icmp) == "full reply")
      #expect(try Self.probe(shared, "::1", .icmp) == "full reply")
      #expect(try Self.probe(shared, "10.77.0.9", .icmp, timeout: .seconds(4)).hasPrefix("none"))
      #expect(try Self.probe(shared, "10.77.0.2", .neighbour).hasPrefix("full"))
      #expect(
        try Self.probe(shared, "10.77.0.8", .neighbour, timeout: .seconds(5)) == "none failed")
      #expect(try Self.probe(shared, "127.0.0.1", .neighbour) == "full this host itself")
      // What cannot be reached gets no probe.
      #expect(try Self.probe(shared, "198.51.100.1", .tcp(port: 1), seconds: 0.5) == "no report")
    }
  }

  @Test("probes of the one-shot form end before it returns")
  func once() throws {
    let lab = try Lab()
    try lab.inside {
      var configuration = try ReachabilityMonitor.Configuration(["10.77.0.2", "198.51.100.1"])
      configuration.probe = .icmp
      let snapshot = try ReachabilityMonitor.evaluateOnce(configuration)
      #expect(snapshot.verifications.map(\.isVerified) == [true])
      #expect(snapshot.verifications.map(\.target) == [0])
    }
  }
}

@Suite
struct HTTPProbeTests {
  @Test("what is typed becomes host, port, path and expectation, or says what is wrong")
  func parsing() throws {
    let plain = try HTTPProbe(parsing: "http://check.example")
    #expect(plain.host == "check.example" && plain.port == 80 && plain.path == "/")
    #expect(plain.expectation == .success)
    let full = try HTTPProbe(parsing: "HTTP://[2001:db8::1]:8080/a?b=c#204")
    #expect(full.host == "2001:db8::1" && full.port == 8080 && full.path == "/a?b=c")
    #expect(full.expectation == .status(204))
    #expect(try HTTPProbe(parsing: "http://a/#hello world").expectation == .body("hello world"))
    let wrong: [(String, HTTPProbe.ParseError)] = [
      ("https://a/", .notHTTP("https://a/")), ("http://", .noHost("http://")),
      ("http://a:0/", .badPort("http://a:0/")), ("http://a:x/", .badPort("http://a:x/")),
      ("http://u@a/", .noHost("http://u@a/")), ("http://[::1", .noHost("http://[::1")),
      ("http://a/\r\nHost: b", .badPath("http://a/\r\nHost: b")),
    ]
    for (text, error) in wrong {
      #expect(throws: error) { _ = try HTTPProbe(parsing: text) }
    }
  }
}
