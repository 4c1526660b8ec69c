import Foundation
import LanCore
import LanWire

/// One UDP datagram of a capture, with the comment of its frame.
struct CapturedDatagram {
  var envelope: MessageEnvelope
  var payload: [UInt8]
  var comment: String
}

/// Just enough of pcap, pcapng, Ethernet, IP and UDP to feed captures to history.
struct HistoryCapture {
  private(set) var datagrams: [CapturedDatagram] = []
  private var bytes: [UInt8]
  private var isBig = false
  private var frame = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.count > 24 else { return }
    if Array(bytes[0..<4]) == [0x0A, 0x0D, 0x0D, 0x0A] { readNG() } else { readPcap() }
  }

  private func uint32(_ offset: Int) -> Int {
    let part = bytes[offset..<(offset + 4)]
    return (isBig ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }

  private func uint16(_ offset: Int) -> Int {
    isBig
      ? Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
      : Int(bytes[offset + 1]) << 8 | Int(bytes[offset])
  }

  private mutating func readPcap() {
    isBig = bytes[0] == 0xA1
    let magic = uint32(0)
    guard magic == 0xA1B2_C3D4 || magic == 0xA1B2_3C4D else { return }
    let scale = magic == 0xA1B2_3C4D ? 1 : 1000
    let link = uint32(20) & 0xFFFF
    var offset = 24
    while offset + 16 <= bytes.count {
      let length = uint32(offset + 8)
      guard length <= bytes.count - offset - 16 else { return }
      frame += 1
      let time = uint32(offset) * 1_000_000_000 + uint32(offset + 4) * scale
      readFrame((offset + 16)..<(offset + 16 + length), link, Int64(time), 0, "")
      offset += 16 + length
    }
  }

  private mutating func readNG() {
    var links: [(link: Int, scale: Int)] = []
    var offset = 0
    while offset + 12 <= bytes.count {
      if Array(bytes[offset..<(offset + 4)]) == [0x0A, 0x0D, 0x0D, 0x0A] {
        isBig = bytes[offset + 8] == 0x1A
        links = []
      }
      let length = uint32(offset + 4)
      guard length >= 12, length % 4 == 0, length <= bytes.count - offset else { return }
      switch uint32(offset) {
      case 1: links.append((uint16(offset + 8), resolution(offset + 16, offset + length - 4)))
      case 6:
        frame += 1
        let number = uint32(offset + 8)
        let captured = uint32(offset + 20)
        guard number < links.count, captured <= length - 32 else { break }
        let ticks = uint32(offset + 12) << 32 | uint32(offset + 16)
        let data = (offset + 28)..<(offset + 28 + captured)
        let comment = option(1, (data.upperBound + 3) / 4 * 4, offset + length - 4)
        readFrame(
          data, links[number].link, Int64(ticks) * Int64(links[number].scale), Int32(number),
          comment.map { String(decoding: $0, as: UTF8.self) } ?? "")
      default: break
      }
      offset += length
    }
  }

  private func option(_ code: Int, _ start: Int, _ end: Int) -> [UInt8]? {
    var offset = start
    while offset + 4 <= end {
      let length = uint16(offset + 2)
      if uint16(offset) == 0 || offset + 4 + length > end { return nil }
      if uint16(offset) == code { return Array(bytes[(offset + 4)..<(offset + 4 + length)]) }
      offset += 4 + (length + 3) / 4 * 4
    }
    return nil
  }

  private func resolution(_ start: Int, _ end: Int) -> Int {
    switch option(9, start, end)?.first {
    case 9?: 1
    case 3?: 1_000_000
    default: 1000
    }
  }

  private func big16(_ offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }

  private mutating func readFrame(
    _ data: Range<Int>, _ link: Int, _ time: Int64, _ interface: Int32, _ comment: String
  ) {
    var offset = data.lowerBound
    var mac: MACAddress?
    switch link {
    case 1:
      guard data.count >= 18 else { return }
      mac = MACAddress(bytes.span, at: offset + 6)
      offset += 12
      while [0x8100, 0x88A8].contains(big16(offset)), offset + 6 <= data.upperBound { offset += 4 }
      guard [0x0800, 0x86DD].contains(big16(offset)) else { return }
      offset += 2
    case 0: offset += 4
    case 113: offset += 16
    case 101: break
    default: return
    }
    readPacket(offset..<max(offset, data.upperBound), mac, time, interface, comment)
  }

  private mutating func readPacket(
    _ data: Range<Int>, _ mac: MACAddress?, _ time: Int64, _ interface: Int32, _ comment: String
  ) {
    let start = data.lowerBound
    guard data.count >= 28 else { return }
    let source: IPAddress
    let destination: IPAddress
    let udp: Int
    let hopLimit: UInt8
    if bytes[start] >> 4 == 4 {
      guard bytes[start + 9] == 17, big16(start + 6) & 0x3FFF == 0 else { return }
      source = .v4(IPv4Address(bytes.span, at: start + 12))
      destination = .v4(IPv4Address(bytes.span, at: start + 16))
      hopLimit = bytes[start + 8]
      udp = start + Int(bytes[start] & 15) * 4
    } else {
      guard data.count >= 48, bytes[start + 6] == 17 else { return }
      source = .v6(IPv6Address(bytes.span, at: start + 8))
      destination = .v6(IPv6Address(bytes.span, at: start + 24))
      hopLimit = bytes[start + 7]
      udp = start + 40
    }
    guard udp + 8 <= data.upperBound else { return }
    let length = big16(udp + 4)
    guard length >= 8, udp + length <= data.upperBound else { return }
    datagrams.append(
      CapturedDatagram(
        envelope: MessageEnvelope(
          frame: frame, nanoseconds: time, interface: interface, source: source,
          destination: destination, sourceMAC: mac, sourcePort: UInt16(big16(udp)),
          destinationPort: UInt16(big16(udp + 2)), hopLimit: hopLimit),
        payload: Array(bytes[(udp + 8)..<(udp + length)]), comment: comment))
  }
}

