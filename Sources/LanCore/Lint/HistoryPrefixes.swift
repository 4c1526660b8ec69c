public import LanWire

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
}
