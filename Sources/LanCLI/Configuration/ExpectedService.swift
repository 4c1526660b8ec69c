import LanCore
import LanWire

/// A name that `--expect` waits for.
struct ExpectedService: Hashable {
  /// As typed.
  let typed: String
  private let folded: String
  private let name: DNSName?

  init(_ typed: String) {
    self.typed = typed
    folded = typed.lowercased()
    name = try? DNSName(typed)
  }

  /// True for the instance itself (`Deck`), for its whole name (`Deck._ipp._tcp.local`), and for
  /// that without the domain.
  ///
  /// The case of letters does not matter, nor how a letter with a mark is composed.
  func matches(_ service: DiscoveredService) -> Bool {
    if String(decoding: service.instance, as: UTF8.self).lowercased() == folded { return true }
    guard let name else { return false }
    if name == service.name { return true }
    guard let whole = try? name.appending(service.domain) else { return false }
    return whole == service.name
  }
}
