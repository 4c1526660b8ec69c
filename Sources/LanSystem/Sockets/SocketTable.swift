import LanWire

/// The sockets of this network namespace that are bound to one port, as /proc/net lists them.
struct SocketTable {
  /// One socket.
  struct Entry: Hashable {
    var address: IPAddress
    /// True for a TCP socket that waits for connections.
    var isListening: Bool
    var user: UInt32
    var inode: UInt64
  }

  private(set) var entries: [Entry] = []
  /// False where /proc does not tell.
  private(set) var isKnown = false

  /// What the kernel tells now in `files` of /proc/net.
  init(_ files: [String], port: UInt16) {
    for file in files {
      // The thread may be in a namespace of its own.
      guard let bytes = SmallFile.read("/proc/thread-self/net/\(file)", limit: 1 << 20) else {
        continue
      }
      isKnown = true
      entries += Self.entries(on: port, in: String(decoding: bytes, as: UTF8.self))
    }
  }

  /// The sockets on `port` in a file like /proc/net/udp.
  static func entries(on port: UInt16, in text: String) -> [Entry] {
    text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      guard fields.count >= 10 else { return nil }
      let local = fields[1].split(separator: ":")
      guard local.count == 2, UInt16(local[1], radix: 16) == port,
        let address = address(local[0]), let user = UInt32(fields[7]),
        let inode = UInt64(fields[9])
      else { return nil }
      // State 0A is LISTEN.
      return Entry(address: address, isListening: fields[3] == "0A", user: user, inode: inode)
    }
  }

  /// The kernel prints an address as words in the machine's order.
  private static func address(_ text: Substring) -> IPAddress? {
    var words: [UInt32] = []
    var rest = text
    while rest.count >= 8, let word = UInt32(rest.prefix(8), radix: 16) {
      words.append(UInt32(bigEndian: word))
      rest = rest.dropFirst(8)
    }
    guard rest.isEmpty else { return nil }
    switch words.count {
    case 1: return .v4(IPv4Address(bits: words[0]))
    case 4:
      return .v6(
        IPv6Address(
          high: UInt64(words[0]) << 32 | UInt64(words[1]),
          low: UInt64(words[2]) << 32 | UInt64(words[3])))
    default: return nil
    }
  }
}
