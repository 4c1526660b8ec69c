import Glibc
import LanWire

/// The configuration of the host's resolver.
enum ResolverConfiguration {
  /// The file that systemd-resolved writes its real servers to.
  static let resolvedPath = "/run/systemd/resolve/resolv.conf"
  private static let sizeLimit = 1 << 16

  /// The servers that the file at `path` names; those behind it where it names a local stub.
  static func nameServers(
    path: String = "/etc/resolv.conf", behindStub: String = resolvedPath
  ) -> [NameServer] {
    let servers = parse(SmallFile.read(path, limit: sizeLimit) ?? [])
    // 127.0.0.53 and .54 are systemd-resolved's.
    let stubs = [0x7F00_0035, 0x7F00_0036].map { IPAddress.v4(IPv4Address(bits: $0)) }
    let isStub = servers.contains { stubs.contains($0.address) }
    guard isStub, let real = SmallFile.read(behindStub, limit: sizeLimit) else { return servers }
    let behind = parse(real)
    return behind.isEmpty ? servers : behind
  }

  /// The servers of a resolv.conf(5), in its order.
  static func parse(_ bytes: [UInt8]) -> [NameServer] {
    var servers: [NameServer] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      guard words.count > 1, String(decoding: words[0], as: UTF8.self) == "nameserver" else {
        continue
      }
      let text = String(decoding: words[1], as: UTF8.self)
      let parts = text.split(separator: "%", maxSplits: 1)
      guard let first = parts.first, let address = IPAddress(parsing: String(first)) else {
        continue
      }
      servers.append(NameServer(address, zone: parts.count > 1 ? String(parts[1]) : ""))
    }
    return servers
  }
}