/// Feeds a capture to history as a sniffer would: with the kind of every message.
struct HistoryReplay {
  var history = LintHistory()
  var findings: [Finding] = []
  var messages = 0
  private var asked: [UInt64: Int64] = [:]

  mutating func play(_ datagrams: [CapturedDatagram]) {
    var index = DNSMessageIndex()
    for datagram in datagrams {
      let envelope = datagram.envelope
      guard
        let kind = NameProtocol(
          sourcePort: envelope.sourcePort, destinationPort: envelope.destinationPort)
      else { continue }
      index.removeAll()
      let view = index.read(datagram.payload.span)
      messages += 1
      history.handle(
        datagram.payload.span, view, index, envelope,
        kind: self.kind(datagram.payload, view, index, envelope), protocol: kind, into: &findings)
    }
    if let last = datagrams.last {
      history.finish(at: last.envelope.nanoseconds + 20_000_000_000, into: &findings)
    }
  }

  private mutating func kind(
    _ payload: [UInt8], _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ envelope: MessageEnvelope
  ) -> MessageKind {
    let now = envelope.nanoseconds
    if !view.header.isResponse {
      for position in view.questions {
        let question = index.questions[position]
        let name = DNSNameView.hash(payload.span, at: Int(question.name))
        asked[name &+ UInt64(question.type.rawValue)] = now
      }
      return view.authorityCount > 0 ? .probe : .query
    }
    guard envelope.destination.isMDNSGroup else { return .response }
    let answers = view.records(in: .answer).map { index.records[$0] }
    if !answers.isEmpty, answers.allSatisfy({ $0.ttl == 0 }) { return .goodbye }
    for answer in answers {
      let name = DNSNameView.hash(payload.span, at: Int(answer.name))
      for type in [answer.type.rawValue, 255] {
        if let time = asked[name &+ UInt64(type)], now - time <= 1_000_000_000 { return .response }
      }
    }
    return .announcement
  }
}
