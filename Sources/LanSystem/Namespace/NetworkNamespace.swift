import CLan
import Glibc
import Synchronization

/// Why a network namespace could not be entered.
public enum NamespaceError: Error, Hashable, Sendable {
  /// There is none of that name in /run/netns.
  case unknown(name: String)
  /// The process may not enter it; the remedy says how it could.
  case permissionDenied(name: String, remedy: String)
  /// Another system error.
  case system(name: String, SystemError)
}

extension NamespaceError: CustomStringConvertible {
  /// The namespace, the reason and what to do in one line.
  public var description: String {
    switch self {
    case .unknown(let name):
      "no network namespace '\(name)'; 'ip netns list' shows those that have a name"
    case .permissionDenied(let name, let remedy):
      "cannot enter network namespace '\(name)': permission denied; \(remedy)"
    case .system(let name, let error):
      "cannot enter network namespace '\(name)': \(error.reason)"
    }
  }
}

/// The named network namespaces of ip-netns(8).
public enum NetworkNamespace {
  private static let entered = Atomic<Bool>(false)

  /// True once this process has entered a namespace: /sys still shows the devices of the old one.
  static var wasEntered: Bool { entered.load(ordering: .relaxed) }

  /// Moves the calling thread into the namespace `name` of /run/netns.
  ///
  /// Enter before other threads start: they inherit the namespace, others stay behind. Sockets that
  /// exist already stay in theirs.
  ///
  /// - Throws: `NamespaceError` where there is none of that name, or entering it is not permitted.
  public static func enter(_ name: String) throws(NamespaceError) {
    guard !name.isEmpty, !name.contains("/"), !name.contains("\0"), name != ".", name != ".." else {
      throw .unknown(name: name)
    }
    do throws(SystemError) {
      let path = "/run/netns/\(name)"
      let file = FileDescriptor(
        owning: try systemCall("open", on: path) { unsafe open(path, O_RDONLY | O_CLOEXEC) })
      try systemCall("setns", on: name) { lan_setns_network(file.raw) }
    } catch {
      switch error.errno {
      case ENOENT, ENAMETOOLONG: throw .unknown(name: name)
      case EPERM, EACCES:
        throw .permissionDenied(name: name, remedy: Privilege.remedy(for: .sysAdmin))
      default: throw .system(name: name, error)
      }
    }
    entered.store(true, ordering: .relaxed)
  }
}
