public import LanWire

/// Turns frames into messages: decodes, puts fragments together, classifies, selects, judges.
///
/// A state machine without I/O: frames and their times go in, messages are appended to a batch.
/// Frames must come in the order of the capture. Nothing is allocated for a frame once the batch
/// has grown to its size.
public struct SniffAnalyzer: Sendable {
  /// What the run looks for.
  public let options: SniffOptions
  /// Frames seen.
  public private(set) var frames = 0
  /// Well-formed messages selected.
  public private(set) var messages = 0
  /// Malformed messages selected.
  public private(set) var malformed = 0
  /// Number of the last line of output.
  public private(set) var sequence = 0
  /// Totals, when asked for.
  public private(set) var statistics = SniffStatistics()
  /// Time of the last frame that had one, nanoseconds since the epoch.
  public private(set) var now: Int64 = 0
  /// Frames whose link type is not decoded, by link type.
  public private(set) var unsupported: [LinkType: Int] = [:]

  private var assembler: PacketAssembler
  private var events = FrameEvents()
  private var questions = QuestionMemory()
  private var hostNames = HostNames()
  private var linter = Linter()
  private var scratch: [UInt8] = []
  private var firstTime: Int64?
  private var lastTime: Int64?
  private let learnsNames: Bool

  /// A run at its start.
  public init(_ options: SniffOptions = SniffOptions()) {
    self.options = options
    assembler = PacketAssembler(decoder: FrameDecoder(tunnels: options.selection.tunnels))
    learnsNames =
      options.names
      || options.selection.hosts.contains { if case .name = $0 { true } else { false } }
  }

  /// True when `options.count` messages have been seen.
  @inlinable public var isFinished: Bool {
    options.count.map { messages + malformed >= $0 } ?? false
  }

  /// Takes the next number of a line of output.
  public mutating func nextSequence() -> Int {
    sequence += 1
    return sequence
  }

  /// Looks at one frame and appends its messages to `batch`.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that `frame.bytes` is a range of.
  ///   - frame: where the frame is and how it came.
  ///   - batch: gets the messages.
  public mutating func handle(
    _ bytes: Span<UInt8>, _ frame: SniffedFrame, into batch: inout SniffBatch
  ) {
    frames &+= 1
    if let time = frame.time { now = time.nanoseconds }
    assembler.decode(
      bytes.extracting(frame.bytes), linkType: frame.linkType,
      originalLength: frame.originalLength, fcsLength: frame.fcsLength, at: frame.time,
      into: &events)
    let before = batch.messages.count
    for place in events.events.indices {
      guard case .datagram(let datagram) = events.events[place] else {
        handleOther(events.events[place], frame)
        continue
      }
      handle(datagram, bytes, frame, &batch)
    }
    if options.frames, batch.messages.count > before || events.hasFragments {
      batch.frames.append(frame)
    }
  }

  private mutating func handleOther(_ event: FrameEvent, _ frame: SniffedFrame) {
    switch event {
    case .unsupported(let linkType): unsupported[linkType, default: 0] += 1
    case .membership(let membership):
      if options.lint { linter.handle(membership, at: now, frame: frame.number) }
    case .prefix(let prefix):
      guard options.lint, prefix.isOnLink, !prefix.prefix.isLinkLocal else { return }
      linter.learnPrefix(
        .v6(prefix.prefix), length: Int(prefix.length),
        interface: Int32(truncatingIfNeeded: frame.interface))
    default: break
    }
  }

  /// Tells the rules of `--lint` an address of an interface that is captured on.
  public mutating func learnPrefix(_ address: IPAddress, length: Int, interface: Int) {
    linter.learnPrefix(address, length: length, interface: Int32(truncatingIfNeeded: interface))
  }

  private mutating func handle(
    _ datagram: UDPDatagram, _ bytes: Span<UInt8>, _ frame: SniffedFrame,
    _ batch: inout SniffBatch
  ) {
    guard
      let nameProtocol = NameProtocol(
        sourcePort: datagram.sourcePort, destinationPort: datagram.destinationPort),
      options.selection.protocols.contains(nameProtocol)
    else { return }
    // A datagram without payload is none of DNS's business unless it went to a port of the link.
    if datagram.payload.isEmpty, nameProtocol == .dns, datagram.lengthFault == .none { return }
    var message = SniffedMessage(
      MessageEnvelope(datagram, frame, at: now), nameProtocol,
      fractionDigits: frame.time?.fractionDigits ?? 0)
    message.vlan = datagram.link.vlan
    message.fault = DatagramFault(datagram.lengthFault)
    let known = (messages: batch.messages.count, tunnels: batch.tunnels.count)
    if datagram.tunnels.count > 0 {
      let start = batch.tunnels.count
      for index in 0..<Int(datagram.tunnels.count) {
        if let tunnel = events.tunnel(index, of: datagram.tunnels) { batch.tunnels.append(tunnel) }
      }
      message.tunnels = start..<batch.tunnels.count
    }
    if datagram.storage == .reassembled {
      let start = batch.reassembled.count
      let whole = assembler.reassembled
      batch.reassembled.append(contentsOf: whole[datagram.payload])
      message.payload = start..<batch.reassembled.count
      message.isReassembled = true
      take(whole.span.extracting(datagram.payload), &message, &batch)
      if batch.messages.count == known.messages {
        batch.reassembled.removeLast(batch.reassembled.count - start)
      }
    } else {
      let start = frame.bytes.lowerBound
      message.payload =
        (start &+ datagram.payload.lowerBound)..<(start &+ datagram.payload.upperBound)
      take(bytes.extracting(message.payload), &message, &batch)
    }
    if batch.messages.count == known.messages {
      batch.tunnels.removeLast(batch.tunnels.count - known.tunnels)
    }
  }

