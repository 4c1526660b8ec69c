import CLan
import Glibc

/// A right that Linux gives apart from being root (capabilities(7)).
public enum Capability: Int, Hashable, Sendable {
  /// Raw and packet sockets: capture, ping.
  case netRaw = 13
  /// Taking ports below 1024.
  case netBindService = 10
  /// Changing interfaces: monitor mode.
  case netAdmin = 12
  /// Entering a network namespace.
  case sysAdmin = 21

  /// The name that setcap takes.
  public var name: String {
    switch self {
    case .netRaw: "cap_net_raw"
    case .netBindService: "cap_net_bind_service"
    case .netAdmin: "cap_net_admin"
    case .sysAdmin: "cap_sys_admin"
    }
  }
}

/// What this process may do, and what to tell a user when it may not.
public enum Privilege {
  /// True if the calling thread has `capability` now.
  public static func holds(_ capability: Capability) -> Bool {
    var bits: UInt64 = 0
    guard unsafe lan_effective_capabilities(&bits) == 0 else { return false }
    return bits >> UInt64(capability.rawValue) & 1 == 1
  }

  /// What to do about a missing capability, with the program's own path.
  public static func remedy(for capability: Capability) -> String {
    "run as root or 'setcap \(capability.name)+ep \(executablePath)'"
  }

  /// The path of the running program; its bare name where the kernel does not tell.
  public static var executablePath: String {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe path.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { text -> Int in
        guard let start = text.baseAddress else { return -1 }
        return unsafe readlink("/proc/self/exe", start, text.count)
      }
    }
    return count > 0 ? String(decoding: path[..<count], as: UTF8.self) : "lantool"
  }
}
