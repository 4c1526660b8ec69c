import LanWire

/// The addresses of one host on one link, as its A and AAAA records say.
///
/// A host that changes its address announces the new one, and the old one goes a second later
/// (RFC 6762 section 10.2). To show that as one change, an address with the cache-flush bit is held
/// back for 1.1 s where an older one of its family is known, or until that one goes.
struct HostAddresses: Sendable {
  private struct Known: Sendable {
    var address: IPAddress
    var received: Int64
    /// Not shown before this.
    var heldUntil: Int64
  }

  /// What an address changes.
  enum Effect: Hashable, Sendable {
    /// Nothing.
    case none
    /// It is shown.
    case shown
    /// It will be shown at a time.
    case held(until: Int64)
  }

  /// Addresses that are followed.
  private static let addressLimit = 64

  private var known: [Known] = []
  /// The families that the host says it has no address of.
  var denied: MDNSFamilies = []
  /// The families that were asked for in vain.
  var exhausted: MDNSFamilies = []
  /// Nothing is known, held addresses included.
  var isEmpty: Bool { known.isEmpty }

  /// Takes the address of an answer.
  mutating func add(_ address: IPAddress, _ answer: MDNSAnswer, at now: Int64) -> Effect {
    guard known.count < Self.addressLimit, !known.contains(where: { $0.address == address })
    else { return .none }
    let isHeld =
      answer.isUnique && now < answer.received + InstanceResolution.flushTime
      && known.contains {
        $0.address.isIPv6 == address.isIPv6
          && $0.received + InstanceResolution.youth <= answer.received
      }
    let until = isHeld ? now + InstanceResolution.flushTime : Int64.min
    known.append(Known(address: address, received: answer.received, heldUntil: until))
    denied.remove(MDNSFamilies(address))
    exhausted.remove(MDNSFamilies(address))
    return isHeld ? .held(until: until) : .shown
  }

  /// Forgets an address, and shows what was held back for it; false if it was not known.
  mutating func remove(_ address: IPAddress) -> Bool {
    guard let index = known.firstIndex(where: { $0.address == address }) else { return false }
    known.remove(at: index)
    for index in known.indices where known[index].address.isIPv6 == address.isIPv6 {
      known[index].heldUntil = .min
    }
    return true
  }

  /// The addresses to show, IPv4 first, each family in the order of arrival.
  func shown(at now: Int64) -> [IPAddress] {
    let shown = known.filter { $0.heldUntil <= now }
    guard shown.count > 1 else { return shown.map(\.address) }
    return shown.filter { !$0.address.isIPv6 }.map(\.address)
      + shown.filter { $0.address.isIPv6 }.map(\.address)
  }

  /// True if there is an address to show.
  func hasShown(at now: Int64) -> Bool { known.contains { $0.heldUntil <= now } }
}
