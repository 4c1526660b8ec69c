import LanWire

/// Which datagrams are taken.
extension MDNSQuerier {
  /// Takes one datagram.
  ///
  /// Own questions that come back may be handed in: they are known by their bytes and an own
  /// address, and passed over. Those of another stack on the same host are those of another host.
  public mutating func handle(_ message: Span<UInt8>, _ arrival: MDNSArrival, at now: Int64) {
    clock = max(clock, now)
    guard let position = position(of: arrival.interfaceIndex) else { return }
    if let header = try? DNSHeader(message) {
      guard header.opcode == 0, header.rcode == 0 else { return }
      guard arrival.sourcePort == 5_353 else { return }
      if !arrival.isMulticast {
        guard header.isResponse, acceptsUnicast(from: arrival.source, position, now) else { return }
      }
      if !header.isResponse, links[position].isOwn(arrival.source),
        links[position].isEcho(message, at: now)
      {
        return
      }
    }
    index.removeAll()
    let view = index.read(message)
    if let problem = view.problem, !isHarmless(view) {
      complain(problem, arrival, now)
      return
    }
    serial &+= 1
    if view.header.isResponse {
      takeResponse(message, view, arrival, now)
    } else {
      takeQuery(message, view, position, now)
    }
  }

  /// A unicast answer is taken from a sender on the link within two seconds of a question that
  /// asked for it (RFC 6762 sections 6 and 11).
  private func acceptsUnicast(from source: IPAddress, _ position: Int, _ now: Int64) -> Bool {
    links[position].askedUnicast >= now - 2_000_000_000 && links[position].isOnLink(source)
  }

  /// True if only NSEC records are at fault, which must not void a message (RFC 6762 section 6.1).
  private func isHarmless(_ view: DNSMessageView) -> Bool {
    guard view.problem?.reason != .expansionLimit,
      view.questionCount == Int32(view.header.questionCount),
      view.answerCount == Int32(view.header.answerCount),
      view.authorityCount == Int32(view.header.authorityCount),
      view.additionalCount == Int32(view.header.additionalCount)
    else { return false }
    var hasFault = false
    for record in index.records[view.records] {
      guard let problem = record.problem, problem != .rdataSize else { continue }
      guard record.type == .nsec else { return false }
      hasFault = true
    }
    return hasFault
  }

  private mutating func complain(_ problem: WireError, _ arrival: MDNSArrival, _ now: Int64) {
    guard complaints.admits(arrival.source, at: now) else { return }
    output.diagnostics.append(
      .malformed(
        source: arrival.source, interfaceIndex: arrival.interfaceIndex, problem))
  }
}
