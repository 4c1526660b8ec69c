import Glibc
import LanWire

/// Who listens on a TCP port in this network namespace, as far as this user may know.
package struct PortHolder: Hashable, Sendable {
  /// The program's name; nil where that is not to be seen.
  package var process: String?
  /// The number of the process; nil where that is not to be seen.
  package var pid: Int32?
  /// The number of the user.
  package var user: UInt32

  /// Who has the port; nil where nobody is seen.
  package static func ofTCP(_ port: UInt16) -> PortHolder? {
    for file in ["tcp", "tcp6"] {
      // The thread may be in a namespace of its own.
      guard let bytes = SmallFile.read("/proc/thread-self/net/\(file)", limit: 1 << 20),
        let entry = listener(on: port, String(decoding: bytes, as: UTF8.self))
      else { continue }
      return holder(of: entry.inode, user: entry.user)
    }
    return nil
  }

  /// The listening socket on `port` in a file like /proc/net/tcp.
  static func listener(on port: UInt16, _ text: String) -> (user: UInt32, inode: UInt64)? {
    for line in text.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      // State 0A is LISTEN.
      guard fields.count >= 10, fields[3] == "0A",
        let place = fields[1].split(separator: ":").last, UInt16(place, radix: 16) == port,
        let user = UInt32(fields[7]), let inode = UInt64(fields[9])
      else { continue }
      return (user, inode)
    }
    return nil
  }

  private static func holder(of inode: UInt64, user: UInt32) -> PortHolder {
    var holder = PortHolder(user: user)
    let wanted = "socket:[\(inode)]"
    holder.pid = entries("/proc").lazy.compactMap { Int32($0) }.first { pid in
      entries("/proc/\(pid)/fd").contains { target("/proc/\(pid)/fd/\($0)") == wanted }
    }
    if let pid = holder.pid, let name = SmallFile.read("/proc/\(pid)/comm"), !name.isEmpty {
      holder.process = String(decoding: name, as: UTF8.self).filter { $0 != "\n" }
    }
    return holder
  }

  private static func entries(_ path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // In place: the entry may be shorter than its type.
      names.append(
        unsafe withUnsafePointer(to: &entry.pointee.d_name.0) { unsafe String(cString: $0) })
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

extension PortHolder: CustomStringConvertible {
  /// The process by name and number, else the user.
  package var description: String {
    switch (process, pid) {
    case (let process?, let pid?): "\(process) (process \(pid))"
    case (nil, let pid?): "process \(pid)"
    default: "a process of user \(user)"
    }
  }
}
