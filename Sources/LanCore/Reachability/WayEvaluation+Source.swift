import LanWire

extension WayEvaluation {
  /// Why packets cannot be sent from the address that the kernel chose; nil if they can.
  func sourceProblem(_ egress: UInt32) -> VerdictReason? {
    guard let source = way.source else { return better(.noSource, egress) }
    if source.isLoopback {
      let isLoopback = facts.links[egress]?.flags.contains(.loopback) ?? false
      return isLoopback || destination.isLoopback ? nil : better(.noSource, egress)
    }
    let holders = facts.addresses.holding(source)
    let usable = holders.filter {
      $0.standing.isUsable && facts.links[$0.interfaceIndex]?.isUp == true
    }
    if usable.isEmpty {
      if holders.contains(where: { $0.standing == .tentative }) { return .sourceTentative }
      return holders.contains { $0.standing == .failed } ? .sourceFailed : .noSource
    }
    if isIPv6, source.isLinkLocal, !isLinkScoped { return better(.sourceLinkLocal, egress) }
    return nil
  }

  /// IPv6 destinations for which a link-local source will do.
  private var isLinkScoped: Bool { destination.needsZone || destination.isLoopback }

  /// A reason that tells more: an address of the link that is not usable yet, or any more.
  private func better(_ reason: VerdictReason, _ egress: UInt32) -> VerdictReason {
    let candidates = facts.addresses.of(egress).filter {
      $0.address.isIPv6 == isIPv6 && (isLinkScoped || !isIPv6 || !$0.address.isLinkLocal)
    }
    if candidates.contains(where: { $0.standing == .tentative }) { return .sourceTentative }
    return candidates.contains { $0.standing == .failed } ? .sourceFailed : reason
  }
}
