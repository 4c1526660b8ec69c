import LanCore
import LanSystem
import LanWire

/// The address of a DNS server as a user types it.
enum ServerAddress {
  /// The port of DNS.
  static let defaultPort: UInt16 = 53

  /// `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53`, `[2001:db8::53]:5353`, `fe80::53%eth0`.
  static func parse(_ text: String) -> SocketEndpoint? {
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let inside = text[text.index(after: text.startIndex)..<end]
      guard inside.contains(":") else { return nil }
      let rest = text[text.index(after: end)...]
      if rest.isEmpty { return endpoint(inside, port: defaultPort) }
      guard rest.first == ":", let port = port(rest.dropFirst()) else { return nil }
      return endpoint(inside, port: port)
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return endpoint(text[...], port: defaultPort) }
    guard let port = port(parts[1]) else { return nil }
    return endpoint(parts[0], port: port)
  }

  private static func port(_ text: Substring) -> UInt16? {
    guard let first = text.utf8.first, (0x30...0x39).contains(first), let port = UInt16(text)
    else { return nil }
    return port > 0 ? port : nil
  }

  private static func endpoint(_ text: Substring, port: UInt16) -> SocketEndpoint? {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(parsing: String(parts[0])), !address.isMulticast,
      !address.isUnspecified
    else { return nil }
    guard parts.count == 2 else {
      return address.needsZone ? nil : SocketEndpoint(address, port: port)
    }
    guard address.needsZone else { return nil }
    guard let scope = InterfaceList.index(of: String(parts[1])) ?? UInt32(parts[1]) else {
      return nil
    }
    return SocketEndpoint(address, port: port, scope: scope)
  }
}
