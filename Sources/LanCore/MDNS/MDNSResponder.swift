public import LanWire

/// The answering side of multicast DNS on all links: claims names, announces, defends and answers
/// (RFC 6762 sections 6 to 10).
///
/// It reads no clock, asks no kernel and has no chance of its own. Drive it as `MDNSQuerier`: tell it
/// the links and the services, hand in each datagram, call `deadlineReached` when `nextDeadline` has
/// come, and perform `output` after any call. Times are nanoseconds of a monotonic clock.
public struct MDNSResponder: Sendable {
  /// What can be set.
  public struct Configuration: Hashable, Sendable {
    /// The first label of this machine's name, as it is wished for.
    public var hostLabel: [UInt8]
    /// Whether another label is chosen when that one is taken.
    public var mayRenameHost = true
    /// Port 5353 belongs to this program alone: probes ask for unicast answers, which would else
    /// reach only one of those who share it (RFC 6762 section 15.1).
    public var mayAskForUnicast = true

    /// A machine of this name.
    public init(hostLabel: [UInt8]) { self.hostLabel = hostLabel }
  }

  /// What is set.
  public let configuration: Configuration
  /// What is to be done; the caller performs and empties it after each call.
  public var output = MDNSResponderOutput()
  /// Own addresses that another stack on this machine answers for: they get no PTR of ours.
  public var foreignAddresses: Set<IPAddress> = [] {
    didSet { if foreignAddresses != oldValue { refreshReverse() } }
  }

  var zones: [MDNSZone] = []
  var publications: [UInt32: MDNSPublication] = [:]
  var hosts = MDNSPool<MDNSOwnHost>()
  /// Names that services of ours have, so that no two have the same.
  var serviceNames: [DNSName: UInt32] = [:]
  /// This machine's label as it is claimed now.
  var hostLabel: [UInt8]
  var lastID: UInt32 = 0
  /// Answers that wait for a time of their own, to one asker each.
  var replies: [MDNSReply] = []
  var held: [MDNSHeldQuery] = []
  var brake = MDNSConflictBrake()
  var chance: MDNSChance
  var writer = DNSMessageWriter(compression: .multicast)
  var index = DNSMessageIndex()
  /// The latest time that was told.
  var clock: Int64 = 0
  /// The number of the message that is being read, and of the packet that is written.
  var serial: UInt32 = 0
  var packetSerial: UInt32 = 0
  /// What a message asks for, kept for its memory.
  var chosen: [MDNSChoice] = []
  /// Records and names looked at, for tests of cost.
  var work = 0

  /// A responder without links and services.
  ///
  /// - Parameters:
  ///   - configuration: What is set.
  ///   - seed: Where chance begins; equal seeds and inputs give equal outputs.
  public init(_ configuration: Configuration, seed: UInt64) {
    self.configuration = configuration
    hostLabel = MDNSLabelSuffix.cut(configuration.hostLabel, to: DNSLimits.labelOctets)
    if hostLabel.isEmpty { hostLabel = Array("host".utf8) }
    chance = MDNSChance(seed: seed)
  }

  /// The host's name as it is claimed now, `deck.local`.
  public var hostName: DNSName {
    (try? DNSName(labels: [hostLabel, Array("local".utf8)])) ?? .root
  }

  /// True when nothing is published and all goodbyes are in `output`.
  public var isIdle: Bool { publications.isEmpty }

  // MARK: Messages and time

  /// Takes one datagram: a query, a probe, or a response of another host.
  ///
  /// Own ones that come back may be handed in.
  public mutating func handle(_ message: Span<UInt8>, _ arrival: MDNSArrival, at now: Int64) {
    clock = max(clock, now)
    guard !publications.isEmpty, let z = zone(of: arrival.interfaceIndex),
      let header = try? DNSHeader(message), header.opcode == 0, header.rcode == 0
    else { return }
    if header.isResponse, arrival.sourcePort != 5_353 { return }
    if isEcho(message, arrival, now) { return }
    index.removeAll()
    let view = index.read(message)
    guard isSound(view) else { return }
    serial &+= 1
    if header.isResponse {
      takeResponse(message, view, arrival, z, now)
    } else {
      takeQuery(message, view, arrival, z, now)
    }
  }

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {
    clock = max(clock, now)
    for z in zones.indices { runClaims(z, now) }
    for z in zones.indices { runAnnouncements(z, now) }
    releaseHeld(now)
    for z in zones.indices { runAnswers(z, now) }
    runReplies(now)
  }

  /// When `deadlineReached` is to be called next; nil for not before something else happens.
  public var nextDeadline: Int64? {
    var next = Int64.max
    for zone in zones {
      next = min(next, zone.claimQueue.earliest ?? .max, zone.announceQueue.earliest ?? .max)
      next = min(next, zone.answerDue)
    }
    for reply in replies { next = min(next, reply.due) }
    for query in held { next = min(next, query.due) }
    return next == .max ? nil : next
  }

  // MARK: Which messages are taken

  /// Where a link is in `zones`.
  func zone(of interface: UInt32) -> Int? { zones.firstIndex { $0.index == interface } }

  /// True for a packet of ours that came back, on whichever link.
  private func isEcho(_ message: Span<UInt8>, _ arrival: MDNSArrival, _ now: Int64) -> Bool {
    guard isOwn(arrival.source) else { return false }
    return zones.contains { $0.state.isEcho(message, at: now) }
  }

  /// True for an address of this machine.
  func isOwn(_ address: IPAddress) -> Bool { zones.contains { $0.state.isOwn(address) } }

  /// True for a message without fault, or with faults in NSEC records alone, which must not void
  /// it (RFC 6762 section 6.1).
  private func isSound(_ view: DNSMessageView) -> Bool {
    guard let problem = view.problem else { return true }
    guard problem.reason != .expansionLimit, view.header.isResponse,
      view.questionCount == Int32(view.header.questionCount),
      view.answerCount == Int32(view.header.answerCount),
      view.authorityCount == Int32(view.header.authorityCount),
      view.additionalCount == Int32(view.header.additionalCount)
    else { return false }
    return index.records[view.records].allSatisfy { record in
      record.problem == nil || record.problem == .rdataSize || record.type == .nsec
    }
  }
}
