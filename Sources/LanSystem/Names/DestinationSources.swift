import CLan
import Glibc
public import LanCore
import LanWire

/// The order in which addresses are to be tried, by the routes of this host (RFC 6724 section 6).
public enum DestinationSources {
  /// The answers with each run of addresses of the network in order; addresses of the system's
  /// resolver have the system's order already.
  static func ordered(_ answers: [ResolveAnswer]) -> [ResolveAnswer] {
    var result: [ResolveAnswer] = []
    var run: [ResolvedAddress] = []
    let own = (try? InterfaceList.all()) ?? []
    func endRun() {
      let order = run.count < 2 ? run : DestinationOrder.sorted(run) { candidate($0, own) }
      result += order.map { .address($0) }
      run = []
    }
    for answer in answers {
      guard case .address(let address) = answer, address.origin.isOrderable else {
        endRun()
        result.append(answer)
        continue
      }
      if run.last?.origin.provider != address.origin.provider { endRun() }
      run.append(address)
    }
    endRun()
    return result
  }

  /// Endpoints in the order to be tried in.
  public static func ordered(_ endpoints: [SocketEndpoint]) -> [SocketEndpoint] {
    let own = (try? InterfaceList.all()) ?? []
    return DestinationOrder.sorted(endpoints) { candidate($0, own) }
  }

  /// For each address the rule that puts it before the next one; nil for the last one, and where
  /// the rules would have it the other way round, as gai.conf can say.
  public static func rules(_ addresses: [ResolvedAddress]) -> [DestinationOrder.Rule?] {
    let own = (try? InterfaceList.all()) ?? []
    let candidates = addresses.map { candidate($0, own) }
    return candidates.indices.map { index in
      guard index + 1 < candidates.count else { return nil }
      return DestinationOrder.rule(candidates[index], before: candidates[index + 1])
    }
  }

  private static func candidate(
    _ address: ResolvedAddress, _ own: [NetworkInterface]
  ) -> DestinationOrder.Candidate {
    let scope = address.address.needsZone ? address.origin.interfaceIndex ?? 0 : 0
    return candidate(SocketEndpoint(address.address, port: 9, scope: scope), own)
  }

  private static func candidate(
    _ endpoint: SocketEndpoint, _ own: [NetworkInterface]
  ) -> DestinationOrder.Candidate {
    guard let source = source(of: endpoint) else {
      return DestinationOrder.Candidate(endpoint.address, source: nil)
    }
    let length = own.lazy.flatMap(\.addresses).first { $0.address == source }?.prefixLength ?? 0
    return DestinationOrder.Candidate(
      endpoint.address, source: DestinationOrder.Source(source, prefixLength: length))
  }

  /// The address that a datagram would be sent from; connecting sends none.
  private static func source(of endpoint: SocketEndpoint) -> IPAddress? {
    let domain = endpoint.address.isIPv6 ? AF_INET6 : AF_INET
    let number = socket(domain, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return nil }
    let descriptor = FileDescriptor(owning: number)
    var raw = endpoint.raw
    guard unsafe lan_connect(descriptor.raw, &raw) == 0 else { return nil }
    var local = lan_endpoint()
    guard unsafe lan_local_endpoint(descriptor.raw, &local) == 0 else { return nil }
    return SocketEndpoint(local)?.address
  }
}

extension ResolveOrigin {
  /// It came from the network without the system's resolver in between.
  fileprivate var isOrderable: Bool { provider == .mdns && ttl != nil || server != nil }
}
