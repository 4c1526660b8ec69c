import LanWire

extension LintHistory {
  /// nsec-contradiction and nsec-per-family (RFC 6762 sections 6.1 and 6.2) against earlier
  /// messages; the message itself is judged alone.
  func judgeDenial(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ record: HistoryRecord,
    _ context: HistoryContext, into findings: inout [Finding]
  ) {
    let view = index.records[Int(record.position)]
    guard record.ttl > 0, case .nsec(_, let bitmaps) = view.data(message) else { return }
    var denied: (a: Bool, aaaa: Bool, srv: Bool, txt: Bool) = (true, true, true, true)
    var types = NSECTypeIterator(bitmaps)
    while let type = types.next(message) {
      switch type.rawValue {
      case 1: denied.a = false
      case 28: denied.aaaa = false
      case 33: denied.srv = false
      case 16: denied.txt = false
      default: break
      }
    }
    if denied.a { judgeDenial(of: .a, message, view, record, context, into: &findings) }
    if denied.aaaa { judgeDenial(of: .aaaa, message, view, record, context, into: &findings) }
    if denied.srv { judgeDenial(of: .srv, message, view, record, context, into: &findings) }
    if denied.txt { judgeDenial(of: .txt, message, view, record, context, into: &findings) }
  }

  private func judgeDenial(
    of type: DNSRecordType, _ message: Span<UInt8>, _ view: DNSRecordView,
    _ record: HistoryRecord, _ context: HistoryContext, into findings: inout [Finding]
  ) {
    let set = HistoryHash.mix(record.name, UInt64(type.rawValue))
    guard let entry = sets.find(setKey(set, context.host)),
      sets[entry].lastFrame != context.frame
    else { return }
    let history = sets[entry]
    var frame = 0
    for place in 0..<history.count where history.members[place].expiry > now {
      frame = history.members[place].frame
    }
    guard frame > 0 else { return }
    let perFamily = history.families & context.family == 0
    let name = DNSNameText.string(message, at: Int(view.name))
    findings.append(
      Finding(
        perFamily ? LintRules.nsecPerFamily : LintRules.nsecContradiction,
        text: perFamily
          ? "\(context.shown) denies that \(name) has \(type) records, and sends them over "
            + (context.family == 1 ? "IPv6" : "IPv4")
          : "\(context.shown) denies that \(name) has \(type) records, which it sent before",
        frames: [frame, context.frame], source: context.shown))
  }
}
