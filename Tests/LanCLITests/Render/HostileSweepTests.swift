import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

/// Everything that can steer a terminal, each with letters around it; joiners are letters' affair.
private let steering: [[UInt8]] = {
  let ranges: [ClosedRange<UInt32>] = [
    0x01...0x1F, 0x7F...0x9F, 0x200B...0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x2069,
    0xFEFF...0xFEFF, 0x061C...0x061C, 0xE0001...0xE0001,
  ]
  let scalars = ranges.joined().compactMap(Unicode.Scalar.init)
  let valid = scalars.map { Array("a\(String($0))b".utf8) }
  // C1 by single bytes, which is no UTF-8 but works in a terminal of 8 bits.
  let single = (UInt8(0x80)...0x9F).map { [0x61, $0, 0x62] }
  return valid + single
}()

/// The scalars of a text that a terminal would obey.
private func obeyed(_ text: String) -> [Unicode.Scalar] {
  text.unicodeScalars.filter { scalar in
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

private func written(_ body: (inout OutputBuffer) -> Void) -> String {
  var out = OutputBuffer()
  body(&out)
  return out.withBytes { bytes in
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}

private func service(_ bytes: [UInt8]) -> DiscoveredService {
  var service = BrowseSamples.named(bytes)
  service.host = try? DNSName(labels: [bytes, Array("local".utf8)])
  service.port = 4_242
  service.addresses = [BrowseSamples.address("192.0.2.20")]
  service.text = [bytes, bytes + [0x3D] + bytes]
  return service
}

@Suite("No byte of a stranger steers a terminal") struct HostileSweepTests {
  @Test("browse: lines") func browseLines() {
    for bytes in steering {
      var text = BrowseText(style: TerminalStyle(isOn: false), showsTime: false, resolves: true)
      let shown = written { text.append(service(bytes), .added, at: 0, to: &$0) }
      #expect(obeyed(shown) == ["\n"], "\(bytes)")
    }
  }

  @Test("browse: the table") func browseTable() {
    for bytes in steering {
      var table = BrowseTable(resolves: true)
      let (title, lines) = BrowseTable.lines(table.rows([service(bytes)]), width: 200)
      let text = ([title] + lines).map(\.text).joined()
      #expect(obeyed(text).isEmpty, "\(bytes)")
    }
  }

  @Test("ping-peer: the picker") func picker() {
    for bytes in steering {
      var picker = PeerPicker()
      picker.update(FoundPeer.list([service(bytes)]))
      for (line, _) in picker.lines(width: 200, height: 24).lines {
        #expect(obeyed(line.text).isEmpty, "\(bytes)")
      }
    }
  }

  @Test("resolve: lines of services and addresses") func resolve() throws {
    let renderer = ResolveText(style: TerminalStyle(isOn: false))
    for bytes in steering {
      let host = try DNSName(labels: [bytes, Array("local".utf8)])
      let name = try ServiceInstanceName(
        instance: bytes, type: ServiceType(service: "http", transport: "tcp"), domain: .local)
      let found = ResolvedService(
        name: name, host: host, port: 80, text: [bytes, bytes + [0x3D] + bytes],
        origin: ResolveOrigin(.mdns, elapsed: 1))
      let address = ResolvedAddress(
        name: host.description, address: BrowseSamples.address("192.0.2.20"), port: nil,
        origin: ResolveOrigin(.mdns, elapsed: 1))
      let shown = written {
        renderer.append(.service(found), nil, to: &$0)
        renderer.append(.address(address), nil, to: &$0)
      }
      #expect(obeyed(shown).allSatisfy { $0 == "\n" }, "\(bytes)")
      #expect(obeyed(shown).count == shown.split(separator: "\n").count, "\(bytes)")
    }
  }

  @Test("serve: names that were taken and chosen") func serve() {
    for bytes in steering {
      var text = ServeText(style: TerminalStyle(isOn: false), showsBeginnings: true)
      let shown = written {
        text.append(.renamed(from: bytes, to: bytes, rival: nil), at: 0, to: &$0)
        text.append(.hostRenamed(from: bytes, to: bytes, rival: nil), at: 0, to: &$0)
        text.append(.updated(text: [bytes, bytes + [0x3D] + bytes]), at: 0, to: &$0)
      }
      #expect(obeyed(shown) == ["\n", "\n", "\n"], "\(bytes)")
    }
  }

  @Test("a diagnostic is one line, whatever it quotes") func diagnostics() {
    for bytes in steering { #expect(obeyed(printable(bytes)).isEmpty, "\(bytes)") }
    #expect(printable(Array("no interface 'büro 日本'\\".utf8)) == "no interface 'büro 日本'\\")
  }
}
