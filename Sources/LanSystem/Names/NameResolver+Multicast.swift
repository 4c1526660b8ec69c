import LanCore
import LanWire

extension NameResolver {
  /// Asks the links of this host for the addresses of a name in `.local` (RFC 6762 section 3).
  ///
  /// For systems whose resolver knows nothing of multicast DNS. Blocks until there is an answer, or
  /// the questions have been sent as often as is proper (5 s).
  ///
  /// - Returns: nil for any other name, and where nobody answers or nobody can be asked.
  static func multicastAddresses(of name: String) -> [IPAddress]? {
    guard let query = try? ResolveQuery.parse(name, ResolveQuery.Hints()),
      case .host = query.subject,
      query.name?.hasSuffix(.local) == true, let reactor = try? Reactor()
    else { return nil }
    var found: [IPAddress] = []
    let resolver = ServiceResolver(query, in: ResolverContext(on: reactor))
    resolver.onEvent = { event in
      switch event {
      case .didResolve(let answers):
        for case .address(let answer) in answers where !found.contains(answer.address) {
          found.append(answer.address)
        }
      case .didStop: reactor.stop()
      default: break
      }
    }
    resolver.resolve()
    guard (try? reactor.run()) != nil, !found.isEmpty else { return nil }
    return found
  }
}
