import LanWire
import TestKit
import Testing

/// What a capture file holds and how its reading ends.
struct CaptureExpectation: Sendable, CustomStringConvertible {
  var name: String
  var frames: Int
  var fault: CaptureError?
  var description: String { name }

  init(_ name: String, _ frames: Int, _ fault: CaptureError? = nil) {
    self.name = name
    self.frames = frames
    self.fault = fault
  }

  static let all: [CaptureExpectation] = [
    .init("syn-80211.pcap", 6), .init("syn-chdlc.pcap", 4), .init("syn-dns-traps.pcapng", 74),
    .init("syn-eth-tags.pcap", 14),
    .init("syn-fmt-cut-header.pcap", 6, CaptureError(.endsInsideRecord, at: 1405)),
    .init("syn-fmt-cut-record.pcap", 6, CaptureError(.endsInsideRecord, at: 1405)),
    .init("syn-fmt-empty.pcap", 0), .init("syn-fmt-fcs-in-network.pcap", 6),
    .init("syn-fmt-huge-record.pcap", 6, CaptureError(.frameLength(2_147_483_647), at: 1405)),
    .init("syn-fmt-modified.pcap", 6), .init("syn-fmt-ns-be.pcap", 6),
    .init("syn-fmt-ns-le.pcap", 6), .init("syn-fmt-snaplen.pcap", 8),
    .init("syn-fmt-time-odd.pcap", 5), .init("syn-fmt-us-be.pcap", 6),
    .init("syn-fmt-zero-snaplen.pcap", 6), .init("syn-icmp-quotes-mdns.pcap", 2),
    .init("syn-ipv4-fragments.pcap", 20), .init("syn-ipv4.pcap", 4),
    .init("syn-ipv6-headers.pcap", 14), .init("syn-ipv6.pcap", 4),
    .init("syn-llmnr-poisoner.pcapng", 10), .init("syn-loop.pcap", 8),
    .init("syn-nflog.pcap", 4),
    .init("syn-ng-bad-interface.pcapng", 1, CaptureError(.undeclaredInterface(7), at: 344)),
    .init("syn-ng-bad-length.pcapng", 1, CaptureError(.blockLength(278), at: 344)),
    .init("syn-ng-bad-trailer.pcapng", 1, CaptureError(.blockTrailer(276, 12), at: 344)),
    .init("syn-ng-be.pcapng", 6), .init("syn-ng-blocks.pcapng", 5),
    .init("syn-ng-cut.pcapng", 1, CaptureError(.endsInsideRecord, at: 344)),
    .init("syn-ng-le.pcapng", 6), .init("syn-ng-mixed-links.pcapng", 5),
    .init("syn-ng-old-packet.pcapng", 3), .init("syn-ng-options.pcapng", 4),
    .init("syn-ng-sections.pcapng", 3), .init("syn-ng-simple.pcapng", 3),
    .init("syn-null-be.pcap", 8), .init("syn-null-le.pcap", 8), .init("syn-ppp-hdlc.pcap", 4),
    .init("syn-ppp.pcap", 4), .init("syn-radiotap.pcap", 5), .init("syn-raw.pcap", 8),
    .init("syn-raw12.pcap", 4), .init("syn-rfc6762-faults.pcapng", 169),
    .init("syn-sll.pcap", 9), .init("syn-sll2.pcap", 8), .init("syn-tunnels.pcap", 13),
    .init("syn-udp-odd.pcap", 10),
  ]
}

@Suite("Capture files of every kind")
struct CaptureFixtureTests {
  @Test(
    "all frames are delivered, and then the end or the fault with its offset",
    arguments: CaptureExpectation.all)
  func framesAndFault(_ expected: CaptureExpectation) throws {
    let bytes = try CaptureFile.fixture(expected.name)
    let file = CaptureFile(bytes)
    #expect(file.frames.last?.packet.frame ?? 0 == expected.frames)
    #expect(file.error == expected.fault)
    let pieces = CaptureFile(bytes, chunk: 1)
    #expect(pieces.frames.map(\.bytes) == file.frames.map(\.bytes))
    #expect(pieces.error == file.error)
  }

  @Test("every fixture has an expectation")
  func noneForgotten() {
    #expect(CaptureFile.fixtures == CaptureExpectation.all.map(\.name).sorted())
  }

  @Test(
    "a file cut at any length gives its whole records and then a fault or its end",
    arguments: CaptureExpectation.all)
  func cutAnywhere(_ expected: CaptureExpectation) throws {
    let bytes = try CaptureFile.fixture(expected.name)
    let whole = CaptureFile(bytes)
    for length in 0..<min(bytes.count, 1600) {
      let file = CaptureFile(Array(bytes[..<length]))
      #expect(file.frames.count <= whole.frames.count)
      let offset = file.error?.offset ?? 0
      #expect(offset <= length)
      if length >= 28, let error = file.error, error != whole.error {
        #expect(error.isCutTail, "cut at \(length): \(error)")
      }
    }
  }
}
