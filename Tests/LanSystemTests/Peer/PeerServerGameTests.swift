import LanCore
import LanWire
import Testing

@testable import LanSystem

@Suite("A server that plays taps", .serialized) struct PeerServerGameTests {
  private static func start(_ dialect: TapDialect = .witap2) throws -> PeerServerRun {
    var configuration = PeerServer.Configuration()
    configuration.mode = .tap(dialect)
    return try PeerServerRun(configuration)
  }

  /// The taps told: received as `+1` for down and `-1` for up, sent ones with a `>` in front.
  private static func taps(_ run: PeerServerRun) -> [String] {
    run.events.compactMap {
      guard case .tap(let tap, let isSent, _) = $0 else { return nil }
      return (isSent ? ">" : "") + (tap.isDown ? "+" : "-") + "\(tap.tile + 1)"
    }
  }

  private static func begins(_ run: PeerServerRun) -> Int {
    run.events.count { if case .gameBegan = $0 { true } else { false } }
  }

  private static func ends(_ run: PeerServerRun) -> Int {
    run.events.count { if case .gameEnded = $0 { true } else { false } }
  }

  @Test("WiTap 2: letters are taps, noise is nothing") func witap2() throws {
    let run = try Self.start()
    let client = try PeerClient(port: run.port)
    client.send([0x41, 0x61, 0xFF, 0xFB, 0x1F, 0x0D, 0x0A, 0x00, 0x80, 0x49, 0x69])
    #expect(run.wait { _ in Self.taps(run).count >= 4 })
    #expect(Self.taps(run) == ["+1", "-1", "+9", "-9"])
  }

  @Test("WiTap 1: numbers are taps") func witap1() throws {
    let run = try Self.start(.witap1)
    let client = try PeerClient(port: run.port)
    client.send([0x81, 0x01, 0x41, 0x89])
    #expect(run.wait { _ in Self.taps(run).count >= 3 })
    #expect(Self.taps(run) == ["+1", "-1", "+9"])
    #expect(run.send(TapByte(tile: 4, isDown: true)))
    #expect(client.receive(1) == [0x85])
  }

  @Test("own taps go down and up by turns") func turns() throws {
    let run = try Self.start()
    #expect(!run.send(TapByte(tile: 0, isDown: true)), "nobody plays")
    let client = try PeerClient(port: run.port)
    #expect(run.wait { _ in Self.begins(run) == 1 })
    #expect(!run.send(TapByte(tile: 0, isDown: false)), "it is up already")
    #expect(run.send(TapByte(tile: 0, isDown: true)))
    #expect(!run.send(TapByte(tile: 0, isDown: true)), "it is down already")
    #expect(run.send(TapByte(tile: 8, isDown: true)))
    #expect(run.send(TapByte(tile: 0, isDown: false)))
    #expect(client.receive(3) == [0x41, 0x49, 0x61])
    #expect(Self.taps(run) == [">+1", ">+9", ">-1"])
  }

  @Test("a second player gets the connection and its end; the game goes on")
  func second() throws {
    let run = try Self.start()
    let first = try PeerClient(port: run.port)
    #expect(run.wait { _ in Self.begins(run) == 1 })
    let second = try PeerClient(port: run.port)
    second.send([0x41])
    #expect(second.next() == [])
    first.send([0x42])
    #expect(run.wait { _ in Self.taps(run) == ["+2"] })
    #expect(run.endings == [.busy] && Self.begins(run) == 1 && Self.ends(run) == 0)
  }

  @Test("a game that ends makes room for the next one, in which nothing is pressed")
  func next() throws {
    let run = try Self.start()
    let first = try PeerClient(port: run.port)
    #expect(run.wait { _ in Self.begins(run) == 1 })
    #expect(run.send(TapByte(tile: 3, isDown: true)))
    first.reset()
    #expect(run.wait { _ in Self.ends(run) == 1 })
    let second = try PeerClient(port: run.port)
    #expect(run.wait { _ in Self.begins(run) == 2 })
    #expect(run.send(TapByte(tile: 3, isDown: true)), "it was let go between the games")
    #expect(second.receive(1) == [0x44])
  }

  @Test("the end of a connection is told before the end of the game") func order() throws {
    let run = try Self.start()
    try PeerClient(port: run.port).close()
    #expect(run.wait { _ in Self.ends(run) == 1 })
    let words = run.events.dropFirst().map { event in
      switch event {
      case .connection: "connection"
      case .gameBegan: "began"
      case .closed: "closed"
      case .gameEnded: "ended"
      default: "other"
      }
    }
    #expect(words == ["connection", "began", "closed", "ended"])
  }
}
