import Glibc

/// The name of this machine.
package enum HostName {
  /// The part of the system's host name before the first dot, as it is; empty where there is none.
  package static var firstLabel: [UInt8] {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
    return buffer.prefix { $0 != 0 && $0 != 0x2E }.map(UInt8.init(bitPattern:))
  }
}
