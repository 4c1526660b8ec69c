import Foundation
import LanCore
import LanWire
import TestKit
import Testing

@testable import LanSystem

@Suite("Browsing a capture file") struct ServiceBrowserRecordingTests {
  /// Seconds after the epoch and an Ethernet frame.
  private typealias Frame = (seconds: Double, bytes: [UInt8])

  private static func words(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A UDP datagram from 192.0.2.9 to the group, or to a host by `unicast`, in an Ethernet frame.
  private static func frame(
    _ payload: [UInt8], from port: Int = 5_353, to destinationPort: Int = 5_353,
    unicast: Bool = false
  ) -> [UInt8] {
    func big(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
    var bytes: [UInt8] = [1, 0, 0x5E, 0, 0, 0xFB, 2, 0, 0, 0, 0, 1, 8, 0]
    bytes += [0x45, 0] + big(payload.count + 28) + [0, 0, 0, 0, 255, 17, 0, 0, 192, 0, 2, 9]
    bytes += unicast ? [192, 0, 2, 1] : [224, 0, 0, 251]
    bytes += big(port) + big(destinationPort) + big(payload.count + 8) + [0, 0]
    return bytes + payload
  }

  private static func pcap(_ frames: [Frame]) -> [UInt8] {
    var file = words(0xA1B2_C3D4, 4) + words(2, 2) + words(4, 2) + words(0, 8)
    file += words(262_144, 4) + words(1, 4)
    for frame in frames {
      let microseconds = Int((frame.seconds * 1e6).rounded())
      file += words(microseconds / 1_000_000, 4) + words(microseconds % 1_000_000, 4)
      file += words(frame.bytes.count, 4) + words(frame.bytes.count, 4) + frame.bytes
    }
    return file
  }

  /// The frame's packet in another IPv4 packet (RFC 2003).
  private static func tunnelled(_ frame: [UInt8]) -> [UInt8] {
    let length = frame.count - 14 + 20
    var outer: [UInt8] = [0x45, 0, UInt8(length >> 8), UInt8(length & 0xFF), 0, 0, 0, 0, 64, 4]
    outer += [0, 0, 198, 51, 100, 1, 198, 51, 100, 2]
    return frame[..<14] + outer + frame[14...]
  }

  private static func browse(
    _ file: [UInt8], duration: Int64? = nil, types: [ServiceType]? = nil,
    tunnels: Bool = true, families: MDNSFamilies = .both, stopsAtFirst: Bool = false
  ) throws -> (lines: [String], run: ServiceBrowserRecording, error: (any Error)?) {
    let path = "\(NSTemporaryDirectory())lt-browse-\(UUID()).pcap"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(file).write(to: URL(filePath: path))
    var search = try SpokenService.configuration().search
    if let types { search.types = types }
    let run = ServiceBrowserRecording(
      search, families: families, tunnels: tunnels, duration: duration)
    var lines: [String] = []
    var failure: (any Error)?
    do {
      try run.read(try CaptureFileInput(path)) { event, time in
        let seconds = Double(time) / 1e9
        switch event {
        case .added(let service):
          if stopsAtFirst { run.stop() }
          lines.append(
            "\(seconds) added \(service.name) \(service.port ?? 0) \(service.interface ?? "-")")
        case .removed(let service, let cause):
          lines.append("\(seconds) removed \(service.name) \(cause)")
        default: break
        }
      }
    } catch {
      failure = error
    }
    return (lines, run, failure)
  }

  @Test("services come and go at the times of the capture, and those still there stay")
  func times() throws {
    let result = try Self.browse(
      Self.pcap([
        (1_000, Self.frame(try SpokenService.response(["A"]))),
        (1_010.5, Self.frame(try SpokenService.response(["B"], port: 7_002))),
        (1_020, Self.frame(try SpokenService.response(["A"], ttl: 0))),
        (1_030, Self.frame(try SpokenService.response(["C"], ttl: 0))),
      ]))
    #expect(
      result.lines == [
        "1000.0 added A._witap2._tcp.local 7000 -", "1010.5 added B._witap2._tcp.local 7002 -",
        "1021.0 removed A._witap2._tcp.local goodbye",
      ])
    #expect(result.error == nil)
    #expect(result.run.services.map { "\($0.name)" } == ["B._witap2._tcp.local"])
    #expect(result.run.frames == 4 && result.run.messages == 4)
    #expect(result.run.firstTime == 1_000_000_000_000)
  }

  @Test("a record whose TTL ends within the capture expires at its second, without a question")
  func expiry() throws {
    let query = try SampleMessage.query(["_ipp._tcp.local"])
    let result = try Self.browse(
      Self.pcap([
        (1_000, Self.frame(try SpokenService.response(["A"], ttl: 10))),
        (1_100, Self.frame(query)),
      ]))
    #expect(result.lines.last == "1010.0 removed A._witap2._tcp.local expired")
  }

  @Test("an answer to one host counts; one to a one-shot querier, or from another port, does not")
  func unicast() throws {
    let result = try Self.browse(
      Self.pcap([
        (1_000, Self.frame(try SpokenService.response(["A"]), unicast: true)),
        (1_001, Self.frame(try SpokenService.response(["B"]), to: 40_000, unicast: true)),
        (1_002, Self.frame(try SpokenService.response(["C"]), from: 40_000)),
      ]))
    #expect(result.lines == ["1000.0 added A._witap2._tcp.local 7000 -"])
  }

  @Test("without a type, one that only its instances show is browsed for") func heardTypes() throws
  {
    let file = Self.pcap([
      (1_000, Self.frame(try SpokenService.response(["A"]))),
      (1_010, Self.frame(try SpokenService.response(["A"], ttl: 0))),
    ])
    #expect(
      try Self.browse(file, types: []).lines == [
        "1000.0 added A._witap2._tcp.local 7000 -",
        "1011.0 removed A._witap2._tcp.local goodbye",
      ])
  }

