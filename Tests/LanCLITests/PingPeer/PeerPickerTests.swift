import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

private func service(
  _ instance: String, _ type: String = "witap2", on interface: String = "v0", isOwn: Bool = false
) throws -> DiscoveredService {
  let type = ServiceType(service: type, transport: "tcp")
  let name = try ServiceInstanceName(
    instance: Array(instance.utf8), type: type, domain: .local)
  var service = DiscoveredService(
    name: name.name, type: type, domain: .local, interfaceIndex: 1, interface: interface)
  service.host = try DNSName("tv.local")
  service.port = 4242
  service.text = []
  service.addresses = [try #require(IPAddress(parsing: "192.0.2.20"))]
  service.isOwn = isOwn
  return service
}

@Suite("Choosing a peer") struct PeerPickerTests {
  @Test("peers stand by name, whatever the case; one on two links stands once") func list() throws {
    let peers = FoundPeer.list([
      try service("deck"), try service("Zed"), try service("Attic", "witap"),
      try service("deck", on: "v1"),
    ])
    #expect(peers.map(\.title) == ["Attic", "deck", "Zed"])
    #expect(peers[1].services.count == 2 && peers.allSatisfy(\.isComplete))
    #expect(peers[1].isNamed("DECK") && peers[1].isNamed("Deck._witap2._tcp.local"))
    #expect(!peers[1].isNamed("Dec"))
  }

  @Test("arrows move within the list, Enter chooses, a takes all, q and Escape none")
  func keys() throws {
    var picker = PeerPicker()
    #expect(picker.take(.enter) == .open)
    let peers = FoundPeer.list([try service("A"), try service("B"), try service("C")])
    picker.update(peers)
    #expect(picker.take(.up) == .open && picker.selected == 0)
    _ = picker.take(.down)
    _ = picker.take(.down)
    _ = picker.take(.down)
    #expect(picker.selected == 2 && picker.take(.enter) == .chosen([peers[2]]))
    #expect(picker.take(.home) == .open && picker.take(.enter) == .chosen([peers[0]]))
    #expect(picker.take(.character("a")) == .chosen(peers))
    #expect(picker.take(.character("q")) == .cancelled && picker.take(.escape) == .cancelled)
    #expect(picker.take(.endOfInput) == .cancelled)
  }

  @Test("the chosen line stays on its peer when others come and go") func follows() throws {
    var picker = PeerPicker()
    picker.update(FoundPeer.list([try service("B"), try service("C")]))
    _ = picker.take(.down)
    picker.update(FoundPeer.list([try service("A"), try service("B"), try service("C")]))
    #expect(picker.peers[picker.selected].title == "C")
    picker.update(FoundPeer.list([try service("A")]))
    #expect(picker.selected == 0)
    picker.update([])
    #expect(picker.selected == 0 && picker.lines(width: 80, height: 24).lines.isEmpty)
  }

  @Test("a long list shows what is around the chosen line") func window() throws {
    var picker = PeerPicker()
    picker.update(FoundPeer.list(try (10..<60).map { try service("Peer \($0)") }))
    _ = picker.take(.end)
    let (lines, note) = picker.lines(width: 80, height: 10)
    #expect(lines.count == 7 && lines.last?.isSelected == true && note == "... 44 to 50 of 50")
    #expect(lines.last?.line.text == "> Peer 59  _witap2._tcp  tv.local:4242  v0")
  }

  private func drawn(_ picker: PeerPicker, width: Int, height: Int) -> [String] {
    var out = OutputBuffer(capacity: 64)
    var view = PeerPickerView(style: TerminalStyle(isOn: false))
    view.draw(picker, width: width, height: height, to: &out)
    return plainLines(
      out.withBytes { bytes in
        String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
      })
  }

  @Test("what drives a terminal is not drawn, and has its place reckoned as it is shown")
  func hostile() throws {
    var picker = PeerPicker()
    picker.update(
      FoundPeer.list([
        try service("\u{1B}[2JDeck"), try service("\u{202E}\u{9B}"), try service("Attic"),
      ]))
    let lines = drawn(picker, width: 80, height: 24)
    #expect(
      lines.contains(#"> \027[2JDeck           _witap2._tcp  tv.local:4242  v0"#), "\(lines)")
    #expect(lines.contains(#"  \226\128\174\194\155  _witap2._tcp  tv.local:4242  v0"#), "\(lines)")
    for width in 1...60 {
      let lines = drawn(picker, width: width, height: 24)
      #expect(lines.allSatisfy { $0.columns <= max(width - 1, 1) }, "\(lines)")
    }
  }

  @Test("a low window shows the chosen line first of all", arguments: 1...8)
  func low(_ height: Int) throws {
    var picker = PeerPicker()
    picker.update(FoundPeer.list(try (10..<60).map { try service("Peer \($0)") }))
    _ = picker.take(.pageDown)
    let lines = drawn(picker, width: 60, height: height)
    #expect(lines.count <= max(height - 1, 1) && lines.contains { $0.hasPrefix("> Peer 20") })
    #expect(lines.contains { $0.hasSuffix(" of 50") } == (height > 3))
  }
}
