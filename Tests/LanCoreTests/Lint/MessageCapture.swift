import Foundation
import LanCore
import LanWire

/// Just enough of capture files for the tests of the linter: UDP datagrams between ports 5353 and
/// 5355 in Ethernet, loopback and raw IP frames that are whole.
struct MessageCapture {
  struct Datagram {
    var envelope: MessageEnvelope
    var payload: [UInt8]
    var comment: String
  }

  private(set) var datagrams: [Datagram] = []
  private let bytes: [UInt8]
  private var frame = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    switch little32(0) {
    case 0x0A0D_0D0A: readBlocks()
    case 0xA1B2_C3D4: readRecords(perSecond: 1_000_000)
    case 0xA1B2_3C4D: readRecords(perSecond: 1_000_000_000)
    default: break
    }
  }

  private func little16(_ offset: Int) -> Int {
    guard offset + 2 <= bytes.count else { return 0 }
    return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
  }

  private func little32(_ offset: Int) -> Int { little16(offset) | little16(offset + 2) << 16 }

  private mutating func readRecords(perSecond: Int) {
    let link = little32(20) & 0xFFFF
    var offset = 24
    while offset + 16 <= bytes.count {
      let length = little32(offset + 8)
      guard offset + 16 + length <= bytes.count else { return }
      frame += 1
      let time =
        little32(offset) * 1_000_000_000 + little32(offset + 4) * (1_000_000_000 / perSecond)
      readFrame(offset + 16..<offset + 16 + length, link, time, "")
      offset += 16 + length
    }
  }

  private mutating func readBlocks() {
    var offset = 0
    var link = 1
    while offset + 12 <= bytes.count {
      let length = little32(offset + 4)
      guard length >= 12, offset + length <= bytes.count else { return }
      if little32(offset) == 1 { link = little16(offset + 8) }
      if little32(offset) == 6 {
        frame += 1
        let captured = little32(offset + 20)
        let ticks = little32(offset + 12) << 32 | little32(offset + 16)
        let start = offset + 28
        let comment = comment(start + (captured + 3) / 4 * 4, offset + length - 4)
        readFrame(start..<min(start + captured, bytes.count), link, ticks &* 1_000, comment)
      }
      offset += length
    }
  }

  private func comment(_ start: Int, _ end: Int) -> String {
    guard start + 4 <= end, little16(start) == 1 else { return "" }
    let stop = min(start + 4 + little16(start + 2), end)
    return String(decoding: bytes[(start + 4)..<stop], as: UTF8.self)
  }

  private mutating func readFrame(_ range: Range<Int>, _ link: Int, _ time: Int, _ comment: String)
  {
    var offset = range.lowerBound
    switch link {
    case 1:
      offset += 12
      while offset + 4 <= range.upperBound, bytes[offset] == 0x81 { offset += 4 }
      offset += 2
    case 0: offset += 4
    case 12, 101: break
    default: return
    }
    guard offset + 40 <= range.upperBound else { return }
    let bytes = self.bytes
    let span = bytes.span
    var envelope = MessageEnvelope(
      frame: frame, nanoseconds: Int64(time), source: .v4(IPv4Address(bits: 0)),
      destination: .v4(IPv4Address(bits: 0)))
    if bytes[offset] >> 4 == 4, bytes[offset + 9] == 17, span.uint16(at: offset + 6) & 0x3FFF == 0 {
      envelope.source = .v4(IPv4Address(span, at: offset + 12))
      envelope.destination = .v4(IPv4Address(span, at: offset + 16))
      envelope.hopLimit = bytes[offset + 8]
      offset += Int(bytes[offset] & 15) * 4
    } else if bytes[offset] >> 4 == 6, bytes[offset + 6] == 17 {
      envelope.source = .v6(IPv6Address(span, at: offset + 8))
      envelope.destination = .v6(IPv6Address(span, at: offset + 24))
      envelope.hopLimit = bytes[offset + 7]
      offset += 40
    } else {
      return
    }
    guard offset + 8 <= range.upperBound else { return }
    envelope.sourcePort = span.uint16(at: offset)
    envelope.destinationPort = span.uint16(at: offset + 2)
    let end = offset + Int(span.uint16(at: offset + 4))
    guard
      [5353, 5355].contains(envelope.sourcePort)
        || [5353, 5355].contains(envelope.destinationPort),
      end >= offset + 8, end <= range.upperBound
    else { return }
    datagrams.append(
      Datagram(envelope: envelope, payload: Array(bytes[(offset + 8)..<end]), comment: comment))
  }

  /// The findings of each datagram, one linter for all, and its summaries.
  func lint() -> (messages: [[Finding]], summaries: [FindingSummary]) {
    var linter = Linter()
    var index = DNSMessageIndex()
    var all: [[Finding]] = []
    for datagram in datagrams {
      index.removeAll()
      let view = index.read(datagram.payload.span)
      let nameProtocol =
        NameProtocol(
          sourcePort: datagram.envelope.sourcePort,
          destinationPort: datagram.envelope.destinationPort) ?? .mdns
      var findings: [Finding] = []
      let kind: MessageKind =
        view.header.isResponse ? .announcement : view.authorityCount > 0 ? .probe : .query
      linter.handle(
        datagram.payload.span, view, index, datagram.envelope, protocol: nameProtocol,
        kind: kind, into: &findings)
      all.append(findings)
    }
    return (all, linter.finish(at: datagrams.last?.envelope.nanoseconds ?? 0))
  }
}
