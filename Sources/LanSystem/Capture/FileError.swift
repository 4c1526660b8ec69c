import Glibc

/// Why a file could not be opened, read or written.
public enum FileError: Error, Hashable, Sendable {
  /// There is no such file, or no such folder to put it into.
  case notFound(path: String)
  /// The file's permissions forbid it.
  case permissionDenied(path: String)
  /// It is a folder.
  case isDirectory(path: String)
  /// The reader of a pipe has gone; end quietly.
  case closedPipe(path: String)
  /// Another system error.
  case system(path: String, SystemError)

  init(_ error: SystemError, path: String) {
    switch error.errno {
    case ENOENT: self = .notFound(path: path)
    case EACCES, EPERM: self = .permissionDenied(path: path)
    case EISDIR: self = .isDirectory(path: path)
    case EPIPE: self = .closedPipe(path: path)
    default: self = .system(path: path, error)
    }
  }
}

extension FileError: CustomStringConvertible {
  /// The file and the reason in one line.
  public var description: String {
    switch self {
    case .notFound(let path): "\(path): no such file or directory"
    case .permissionDenied(let path): "\(path): permission denied"
    case .isDirectory(let path): "\(path): is a directory"
    case .closedPipe(let path): "\(path): broken pipe"
    case .system(let path, let error): "\(path): \(error.reason)"
    }
  }
}
