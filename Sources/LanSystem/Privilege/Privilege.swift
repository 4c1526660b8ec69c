import CLan
import Glibc

/// A right that Linux gives apart from being root (capabilities(7)).
public enum Capability: Int, Hashable, Sendable {
  /// Reading and writing files whatever their permissions.
  case dacOverride = 1
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
    case .dacOverride: "cap_dac_override"
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

  /// Gives up every capability of the calling thread but `kept`, and those of programs it may run.
  ///
  /// The user stays the same. Capabilities belong to threads: call it before others are started.
  ///
  /// - Throws: `SystemError` where the kernel refuses; nothing is given up then.
  public static func keepOnly(_ kept: Set<Capability>) throws(SystemError) {
    let bits = kept.reduce(UInt64(0)) { $0 | 1 << UInt64($1.rawValue) }
    try systemCall("capset") { lan_keep_capabilities(bits) }
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
