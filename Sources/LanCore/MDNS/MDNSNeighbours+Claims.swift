public import LanWire

/// Stacks that come later, or while it is being found out.
extension MDNSNeighbours {
  func isOwn(_ address: IPAddress, _ index: UInt32) -> Bool {
    links[index]?.prefixes.contains { $0.address == address } ?? false
  }

  /// Remembers what is sent, to know it again, and under which host name.
  public mutating func willSend(_ bytes: [UInt8], hostName: DNSName, at now: Int64) {
    if sent.count >= 64 { sent.removeFirst(32) }
    sent.append((MDNSHash.datagram(bytes.span), now))
    if host == .own { claimed.insert(hostName) }
  }

  /// Looks at a datagram before the responder does: where another stack on this machine claims what
  /// we have, it gets it.
  ///
  /// - Parameters:
  ///   - message: The datagram.
  ///   - arrival: How it came.
  ///   - hostName: The name that the responder claims now.
  ///   - now: The time.
  public mutating func look(
    at message: Span<UInt8>, _ arrival: MDNSArrival, hostName: DNSName, at now: Int64
  ) {
    guard !isForeign, arrival.sourcePort == 5_353, isOwn(arrival.source, arrival.interfaceIndex)
    else { return }
    let hash = MDNSHash.datagram(message)
    if sent.contains(where: { $0.hash == hash && now - $0.time <= Self.echoSpan }) { return }
    index.removeAll()
    let view = index.read(message)
    guard view.problem == nil, view.header.opcode == 0 else { return }
    let claims = claims(view, message, arrival.interfaceIndex, hostName)
    if host == .own, !claims.reverse.isEmpty { keepOffReverseNames() }
    guard !isGiven else { return }
    if host == .undecided {
      // A stack that starts just now: it has no answers yet.
      if let name = claims.reverse.first { giveWay(to: name, at: now) }
    } else if !claims.addresses.isEmpty, !hasReturned {
      // Equal data are no conflict; but who claims a part of our addresses takes the rest for one.
      let ours = Set((links[arrival.interfaceIndex]?.prefixes ?? []).map(\.address))
      if claims.addresses != ours { giveWay(to: hostName, at: now) }
    }
  }

  /// The addresses that a message of this machine gives our host name, and the names that it gives
  /// our addresses.
  private func claims(
    _ view: DNSMessageView, _ message: Span<UInt8>, _ link: UInt32, _ hostName: DNSName
  ) -> (addresses: Set<IPAddress>, reverse: [DNSName]) {
    var claims: (addresses: Set<IPAddress>, reverse: [DNSName]) = ([], [])
    // A query claims by its authority section alone (RFC 6762 section 8.2).
    let records = view.header.isResponse ? view.records : view.records(in: .authority)
    for position in records where index.records[position].ttl > 0 {
      guard let record = try? DNSRecord(index.records[position], message) else { continue }
      switch record.data {
      case .a(let address) where record.name == hostName: claims.addresses.insert(.v4(address))
      case .aaaa(let address) where record.name == hostName: claims.addresses.insert(.v6(address))
      case .ptr(let target) where !isOurs(target):
        let question = MDNSQuestion(record.name, .ptr, interfaceIndex: link)
        if questions[question] != nil { claims.reverse.append(target) }
      default: break
      }
    }
    return claims
  }

  /// Uses another stack's host name, which is still to be heard.
  private mutating func giveWay(to name: DNSName, at now: Int64) {
    decide(.foreign(name), at: now)
    doubt(at: now, for: Self.grace)
  }
}
