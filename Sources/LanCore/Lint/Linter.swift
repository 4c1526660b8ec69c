public import LanWire

/// Judges traffic by the rules of the protocols: message by message, and over time.
///
/// A message that breaks nothing costs no allocation. Memory is bounded: see `pairLimit`.
public struct Linter: Sendable {
  /// How many pairs of rule and source are told apart; later ones are only counted, in
  /// `uncounted`.
  public static let pairLimit = 4096

  /// Findings that no summary holds, because there were too many pairs of rule and source.
  public private(set) var uncounted = 0

  private let leastSeverity: FindingSeverity
  private var rules = MessageRules()
  private var history = LintHistory()
  private var copies = CopyDetector()
  private var summaries: [FindingSummary] = []
  private var positions: [Pair: Int] = [:]
  private var historyFindings: [Finding] = []

  private struct Pair: Hashable {
    var rule: String
    var source: IPAddress
  }

  /// A linter that has seen nothing.
  ///
  /// - Parameter leastSeverity: milder findings are neither made nor counted.
  public init(leastSeverity: FindingSeverity = .info) {
    self.leastSeverity = leastSeverity
  }

  /// Judges a message and appends what it shows by itself.
  ///
  /// A copy of a packet that came within 1 ms (a port mirror makes them) is not judged again.
  /// Messages come in the order of the capture.
  ///
  /// - Parameters:
  ///   - message: exactly the bytes of one message.
  ///   - view: the message as `index` read it; it may have a `problem`.
  ///   - index: holds the questions and records of `view`.
  ///   - envelope: how the message travelled.
  ///   - protocol: rules about multicast DNS judge `.mdns` only.
  ///   - kind: what the message is for.
  ///   - findings: gets one finding for each rule broken.
  public mutating func handle(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ envelope: MessageEnvelope, protocol: NameProtocol, kind: MessageKind,
    into findings: inout [Finding]
  ) {
    if view.problem != nil {
      rules.judgeNotDNS(message, view, index, envelope, `protocol`)
    } else {
      rules.judge(message, view, index, envelope, `protocol`)
    }
    report(message, view, envelope, &findings)
    history.handle(
      message, view, index, envelope, kind: kind, protocol: `protocol`, into: &historyFindings)
    collectHistory()
  }

  /// Tells the rules over time what a host or a querier says about a multicast group.
  ///
  /// - Parameters:
  ///   - membership: the IGMP or MLD message.
  ///   - nanoseconds: the time of the capture.
  ///   - frame: its frame.
  public mutating func handle(_ membership: GroupMembership, at nanoseconds: Int64, frame: Int) {
    let kind: MembershipKind
    switch membership.kind {
    case .query: kind = .query
    case .report: kind = .report
    case .leave: kind = .leave
    }
    history.handleMembership(
      kind, source: membership.ip.source, sourceMAC: membership.link.sourceMAC,
      group: membership.group, nanoseconds: nanoseconds, frame: frame, into: &historyFindings)
    collectHistory()
  }

  /// Tells the rules over time which addresses are on the link.
  ///
  /// - Parameters:
  ///   - address: any address of the prefix.
  ///   - length: how many bits the prefix has.
  ///   - interface: as in `MessageEnvelope.interface`.
  public mutating func learnPrefix(_ address: IPAddress, length: Int, interface: Int32) {
    history.learnPrefix(address, length: length, interface: interface)
  }

  /// Tells the rules over time that packets were lost, so that they stay silent about what may
  /// have been among them.
  public mutating func packetsWereLost() { history.packetsWereLost() }

  /// Ends the rules over time and sums everything up.
  ///
  /// - Parameter nanoseconds: the time of the capture's end, since the epoch.
  /// - Returns: one summary for each rule and source, the worst first, then in the order of their
  ///   first frames.
  public mutating func finish(at nanoseconds: Int64) -> [FindingSummary] {
    history.finish(at: nanoseconds, into: &historyFindings)
    collectHistory()
    return summaries.enumerated().sorted { left, right in
      if left.element.severity != right.element.severity {
        return left.element.severity > right.element.severity
      }
      let frames = (left.element.frames.first ?? 0, right.element.frames.first ?? 0)
      return frames.0 != frames.1 ? frames.0 < frames.1 : left.offset < right.offset
    }.map(\.element)
  }

  private mutating func report(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ envelope: MessageEnvelope,
    _ findings: inout [Finding]
  ) {
    guard !rules.marks.isEmpty, !copies.isCopy(message, envelope) else { return }
    for mark in rules.marks where mark.severity >= leastSeverity {
      let text = MessageFindingText(mark: mark, isResponse: view.header.isResponse)
      let finding = Finding(
        mark.rule.rule, severity: mark.severity, text: text.sentence(message),
        frames: [envelope.frame], source: envelope.source)
      findings.append(finding)
      count(finding)
    }
  }

  private mutating func collectHistory() {
    if historyFindings.isEmpty { return }
    for finding in historyFindings where finding.severity >= leastSeverity { count(finding) }
    historyFindings.removeAll(keepingCapacity: true)
  }

  private mutating func count(_ finding: Finding) {
    let pair = Pair(rule: finding.rule.id, source: finding.source)
    if let position = positions[pair] {
      summaries[position].add(finding)
    } else if summaries.count < Self.pairLimit {
      positions[pair] = summaries.count
      summaries.append(FindingSummary(finding))
    } else {
      uncounted += 1
    }
  }
}