  @Test("messages in tunnels count unless they are not to, and those of one family may do alone")
  func choice() throws {
    let file = Self.pcap([(1_000, Self.tunnelled(Self.frame(try SpokenService.response(["A"]))))])
    #expect(try Self.browse(file).lines == ["1000.0 added A._witap2._tcp.local 7000 -"])
    #expect(try Self.browse(file, tunnels: false).lines == [])
    #expect(try Self.browse(file, families: .ipv4).lines.count == 1)
    #expect(try Self.browse(file, families: .ipv6).lines == [])
  }

  @Test("reading stops in the middle, with nothing more told and the clock where it is")
  func stop() throws {
    let result = try Self.browse(
      Self.pcap([
        (1_000, Self.frame(try SpokenService.response(["A", "B"]))),
        (1_005, Self.frame(try SpokenService.response(["C"]))),
      ]), stopsAtFirst: true)
    #expect(result.lines.count == 1 && result.run.isStopped)
    #expect(result.run.now == 1_000_000_000_000 && result.run.elapsed == 0)
    #expect(result.run.time == 1_000_000_000_000)
  }

  @Test("what is incomplete at the end of the capture is told all the same") func incomplete()
    throws
  {
    let pointer = try SampleMessage.pointer("_witap2._tcp.local", to: "A._witap2._tcp.local")
    let result = try Self.browse(
      Self.pcap([(1_000, Self.frame(try SampleMessage.response([pointer])))]))
    #expect(result.lines == ["1001.0 added A._witap2._tcp.local 0 -"])
  }

  @Test("a file that ends inside a record tells what was before, and its fault") func cut() throws {
    let whole = Self.pcap([
      (1_000, Self.frame(try SpokenService.response(["A"]))),
      (1_001, Self.frame(try SpokenService.response(["B"]))),
    ])
    let result = try Self.browse(Array(whole.dropLast(5)))
    #expect(result.lines == ["1000.0 added A._witap2._tcp.local 7000 -"])
    #expect(result.error is CaptureFileError)
    let short = try Self.browse(whole, duration: 500_000_000)
    #expect(short.lines == ["1000.0 added A._witap2._tcp.local 7000 -"])
    #expect(short.error == nil)
  }
}
