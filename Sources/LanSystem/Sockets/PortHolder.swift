import Glibc

/// Who holds a port in this network namespace, as far as this user may know.
public struct PortHolder: Hashable, Sendable {
  /// The program's name; nil where that is not to be seen.
  public var process: String?
  /// The number of the process; nil where that is not to be seen.
  public var pid: Int32?
  /// The number of the user.
  public var user: UInt32

  /// A holder of these facts.
  public init(process: String? = nil, pid: Int32? = nil, user: UInt32) {
    self.process = process
    self.pid = pid
    self.user = user
  }

  /// Who listens on a TCP port; nil where nobody is seen.
  package static func ofTCP(_ port: UInt16) -> PortHolder? {
    PortHolder(SocketTable(["tcp", "tcp6"], port: port).entries.filter(\.isListening))
  }

  /// The first process found that has one of the sockets, else the user of the first; nil where
  /// there are none.
  init?(_ sockets: [SocketTable.Entry]) {
    guard let first = sockets.first else { return nil }
    user = first.user
    let wanted = Set(sockets.map { "socket:[\($0.inode)]" })
    pid = Self.entries("/proc").lazy.compactMap { Int32($0) }.first { pid in
      Self.entries("/proc/\(pid)/fd").contains {
        Self.target("/proc/\(pid)/fd/\($0)").map(wanted.contains) ?? false
      }
    }
    if let pid, let name = SmallFile.read("/proc/\(pid)/comm"), !name.isEmpty {
      process = String(decoding: name, as: UTF8.self).filter { $0 != "\n" }
    }
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
  public var description: String {
    switch (process, pid) {
    case (let process?, let pid?): "\(process) (process \(pid))"
    case (nil, let pid?): "process \(pid)"
    default: "a process of user \(user)"
    }
  }
}
