import Glibc
import LanWire

/// Who has UDP port 5353 open in this network namespace.
///
/// Read from /proc/net: a trial bind without reuse would for its time keep another stack, which
/// starts at that moment, from binding.
struct MDNSPortUse {
  /// One socket on the port.
  struct Entry: Hashable {
    var address: IPAddress
    var user: UInt32
    var inode: UInt64
  }

  static let port: UInt16 = 5353
  private(set) var entries: [Entry] = []
  /// False where /proc does not tell.
  private(set) var isKnown = false

  /// What the kernel tells now.
  static func current() -> MDNSPortUse {
    var use = MDNSPortUse()
    for file in ["udp", "udp6"] {
      // The thread may be in a namespace of its own.
      guard let bytes = SmallFile.read("/proc/thread-self/net/\(file)", limit: 1 << 18) else {
        continue
      }
      use.isKnown = true
      use.entries += read(String(decoding: bytes, as: UTF8.self))
    }
    return use
  }

  /// True if another socket would take unicast datagrams to the port; a socket that is bound to a
  /// group takes none.
  var takesUnicast: Bool { entries.contains { !$0.address.isMulticast } }

  /// The sockets on port 5353 in a file like /proc/net/udp.
  static func read(_ text: String) -> [Entry] {
    text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      guard fields.count >= 10 else { return nil }
      let local = fields[1].split(separator: ":")
      guard local.count == 2, UInt16(local[1], radix: 16) == port,
        let address = address(local[0]), let user = UInt32(fields[7]),
        let inode = UInt64(fields[9])
      else { return nil }
      return Entry(address: address, user: user, inode: inode)
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

  /// Who holds the port, as far as this user may know; nil where /proc does not tell.
  func owner() -> MDNSPortOwner? {
    guard let entry = entries.first else { return nil }
    var owner = MDNSPortOwner(user: entry.user)
    let inodes = Set(entries.map { "socket:[\($0.inode)]" })
    guard
      let pid = Self.directory("/proc").lazy.compactMap({ Int32($0) }).first(where: { pid in
        Self.directory("/proc/\(pid)/fd").contains {
          Self.target("/proc/\(pid)/fd/\($0)").map(inodes.contains) ?? false
        }
      })
    else { return owner }
    owner.pid = pid
    if let name = SmallFile.read("/proc/\(pid)/comm"), !name.isEmpty {
      owner.process = String(decoding: name, as: UTF8.self).filter { $0 != "\n" }
    }
    return owner
  }

  private static func directory(_ path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // In place: the entry may be shorter than its type.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name.0) {
        unsafe String(cString: $0)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func target(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 64)
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
