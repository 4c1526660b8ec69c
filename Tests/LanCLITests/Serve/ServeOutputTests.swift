import Foundation
import LanCore
import LanSystem
import LanWire
import TestKit
import Testing

@testable import LanCLI

private let wall: Int64 = 1_764_464_000_123_456_789

private func endpoint(_ text: String, port: UInt16 = 4_242, scope: UInt32 = 0) throws
  -> SocketEndpoint
{
  SocketEndpoint(try #require(IPAddress(parsing: text)), port: port, scope: scope)
}

private func published(_ instance: [UInt8] = Array("Deck \"1\"".utf8)) throws -> PublishedService {
  PublishedService(
    name: try ServiceInstanceName(
      instance: instance, type: ServiceType(service: "witap2", transport: "tcp"),
      domain: try DNSName("local")),
    host: try DNSName("deck.local"), port: 4_711, interfaces: ["v0", "v1"])
}

private func json(_ events: [ServeEvent]) -> String {
  var json = ServeJSON()
  var out = OutputBuffer()
  for event in events { json.append(event, at: wall, to: &out) }
  json.append(ServeLedger(), elapsed: 1_500_000, at: wall, to: &out)
  return out.withBytes { bytes in
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}

private func text(_ events: [ServeEvent], showsBeginnings: Bool = true) -> [String] {
  var text = ServeText(style: TerminalStyle(isOn: false), showsBeginnings: showsBeginnings)
  var out = OutputBuffer()
  for event in events { text.append(event, at: wall, to: &out) }
  let all = out.withBytes { bytes in
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
  // The time of day is the machine's zone's.
  return all.split(separator: "\n").map { String($0.dropFirst(14)) }
}

private func everyEvent() throws -> [ServeEvent] {
  let peer = try endpoint("192.0.2.7")
  let busy = SystemError(call: "accept", errno: EMFILE)
  return [
    .listening(port: 4_711, [try endpoint("fe80::1", scope: 999_999), peer], mode: "echo"),
    .published(try published(), text: [Array("mode=echo".utf8), [0x62, 0x3D, 0xFF], [0x63]]),
    .renamed(from: Array("Deck".utf8), to: Array("Deck (2)".utf8), rival: peer.address),
    .hostRenamed(from: Array("deck".utf8), to: Array("deck-2".utf8), rival: nil),
    .updated(text: [Array("n=2".utf8)]), .withdrawn(try published().name), .withdrawn(nil),
    .notPublished(.badArgument("x")), .connection(peer),
    .closed(peer, bytesIn: 3, bytesOut: 4, .endOfStream),
    .closed(peer, bytesIn: 0, bytesOut: 0, .system(SystemError(call: "read", errno: ECONNRESET))),
    .closed(peer, bytesIn: 0, bytesOut: 0, .system(SystemError(call: "read", errno: ETIMEDOUT))),
    .closed(peer, bytesIn: 0, bytesOut: 0, .offLink), .closed(peer, bytesIn: 0, bytesOut: 0, .idle),
    .closed(peer, bytesIn: 0, bytesOut: 0, .stalled),
    .closed(peer, bytesIn: 0, bytesOut: 0, .byteLimit),
    .closed(peer, bytesIn: 0, bytesOut: 0, .busy), .closed(peer, bytesIn: 0, bytesOut: 0, .stopped),
    .tap(TapByte(tile: 0, isDown: true), isSent: false, peer),
    .tap(TapByte(tile: 8, isDown: false), isSent: true, peer), .cannotAccept(busy),
  ]
}

@Suite("What serve shows") struct ServeOutputTests {
  @Test("JSON: names, port and TXT of what is published") func publishedLine() throws {
    let line = json([.published(try published(), text: [Array("mode=echo".utf8), [0x63]])])
      .split(separator: "\n")[0]
    #expect(
      line == """
        {"schema":"lantool.serve/1","event":"published","time":"2025-11-30T00:53:20.123456Z",\
        "seq":1,"instance":"Deck \\"1\\"","serviceName":"Deck \\"1\\"._witap2._tcp.local",\
        "type":"_witap2._tcp","domain":"local","host":"deck.local","port":4711,\
        "interfaces":["v0","v1"],"txt":{"mode":"echo","c":true}}
        """)
  }

  @Test("JSON: peers and taps by the words of the contract") func peerLines() throws {
    let lines = json(try everyEvent()).split(separator: "\n")
    #expect(lines[0].contains(#""addresses":["fe80::1%999999","192.0.2.7"]"#))
    #expect(
      lines[9].hasSuffix(
        #""peer":"192.0.2.7","peerPort":4242,"bytesIn":3,"bytesOut":4,"reason":"endOfStream"}"#))
    #expect(lines[10].hasSuffix(#""reason":"reset"}"#))
    #expect(lines[11].contains(#""reason":"error","text":"#))
    #expect(lines[18].contains(#""tile":0,"state":"down","direction":"received""#))
    #expect(lines[19].contains(#""tile":8,"state":"up","direction":"sent""#))
  }

  @Test("text: a line for each event; in a log a connection has one when it ends")
  func textLines() throws {
    let events = try everyEvent()
    let lines = text(events)
    #expect(lines.count == events.count - 2, "two are told on standard error")
    #expect(lines[0] == "listening on port 4711, echo")
    #expect(lines[1] == #"published 'Deck "1"'  _witap2._tcp  deck.local:4711  on v0, v1"#)
    #expect(lines[2] == "the name 'Deck' is taken by 192.0.2.7, now 'Deck (2)'")
    #expect(lines.contains("192.0.2.7:4242  3 bytes in, 4 out; closed by the peer"))
    #expect(lines.contains("192.0.2.7:4242  tile 1 down received"))
    #expect(text([events[8], events[9]], showsBeginnings: false).count == 1)
  }

  @Test("text: names that would drive the terminal are shown, not obeyed") func hostile() throws {
    let name = Array("a\u{1B}[2J\u{202E}".utf8) + [0xFF]
    let line = text([.published(try published(name), text: [])])[0]
    #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    #expect(line.contains(#"a\027[2J"#))
  }

  @Test("the summary counts what was served apart from what was turned away") func ledger() throws {
    let peer = try endpoint("192.0.2.7")
    var ledger = ServeLedger()
    let events: [PeerServerEvent] = [
      .connection(peer), .gameBegan(peer),
      .tap(TapByte(tile: 1, isDown: true), isSent: false, peer),
      .connection(peer), .closed(peer, bytesIn: 0, bytesOut: 0, .busy),
      .closed(peer, bytesIn: 1, bytesOut: 0, .endOfStream), .gameEnded(peer),
    ]
    for event in events { ledger.take(event) }
    #expect(ledger.connections == 1 && ledger.closed == 1 && ledger.refused == 1)
    #expect(ledger.games == 1 && ledger.tapsReceived == 1 && ledger.bytesIn == 1)
    #expect(
      ServeText.summary(ledger, serves: true, isGame: true)
        == "1 game, 1 tap received, 0 sent; 1 turned away")
    #expect(
      ServeText.summary(ledger, serves: true, isGame: false)
        == "1 connection, 1 byte in, 0 out; 1 turned away")
    #expect(ServeText.summary(ledger, serves: false, isGame: false) == nil)
  }

  @Test("every line fits the schema") func schema() throws {
    #expect(try SchemaCheck.faults(json(try everyEvent()), of: "serve") == "")
  }
}

@Suite("A board of tiles") struct TapBoardTests {
  private func written(_ tiles: [TapBoard.Tile], width: Int, height: Int = 24) -> String {
    var board = TapBoard(style: TerminalStyle(isOn: false))
    var out = OutputBuffer()
    board.draw(tiles, "waiting", width: width, height: height, to: &out)
    return out.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
  }

  private func drawn(_ tiles: [TapBoard.Tile], width: Int, height: Int = 24) -> [String] {
    plainLines(written(tiles, width: width, height: height))
  }

  @Test("three rows of three, and a line below") func rows() {
    let lines = drawn([], width: 80)
    #expect(lines.count == 4 && lines[3] == "waiting")
    #expect(lines[0].split(separator: " ") == ["1", "2", "3"])
    #expect(lines[2].split(separator: " ") == ["7", "8", "9"])
  }

  @Test("it is never wider than the terminal") func width() {
    for width in [1, 2, 5, 10, 20, 27, 28, 200] {
      let lines = drawn([], width: width)
      #expect(lines.allSatisfy { $0.columns <= max(width, 4) }, "\(width)")
    }
    #expect((1...4).map { drawn([], width: 80, height: $0).count } == [1, 2, 3, 4])
    #expect((1...80).allSatisfy { TapBoard.cellWidth($0) <= 9 && TapBoard.cellWidth($0) >= 1 })
  }

  @Test("a tile shows who holds it down") func marks() {
    #expect(TapBoard.text(4, .init(), 9) == "    5    ")
    #expect(TapBoard.text(4, .init(isDownThere: true), 9) == "    5<   ")
    #expect(TapBoard.text(4, .init(isDownHere: true), 9) == "    5>   ")
    #expect(TapBoard.text(4, .init(isDownThere: true, isDownHere: true), 9) == "    5*   ")
    #expect(TapBoard.text(0, .init(isDownThere: true), 2) == "1 ")
    let text = written([.init(isDownThere: true)], width: 80)
    #expect(text.contains("\u{1B}[7m    1<   \u{1B}[0m"))
  }

  @Test("drawn again it takes the place of what was drawn before") func again() {
    var board = TapBoard(style: TerminalStyle(isOn: false))
    var out = OutputBuffer()
    board.draw([], "waiting", width: 80, height: 24, to: &out)
    let first = out.count
    board.clear(to: &out)
    let rest = out.withBytes { bytes in
      String(decoding: (first..<bytes.count).map { bytes[$0] }, as: UTF8.self)
    }
    #expect(rest == "\r\u{1B}[J")
  }
}
