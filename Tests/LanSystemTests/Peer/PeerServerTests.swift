import Glibc
import LanCore
import LanWire
import Testing

@testable import LanSystem

@Suite("A server that echoes", .serialized) struct PeerServerTests {
  private static func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  @Test("one port is taken for IPv4 and IPv6") func families() throws {
    let run = try PeerServerRun()
    for address in ["127.0.0.1", "::1"] {
      let client = try PeerClient(port: run.port, to: address)
      client.send([1, 2, 3])
      #expect(client.receive(3) == [1, 2, 3], "\(address)")
    }
    guard case .listening(let port, let addresses)? = run.events.first else {
      Issue.record("it does not tell that it listens")
      return
    }
    #expect(port == run.port && port > 0)
    #expect(addresses.contains { "\($0)" == "127.0.0.1:\(port)" })
  }

  @Test("-4 leaves IPv6 alone") func oneFamily() throws {
    var configuration = PeerServer.Configuration()
    configuration.families = .ipv4
    let run = try PeerServerRun(configuration)
    #expect(throws: PeerClient.Failure.self) { try PeerClient(port: run.port, to: "::1") }
    _ = try PeerClient(port: run.port)
  }

  @Test("a port that is taken is refused, and nothing is left open") func inUse() throws {
    let run = try PeerServerRun()
    var configuration = PeerServer.Configuration()
    configuration.port = run.port
    do {
      _ = try PeerServerRun(configuration)
      Issue.record("the port was taken twice")
    } catch let error as SystemError {
      #expect(error.isInUse && error.subject == "port \(run.port)")
    }
    let holder = try #require(PortHolder.ofTCP(run.port))
    #expect(holder.pid == getpid())
    run.stop()
    let next = try PeerServerRun(configuration)
    #expect(next.port == run.port)
  }

  @Test("bytes come back as they were sent, and after the caller's end the rest of them")
  func halfClose() throws {
    let run = try PeerServerRun()
    let client = try PeerClient(port: run.port)
    let bytes = Self.pattern(300_000)
    client.send(bytes)
    client.endSending()
    #expect(client.receive(bytes.count + 1) == bytes)
    #expect(client.next() == [])
    #expect(run.waitForEndings(1))
    guard case .closed(_, bytes.count, bytes.count, .endOfStream)? = run.events.last else {
      Issue.record("\(String(describing: run.events.last))")
      return
    }
  }

  @Test("a caller that does not read comes to a halt, and gets every byte once it reads")
  func slowReader() throws {
    let run = try PeerServerRun()
    let client = try PeerClient(port: run.port)
    var sent = 0
    // Buffers of the kernel grow for a while; then nothing fits any more.
    for _ in 0..<40 {
      sent += client.sendAll(upTo: 1 << 26)
      usleep(10_000)
    }
    #expect(sent > 0 && sent < 64 << 20, "\(sent)")
    // Others are served meanwhile.
    let other = try PeerClient(port: run.port)
    other.send([9])
    #expect(other.receive(1) == [9])
    client.endSending()
    var received = 0
    while let more = client.next(), !more.isEmpty { received += more.count }
    #expect(received == sent)
    #expect(run.waitForEndings(1) && run.endings == [.endOfStream])
  }

  @Test("a caller that never reads is let go after the limit") func stall() throws {
    var configuration = PeerServer.Configuration()
    configuration.stallLimit = .milliseconds(100)
    let run = try PeerServerRun(configuration)
    let client = try PeerClient(port: run.port)
    for _ in 0..<2_000 where run.endings.isEmpty {
      _ = client.sendAll(upTo: 1 << 22)
      usleep(2_000)
    }
    #expect(run.endings == [.stalled])
  }

