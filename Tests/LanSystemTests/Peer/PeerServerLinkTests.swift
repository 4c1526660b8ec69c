import LanCore
import LanWire
import Testing

@testable import LanSystem

@Suite("Whom a server serves", .serialized, .enabled(if: Lab.isPossible, "\(Lab.skipped)"))
struct PeerServerLinkTests {
  /// True where `client` gets its byte back.
  private static func isServed(
    _ port: UInt16, to address: String, from source: String? = nil
  ) -> Bool {
    guard let client = try? PeerClient(port: port, to: address, from: source) else { return false }
    client.send([1])
    return client.receive(1) == [1]
  }

  /// Runs `body` in the namespace `name`.
  private static func inside(_ name: String, _ body: @escaping @Sendable () -> Void) throws {
    let thread = try WorkerThread {
      guard (try? NetworkNamespace.enter(name)) != nil else { return }
      body()
    }
    thread.join()
  }

  @Test("a peer behind a router is reset, unless anyone is allowed; addresses that come are seen")
  func offLink() throws {
    let lab = try Lab()
    Lab.shell(
      """
      ip -n \(lab.far) addr add 10.99.0.2/32 dev lo
      ip -n \(lab.near) route add 10.99.0.0/24 via 10.77.0.2
      """)
    var configuration = PeerServer.Configuration()
    let strict = try PeerServerRun(configuration, in: lab.near)
    configuration.allowsAnyone = true
    let open = try PeerServerRun(configuration, in: lab.near)
    let (strictPort, openPort, near) = (strict.port, open.port, lab.near)
    try Self.inside(lab.far) {
      #expect(Self.isServed(strictPort, to: "10.77.0.1"))
      #expect(!Self.isServed(strictPort, to: "10.77.0.1", from: "10.99.0.2"))
      #expect(Self.isServed(openPort, to: "10.77.0.1", from: "10.99.0.2"))
      // What is known of own addresses is not older than a fifth of a second for a refusal.
      Lab.shell("ip -n \(near) addr add 10.99.0.1/24 dev v0; sleep 0.3")
      #expect(Self.isServed(strictPort, to: "10.77.0.1", from: "10.99.0.2"))
    }
    #expect(strict.wait { _ in strict.endings.count >= 3 })
    #expect(strict.endings.count { $0 == .offLink } == 1)
  }

  @Test("-i: only connections to addresses of that interface, from its links")
  func interfaces() throws {
    let lab = try Lab(cables: 2)
    var configuration = PeerServer.Configuration()
    configuration.interfaces = ["v0"]
    let run = try PeerServerRun(configuration, in: lab.near)
    let port = run.port
    try Self.inside(lab.far) {
      #expect(Self.isServed(port, to: "10.77.0.1"))
      #expect(!Self.isServed(port, to: "10.77.1.1"))
    }
  }
}
