import CLan

/// The system's resolver as it is configured: `resolv.conf(5)` and `RES_OPTIONS`.
struct ResolverSettings: Hashable, Sendable {
  /// The servers, in their order.
  var servers: [SocketEndpoint]
  /// Seconds that one server is waited for.
  var timeout: Int32
  /// Rounds over all servers.
  var attempts: Int
  /// TCP alone (`options use-vc`).
  var usesStreams: Bool

  /// Reads the configuration; nil where the resolver cannot be set up.
  static func read() -> ResolverSettings? {
    var raw = lan_resolver()
    guard unsafe lan_resolver_read(&raw) == 0 else { return nil }
    let all = [raw.servers.0, raw.servers.1, raw.servers.2]
    return ResolverSettings(
      servers: all.prefix(Int(raw.count)).compactMap { SocketEndpoint($0) }, timeout: raw.timeout,
      attempts: Int(raw.attempts), usesStreams: raw.uses_streams != 0)
  }
}
