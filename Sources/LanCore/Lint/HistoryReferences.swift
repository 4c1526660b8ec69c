import LanWire

/// Something that a record refers to and that was not seen yet.
struct ReferenceWait {
  /// What is missed.
  enum Subject: UInt8 { case service, text, address }

  var subject: Subject
  /// Hash of the name that is missed.
  var target: UInt64
  var since: Int64
  var frame: Int
  var source: IPAddress
  /// True when the host just started the service: it had probed for the name.
  var isFresh: Bool
  var name: HistoryNameRing.Reference
}

extension LintHistory {
  /// Starts waiting for what the records of a response refer to.
  mutating func noteReferences(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ context: HistoryContext
  ) {
    guard context.toGroup, now &- settled >= second else { return }
    for record in scratch where record.ttl > 0 && record.section == .answer {
      let view = index.records[Int(record.position)]
      switch view.data(message) {
      case .name(let target) where record.sharing == .shared:
        guard !HistoryNames.isTypeEnumeration(message, at: Int(view.name)) else { continue }
        let name = DNSNameView.hash(message, at: target) ^ context.salt
        wait(for: .service, name, message, target, record, context)
      case .srv(_, _, let port, let target):
        wait(for: .text, record.name, message, Int(view.name), record, context)
        // A placeholder without a service behind it leads nowhere on purpose.
        guard port != 0 else { continue }
        let name = DNSNameView.hash(message, at: target) ^ context.salt
        wait(for: .address, name, message, target, record, context)
      default: continue
      }
    }
  }

  private mutating func wait(
    for subject: ReferenceWait.Subject, _ target: UInt64, _ message: Span<UInt8>, _ offset: Int,
    _ record: HistoryRecord, _ context: HistoryContext
  ) {
    guard !isPresent(subject, target), HistoryNames.firstLabel(message, at: offset) != nil else {
      return
    }
    let probe = probes.find(probeKey(record.name, context))
    let isFresh = probe.map { now &- probes[$0].last <= 10 * second } ?? false
    references.append(
      ReferenceWait(
        subject: subject, target: target, since: now, frame: context.frame,
        source: context.shown, isFresh: isFresh, name: names.store(message, at: offset)),
      due: now &+ 5 * second)
  }

  private func isPresent(_ subject: ReferenceWait.Subject, _ name: UInt64) -> Bool {
    func lives(_ type: UInt64) -> Bool { isAlive(HistoryHash.mix(name, type)) }
    return switch subject {
    case .service: lives(33)
    case .text: lives(16)
    case .address: lives(1) || lives(28)
    }
  }

  private func wasAsked(_ wait: ReferenceWait) -> Bool {
    func asks(_ type: UInt64) -> Bool {
      questions.find(HistoryHash.mix(wait.target, type)).map {
        questions[$0].last >= wait.since
      } ?? false
    }
    return switch wait.subject {
    case .service: asks(33)
    case .text: asks(16)
    case .address: asks(1) || asks(28)
    }
  }

  /// dangling-reference (RFC 6763 section 12) and txt-missing (section 6).
  ///
  /// What nobody asked for is a hint, as the asker may know the answer from before the capture.
  mutating func judgeReference(_ wait: ReferenceWait, into findings: inout [Finding]) {
    guard !isPresent(wait.subject, wait.target) else { return }
    let asked = wasAsked(wait)
    if wait.subject == .text, wait.isFresh {
      findings.append(
        Finding(
          LintRules.txtMissing,
          text: "\(wait.source) starts \(names.text(wait.name)) with an SRV and no TXT record",
          frames: [wait.frame], source: wait.source))
      return
    }
    guard asked || wait.subject == .address else { return }
    let what =
      switch wait.subject {
      case .service: "no SRV record of the instance \(names.text(wait.name)) comes"
      case .text: "no TXT record of the instance \(names.text(wait.name)) comes"
      case .address: "no address of \(names.text(wait.name)) comes"
      }
    findings.append(
      Finding(
        LintRules.danglingReference, severity: asked ? .warning : .info,
        text: "\(wait.source) refers to it, but \(what) within 5 s"
          + (asked ? ", though asked for" : ""),
        frames: [wait.frame], source: wait.source))
  }
}