  /// Looks at a message that came over a socket, without its frame.
  public mutating func handleDatagram(
    _ payload: Span<UInt8>, _ envelope: MessageEnvelope, into batch: inout SniffBatch
  ) {
    frames &+= 1
    now = envelope.nanoseconds
    guard
      let nameProtocol = NameProtocol(
        sourcePort: envelope.sourcePort, destinationPort: envelope.destinationPort),
      options.selection.protocols.contains(nameProtocol)
    else { return }
    var message = SniffedMessage(envelope, nameProtocol, fractionDigits: 9)
    message.payload = 0..<payload.count
    take(payload, &message, &batch)
  }

  /// Reads and classifies a message; appends it to the batch when it is wanted.
  private mutating func take(
    _ payload: Span<UInt8>, _ message: inout SniffedMessage, _ batch: inout SniffBatch
  ) {
    message.view = batch.index.read(payload)
    // What a cut capture has of a message is not the sender's fault.
    message.isMalformed =
      (message.view.problem != nil && !message.envelope.isCut) || message.fault != nil
    classify(payload, &message, batch.index)
    if learnsNames { hostNames.learn(payload, message.view, batch.index) }
    let firstFinding = batch.findings.count
    if options.lint {
      judge(payload, message, batch.index, &batch.findings)
    }
    let isWanted = options.selection.accepts(
      payload, message.view, batch.index, message.envelope, message.kind, hostNames, &scratch)
    guard isWanted, !isFinished else {
      batch.index.questions.removeLast(Int(message.view.questionCount))
      batch.index.records.removeLast(Int(message.view.recordCount))
      batch.findings.removeLast(batch.findings.count - firstFinding)
      return
    }
    message.findings = firstFinding..<batch.findings.count
    if options.statistics {
      statistics.count(
        payload, message.view, batch.index, message.envelope, message.kind,
        isMalformed: message.isMalformed)
    }
    if options.names, let name = hostNames[message.envelope.source] {
      message.sourceName = Int32(truncatingIfNeeded: batch.names.count)
      batch.names.append(name)
    }
    if message.isMalformed { malformed &+= 1 } else { messages &+= 1 }
    message.sequence = nextSequence()
    message.sinceFirst = now.subtractingReportingOverflow(firstTime ?? now).partialValue
    message.sinceLast = now.subtractingReportingOverflow(lastTime ?? now).partialValue
    // Before the first frame with a time there is nothing to count from.
    if message.fractionDigits > 0 || lastTime != nil {
      firstTime = firstTime ?? now
      lastTime = now
    }
    batch.messages.append(message)
  }

  private mutating func judge(
    _ payload: Span<UInt8>, _ message: SniffedMessage, _ index: DNSMessageIndex,
    _ findings: inout [Finding]
  ) {
    linter.handle(
      payload, message.view, index, message.envelope, protocol: message.nameProtocol,
      kind: message.kind, into: &findings)
  }

  /// What the whole run showed: each rule once per source.
  public mutating func finishLint() -> [FindingSummary] { linter.finish(at: now) }

  /// Finds the kind (contract: `kind`) and the number of records with TTL 0.
  private mutating func classify(
    _ payload: Span<UInt8>, _ message: inout SniffedMessage, _ index: DNSMessageIndex
  ) {
    let view = message.view
    var goodbyes: Int32 = 0
    var goodbyeAnswers: Int32 = 0
    for place in view.records where index.records[place].ttl == 0 {
      // OPT keeps flags where others keep their TTL.
      if index.records[place].type == .opt { continue }
      goodbyes &+= 1
      if index.records[place].section == .answer { goodbyeAnswers &+= 1 }
    }
    message.goodbyes = goodbyes
    let isMulticast = message.nameProtocol == .mdns
    guard view.header.isResponse else {
      message.kind = isMulticast && view.authorityCount > 0 ? .probe : .query
      guard isMulticast else { return }
      for place in view.questions {
        let question = index.questions[place]
        let name = DNSNameView.hash(payload, at: Int(question.name))
        questions.insert(name, question.type, at: now)
        // Any question may be answered by what the name has (RFC 6762 section 6.1).
        questions.insert(name, .nsec, at: now)
      }
      return
    }
    message.kind = .response
    guard isMulticast, view.answerCount > 0 else { return }
    if goodbyeAnswers == view.answerCount {
      message.kind = .goodbye
    } else if message.envelope.destination.isMDNSGroup {
      for place in view.records(in: .answer) {
        let record = index.records[place]
        let name = DNSNameView.hash(payload, at: Int(record.name))
        if questions.wasAsked(name, record.type, at: now) { return }
      }
      message.kind = .announcement
    }
  }
}
