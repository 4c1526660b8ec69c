import LanWire

/// A payload that was seen of late.
struct PayloadHistory {
  var first: Int64
  var last: Int64
  var host: UInt64
  var sender: UInt64
  var copies = 0
  var firstFrame: Int
  var lastFrame: Int
}

/// Whether a payload was seen before.
enum PayloadCopies {
  case new
  /// The same packet within a millisecond: a mirror port, or a bridge seen twice.
  case mirrored
  case seen
}

extension LintHistory {
  /// Notes a payload and tells whether it was seen within the last second.
  mutating func copies(of key: UInt64, _ envelope: MessageEnvelope) -> PayloadCopies {
    let sender = HistoryHash.mix(Self.hash(envelope.source), Self.hash(envelope.destination))
    guard let index = payloads.find(key) else {
      _ = payloads.insert(
        key,
        PayloadHistory(
          first: now, last: now, host: 0, sender: sender, firstFrame: envelope.frame,
          lastFrame: envelope.frame))
      return .new
    }
    if now &- payloads[index].last <= oneMillisecond, payloads[index].sender == sender {
      return .mirrored
    }
    payloads[index].sender = sender
    return .seen
  }

  /// reflector-loop: one payload from several hosts within a second.
  ///
  /// Lists of service types are left out: two hosts of one kind answer them with the same bytes.
  mutating func judgeReflection(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ context: HistoryContext, _ copies: PayloadCopies, into findings: inout [Finding]
  ) {
    guard let entry = payloads.find(context.payload) else { return }
    guard case .seen = copies, now &- payloads[entry].last <= oneSecond, context.toGroup else {
      payloads[entry].first = now
      payloads[entry].last = now
      payloads[entry].host = context.host
      payloads[entry].firstFrame = context.frame
      payloads[entry].lastFrame = context.frame
      payloads[entry].copies = 0
      return
    }
    let before = payloads[entry]
    payloads[entry].last = now
    payloads[entry].lastFrame = context.frame
    payloads[entry].host = context.host
    guard Self.areDistinct(before.host, context.host), before.host != 0,
      identifiesItsHost(message, view, index)
    else { return }
    payloads[entry].copies &+= 1
    let copies = payloads[entry].copies
    findings.append(
      Finding(
        LintRules.reflectorLoop, severity: copies >= 3 ? .error : .warning,
        text: "\(context.shown) sends the same \(message.count) bytes as "
          + "\(address(of: before.host)) \(milliseconds(now &- before.last)) before"
          + (copies > 1 ? ", copy \(copies) within a second each" : ""),
        frames: before.firstFrame == before.lastFrame
          ? [before.lastFrame, context.frame]
          : [before.firstFrame, before.lastFrame, context.frame],
        source: context.shown))
  }

  private func identifiesItsHost(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex
  ) -> Bool {
    for position in view.records(in: .answer) {
      let record = index.records[position]
      if record.ttl > 0, !HistoryNames.isTypeEnumeration(message, at: Int(record.name)) {
        return true
      }
    }
    return false
  }
}