  @Test("a silent connection is let go after the limit, a talking one is not") func idle() throws {
    var configuration = PeerServer.Configuration()
    configuration.idleLimit = .seconds(1)
    let run = try PeerServerRun(configuration)
    let silent = try PeerClient(port: run.port)
    let talking = try PeerClient(port: run.port)
    while run.endings.isEmpty {
      talking.send([1])
      guard talking.receive(1) == [1] else { break }
      usleep(5_000)
    }
    #expect(run.endings == [.idle])
    #expect(silent.next() == [])
    talking.send([2])
    #expect(talking.receive(1) == [2])
  }

  @Test("at the limit of bytes what is allowed still comes back") func byteLimit() throws {
    var configuration = PeerServer.Configuration()
    configuration.byteLimit = 1_000
    let run = try PeerServerRun(configuration)
    let client = try PeerClient(port: run.port)
    let bytes = Self.pattern(1_500)
    client.send(bytes)
    #expect(client.receive(1_000) == Array(bytes[..<1_000]))
    #expect(run.waitForEndings(1) && run.endings == [.byteLimit])
  }

  @Test("connections beyond the limit get their end at once; then there is room again")
  func connectionLimit() throws {
    var configuration = PeerServer.Configuration()
    configuration.connectionLimit = 2
    let run = try PeerServerRun(configuration)
    let first = try PeerClient(port: run.port)
    let second = try PeerClient(port: run.port)
    let third = try PeerClient(port: run.port)
    #expect(third.next() == [])
    first.close()
    #expect(run.waitForEndings(2) && Set(run.endings) == [.busy, .endOfStream])
    let fourth = try PeerClient(port: run.port)
    for client in [second, fourth] {
      client.send([7])
      #expect(client.receive(1) == [7])
    }
  }

  @Test("one address has no more than its share") func perPeerLimit() throws {
    var configuration = PeerServer.Configuration()
    configuration.perPeerLimit = 1
    let run = try PeerServerRun(configuration)
    let first = try PeerClient(port: run.port)
    let second = try PeerClient(port: run.port)
    #expect(second.next() == [])
    let other = try PeerClient(port: run.port, from: "127.0.0.2")
    for client in [first, other] {
      client.send([5])
      #expect(client.receive(1) == [5])
    }
  }

  @Test("clients that send without reading and reset do no harm (SE-11)") func resets() throws {
    let run = try PeerServerRun()
    for _ in 0..<20 {
      let client = try PeerClient(port: run.port)
      _ = client.sendAll(upTo: 1 << 24)
      client.reset()
    }
    #expect(run.waitForEndings(20))
    for reason in run.endings {
      guard case .system(let error) = reason, error.isReset else {
        Issue.record("\(reason)")
        continue
      }
    }
    let client = try PeerClient(port: run.port)
    client.send([1])
    #expect(client.receive(1) == [1])
  }

  @Test("discard takes everything and gives nothing") func discard() throws {
    var configuration = PeerServer.Configuration()
    configuration.mode = .discard
    let run = try PeerServerRun(configuration)
    let client = try PeerClient(port: run.port)
    client.send(Self.pattern(200_000))
    client.endSending()
    #expect(client.next() == [])
    #expect(run.waitForEndings(1))
    guard case .closed(_, 200_000, 0, .endOfStream)? = run.events.last else {
      Issue.record("\(String(describing: run.events.last))")
      return
    }
  }

  @Test("urgent bytes are bytes like others") func urgent() throws {
    let run = try PeerServerRun()
    let client = try PeerClient(port: run.port)
    client.send([1, 2])
    client.sendUrgent(3)
    client.send([4, 5])
    #expect(client.receive(5) == [1, 2, 3, 4, 5])
  }

  @Test("the end of the server is the end of its connections") func stop() throws {
    let run = try PeerServerRun()
    let client = try PeerClient(port: run.port)
    client.send([1])
    #expect(client.receive(1) == [1])
    run.stop()
    #expect(client.next() == [] && run.endings == [.stopped])
    #expect(throws: PeerClient.Failure.self) { try PeerClient(port: run.port) }
  }
}
