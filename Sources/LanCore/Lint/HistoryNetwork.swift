public import LanWire

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

/// An address prefix of a link.
struct LinkPrefix {
  var interface: Int32
  var address: IPAddress
  var length: Int

  func contains(_ other: IPAddress) -> Bool {
    switch (address, other) {
    case (.v4(let own), .v4(let other)):
      let mask = length == 0 ? 0 : UInt32.max << UInt32(32 - min(length, 32))
      return (own.bits ^ other.bits) & mask == 0
    case (.v6(let own), .v6(let other)):
      let high = length == 0 ? 0 : UInt64.max << UInt64(64 - min(length, 64))
      let low = length <= 64 ? 0 : UInt64.max << UInt64(128 - min(length, 128))
      return (own.high ^ other.high) & high == 0 && (own.low ^ other.low) & low == 0
    default: return false
    }
  }
}

/// Which kinds of IPv4 addresses the senders on a link have; a guess where no prefix is known.
struct ScopeHistory {
  private var scope: UInt32?
  private var addresses: [UInt32] = []
  private var isMixed = false

  /// 10/8, 172.16/12 and 192.168/16 (RFC 1918) whole, others by their first 16 bits.
  static func scope(_ address: IPv4Address) -> UInt32 {
    switch address.bits &>> 24 {
    case 10: 10
    case 172 where address.bits &>> 20 == 0xAC1: 172
    default: address.bits &>> 16
    }
  }

  /// Takes an address in; true when at least two others agree on a scope that it is not of.
  mutating func isForeign(_ address: IPv4Address, learning: Bool) -> Bool {
    if isMixed || address.isLinkLocal || address.isUnspecified { return false }
    let own = Self.scope(address)
    guard let scope else {
      if learning {
        self.scope = own
        addresses.append(address.bits)
      }
      return false
    }
    if own == scope {
      if learning, addresses.count < 2, !addresses.contains(address.bits) {
        addresses.append(address.bits)
      }
      return false
    }
    if addresses.count >= 2 { return true }
    if learning { isMixed = true }
    return false
  }
}

extension LintHistory {
  /// Tells a prefix of an interface, by a routing table, an ARP or a router advertisement.
  ///
  /// - Parameters:
  ///   - address: any address inside.
  ///   - length: bits of the prefix.
  ///   - interface: as in `MessageEnvelope.interface`.
  public mutating func learnPrefix(_ address: IPAddress, length: Int, interface: Int32) {
    guard length >= 0, prefixes.count < 64 else { return }
    prefixes.append(LinkPrefix(interface: interface, address: address, length: length))
  }

  /// Whether an address is on the link; nil when no prefix of its family is known.
  func isOnLink(_ address: IPAddress, _ interface: Int32) -> Bool? {
    if address.isLinkLocal { return true }
    var isKnown = false
    for prefix in prefixes
    where prefix.interface == interface && prefix.address.isIPv6 == address.isIPv6 {
      if prefix.contains(address) { return true }
      isKnown = true
    }
    return isKnown ? false : nil
  }

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

  static func hash(_ address: IPAddress) -> UInt64 {
    switch address {
    case .v4(let address): UInt64(address.bits)
    case .v6(let address): HistoryHash.mix(address.high, address.low)
    }
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

  /// storm: more than 10 messages a second of one host, or 100 of all, over five seconds.
  mutating func judgeRate(_ context: HistoryContext, into findings: inout [Finding]) {
    let time = now
    let all = segment.count(at: time)
    let own = withHost(context) { $0.rate.count(at: time) }
    guard own > 50 || all > 500 else { return }
    if own <= 50 {
      // The link as a whole is told about once in the time it is counted over.
      guard now &- segmentStorm > 5 * oneSecond else { return }
      segmentStorm = now
    }
    let text =
      own > 50
      ? "\(context.shown) sent \(own) messages within 5 s"
      : "the hosts on the link sent \(all) messages within 5 s"
    findings.append(
      Finding(LintRules.storm, text: text, frames: [context.frame], source: context.shown))
  }

  /// off-link-source (RFC 6762 section 11): to the group a foreign prefix is a hint only.
  mutating func judgeSource(
    _ context: HistoryContext, _ envelope: MessageEnvelope, into findings: inout [Finding]
  ) {
    guard !context.isTunnelled else { return }
    let known = isOnLink(context.source, context.interface)
    var isForeign = known == false
    if known == nil, case .v4(let address) = context.source {
      isForeign = seenScopes.isForeign(address, learning: true)
      if case .v4(let other) = context.destination, !other.isMulticast, other.bits != .max {
        _ = seenScopes.isForeign(other, learning: true)
      }
    }
    guard isForeign, !hosts[context.hostIndex].isForeign else { return }
    hosts[context.hostIndex].isForeign = true
    let severity: FindingSeverity =
      known == false && !envelope.destination.isMulticast ? .error : .info
    findings.append(
      Finding(
        LintRules.offLinkSource, severity: severity,
        text: known == false
          ? "\(context.source) is in no prefix of the interface"
          : "\(context.source) looks unlike the other addresses on the link",
        frames: [context.frame], source: context.shown))
  }

  /// address-not-on-link (RFC 6762 section 6.2).
  mutating func judgeAddresses(
    _ message: Span<UInt8>, _ index: DNSMessageIndex, _ context: HistoryContext,
    into findings: inout [Finding]
  ) {
    guard context.toGroup, !context.isTunnelled else { return }
    for record in scratch where record.ttl > 0 && (record.type == .a || record.type == .aaaa) {
      let view = index.records[Int(record.position)]
      guard let address = Self.address(message, view),
        let (why, severity) = fault(of: address, context)
      else { continue }
      findings.append(
        Finding(
          LintRules.addressNotOnLink, severity: severity,
          text: "\(DNSNameText.string(message, at: Int(view.name))) has the address \(address), "
            + why,
          frames: [context.frame], source: context.shown))
    }
  }

  private func fault(
    of address: IPAddress, _ context: HistoryContext
  ) -> (String, FindingSeverity)? {
    if address == context.source { return nil }
    switch address {
    case .v4(let v4):
      if v4.isLoopback { return ("which is loopback", .error) }
      if v4.isUnspecified { return ("which is no address", .error) }
    case .v6(let v6):
      if v6.isLoopback { return ("which is loopback", .error) }
      if v6.isUnspecified { return ("which is no address", .error) }
      if v6.isLinkLocal, let own = hosts.find(context.host).flatMap({ hosts[$0].linkLocal }),
        own != v6.low, context.hasMAC
      {
        return ("but it sends from another link-local address", .info)
      }
    }
    if address.isMulticast { return ("which is multicast", .error) }
    switch isOnLink(address, context.interface) {
    case false?: return ("which is in no prefix of the interface", .error)
    case true?: return nil
    case nil:
      guard case .v4(let v4) = address, case .v4(let own) = context.source,
        ScopeHistory.scope(v4) != ScopeHistory.scope(own), !own.isLinkLocal, !v4.isLinkLocal
      else { return nil }
      return ("which looks unlike \(context.source), the address that it sends from", .info)
    }
  }

  func milliseconds(_ duration: Int64) -> String { "\(duration / oneMillisecond) ms" }

  func seconds(_ duration: Int64) -> String {
    "\(duration / oneSecond).\(duration % oneSecond / (100 * oneMillisecond)) s"
  }
}
