public import LanWire

/// A message of the protocols that join groups (RFC 3376, RFC 3810).
@frozen public enum MembershipKind: UInt8, Sendable {
  /// A querier asks who is in which group.
  case query
  /// A report that lets other members stay silent: IGMPv1, IGMPv2, MLDv1.
  case report
  /// A report of one host alone: IGMPv3, MLDv2.
  case currentState
  /// A host leaves.
  case leave
}

/// What is known of the link's querier.
struct QuerierHistory {
  var queries = 0
  var first: Int64 = 0
  var last: Int64 = 0
  var beforeLast: Int64 = 0
  var thirdLast: Int64 = 0
  var reports = 0
  var suppresses = false
  var lastFrame = 0
  var lastSource = IPAddress.v4(IPv4Address(bits: 0))
}

extension LintHistory {
  /// Takes an IGMP or MLD message about a multicast DNS group (or a general query) in.
  ///
  /// - Parameters:
  ///   - kind: what it says.
  ///   - source: the sender.
  ///   - sourceMAC: the sender's link-layer address, where there is one.
  ///   - group: the group; unspecified in a general query.
  ///   - nanoseconds: the time of the capture.
  ///   - frame: its frame.
  public mutating func handleMembership(
    _ kind: MembershipKind, source: IPAddress, sourceMAC: MACAddress?, group: IPAddress,
    nanoseconds: Int64, frame: Int, into findings: inout [Finding]
  ) {
    advance(to: nanoseconds, into: &findings)
    if kind == .query {
      querier.queries &+= 1
      querier.thirdLast = querier.beforeLast
      querier.beforeLast = querier.last
      querier.last = now
      return
    }
    guard group.isMDNSGroup else { return }
    let envelope = MessageEnvelope(
      frame: frame, nanoseconds: nanoseconds, source: source, destination: group,
      sourceMAC: sourceMAC)
    var context = HistoryContext(envelope, now: now, kind: .query)
    let nothing: [UInt8] = []
    var index = DNSMessageIndex()
    let view = index.read(nothing.span)
    context.host = hostKey(nothing.span, view, index, envelope)
    let isNew = enterHost(context)
    querier.reports &+= 1
    querier.lastFrame = frame
    querier.lastSource = source
    if kind == .report { querier.suppresses = true }
    let time = now
    _ = withHost(context) { host in
      if kind != .leave { host.reportedAt = time }
      if isNew { host.joinedAt = time }
    }
  }

  /// membership: who was silent over three rounds of the querier, and whether there is one.
  mutating func judgeMembership(into findings: inout [Finding]) {
    if querier.queries == 0 {
      guard querier.reports > 0, let start, now &- start > 260 * second else { return }
      findings.append(
        Finding(
          LintRules.membership,
          text: "hosts report their groups, but no querier asks; a snooping switch forgets them",
          frames: [querier.lastFrame], source: querier.lastSource))
      return
    }
    guard querier.queries >= 4, !querier.suppresses, querier.reports > 0 else { return }
    for index in 0..<hosts.count {
      let host = hosts[index]
      guard let queried = host.queriedAt, queried > querier.thirdLast,
        host.firstSeen < querier.thirdLast, (host.reportedAt ?? 0) < querier.thirdLast
      else { continue }
      findings.append(
        Finding(
          LintRules.membership,
          text: "\(host.source) sends queries but did not report the group to the last three "
            + "queries of the querier",
          frames: [], source: host.source))
    }
  }
}
