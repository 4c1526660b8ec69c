import LanWire

/// Service types that are heard of: whoever asks which there are (RFC 6763 section 9) wants to know
/// of those too that only speak, so PTR records of a type's name are told him unasked.
extension MDNSQuerier {
  /// True if the newest record of a set is the first one to show a service type to whoever asks
  /// which there are.
  func showsType(_ set: Int32) -> Bool {
    interests.wantsTypes && cache.sets[set].type == .ptr && cache.sets[set].count == 1
      && cache.names[cache.sets[set].name].name.serviceTypeDepth != nil
  }

  /// Tells a record of each service type's name that the cache holds.
  mutating func tellTypes(interfaceIndex: UInt32?, _ now: Int64) {
    for name in 0..<cache.names.bound where cache.names[name].isUsed {
      let interface = cache.names[name].interfaceIndex
      guard interface == interfaceIndex ?? interface,
        cache.names[name].name.serviceTypeDepth != nil,
        let id = records(name, .ptr).first(where: { cache.records[$0].expires > now })
      else { continue }
      output.changes.append(.added(answer(id)))
    }
  }
}

extension DNSName {
  /// How many labels stand before the service type in a name whose PTR records are instances:
  /// none in `_ipp._tcp.local`, two in `_color._sub._ipp._tcp.local` (RFC 6763 sections 4.1 and
  /// 7.1); nil for another name.
  var serviceTypeDepth: Int? {
    if hasServiceType(at: 0) { return 0 }
    let second = Int(wire[0]) + 1
    return hasLabel(Self.sub, at: second) && hasServiceType(at: second + Self.sub.count + 1)
      ? 2 : nil
  }

  /// True for `_services._dns-sd._udp.local`: the name whose PTR records are service types.
  var isServiceTypeList: Bool {
    hasLabel(Self.services, at: 0) && hasLabel(Self.discovery, at: 10) && hasLabel(Self.udp, at: 18)
  }

  private static let sub = Array("_sub".utf8)
  private static let tcp = Array("_tcp".utf8)
  private static let udp = Array("_udp".utf8)
  private static let services = Array("_services".utf8)
  private static let discovery = Array("_dns-sd".utf8)

  private func hasServiceType(at place: Int) -> Bool {
    guard place < wire.count, wire[place] > 1, wire[place + 1] == 0x5F else { return false }
    if hasLabel(Self.discovery, at: place) { return false }
    let next = place + Int(wire[place]) + 1
    return hasLabel(Self.tcp, at: next) || hasLabel(Self.udp, at: next)
  }

  private func hasLabel(_ label: [UInt8], at place: Int) -> Bool {
    guard place < wire.count, Int(wire[place]) == label.count else { return false }
    return zip(wire[(place + 1)...], label).allSatisfy { DNSNameView.folded($0) == $1 }
  }
}
