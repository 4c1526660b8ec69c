import LanWire

/// Takes the frames of a recording apart: events and notes in order, answers by their requests.
struct NetlinkReplayLoader {
  private(set) var items: [NetlinkReplay.Entry] = []
  private(set) var answers: [[UInt8]: [NetlinkReplay.Answer]] = [:]
  /// True once a frame of netlink was found.
  private(set) var hasFrames = false
  /// Requests without their whole answer yet, by the words that an answer has from its request.
  ///
  /// Events have such words too, those of the request that caused them: the port tells whose.
  private var open: [Identity: (key: [UInt8], index: Int)] = [:]

  private struct Identity: Hashable {
    var netlinkProtocol: NetlinkProtocol
    var sequence: UInt32
    var port: UInt32
  }

  /// Reads a whole capture file.
  ///
  /// - Throws: What ended the reading; all before it was taken in.
  mutating func load(_ bytes: [UInt8]) throws(CaptureFileError) {
    // A request without an answer, as at the end of a recording that was cut, is as good as none.
    defer { answers = answers.mapValues { $0.filter { !$0.messages.isEmpty } } }
    var parser = CaptureFileParser()
    var offset = 0
    while true {
      switch try parser.next(bytes.span, at: &offset, isEnd: true) {
      case .packet(let packet): add(packet, bytes.span)
      case .end, .needMore: return
      }
    }
  }

  private mutating func add(_ packet: CapturedPacket, _ bytes: Span<UInt8>) {
    guard packet.linkType == .netlink, let frame = try? NetlinkFrame(bytes, packet.bytes)
    else { return }
    hasFrames = true
    let time = packet.time?.nanoseconds ?? items.last?.time ?? 0
    for index in 0..<packet.commentCount {
      guard let range = packet.comment(index, in: bytes),
        let note = NetlinkNote(comment: text(bytes, range))
      else { continue }
      items.append(.init(time: time, item: .note(note)))
    }
    if frame.isToKernel { items.append(.init(time: time, item: .asked)) }
    var events: [UInt8] = []
    var messages = NetlinkMessages(bytes, frame.messages)
    while let message = (try? messages.next(bytes)) ?? nil {
      let identity = Identity(
        netlinkProtocol: frame.netlinkProtocol, sequence: message.header.sequence,
        port: message.header.port)
      if frame.isToKernel {
        addRequest(message, identity, bytes)
      } else if let request = open[identity] {
        addReply(message, to: request, bytes)
        if Self.isLast(message.header) { open[identity] = nil }
      } else if message.header.type.rawValue > NetlinkType.overrun.rawValue {
        append(message, bytes, to: &events)
      }
    }
    if !events.isEmpty {
      items.append(.init(time: time, item: .events(frame.netlinkProtocol, events)))
    }
  }

  private static func isLast(_ header: NetlinkHeader) -> Bool {
    header.type == .done || header.type == .error || !header.flags.contains(.multi)
  }

  private mutating func addRequest(
    _ message: NetlinkMessage, _ identity: Identity, _ bytes: Span<UInt8>
  ) {
    var key: [UInt8] = []
    append(message, bytes, to: &key)
    // Sequence and port are not part of the question.
    for index in 8..<min(16, key.count) { key[index] = 0 }
    let answer = NetlinkReplay.Answer(place: items.count - 1, messages: [])
    answers[key, default: []].append(answer)
    open[identity] = (key, answers[key, default: []].count - 1)
  }

  private mutating func addReply(
    _ message: NetlinkMessage, to request: (key: [UInt8], index: Int), _ bytes: Span<UInt8>
  ) {
    var reply: [UInt8] = []
    append(message, bytes, to: &reply)
    answers[request.key]?[request.index].messages.append(reply)
  }

  /// Adds a message, padded so that another may follow.
  private func append(_ message: NetlinkMessage, _ bytes: Span<UInt8>, to output: inout [UInt8]) {
    for index in message.bytes { output.append(bytes[index]) }
    while output.count % 4 != 0 { output.append(0) }
  }

  private func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    String(decoding: range.map { bytes[$0] }, as: UTF8.self)
  }
}
