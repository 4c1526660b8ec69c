import Glibc

/// Reads a capture file, or standard input, from its start to its end; it never seeks.
public final class CaptureFileInput: @unchecked Sendable {
  /// The path as it was given; `standard input` for `-`.
  public let name: String
  private let descriptor: FileDescriptor

  /// Opens `path`, or standard input for `-`.
  ///
  /// - Throws: `notFound`, `permissionDenied`, `isDirectory`, or another `FileError`.
  public init(_ path: String) throws(FileError) {
    name = path == "-" ? "standard input" : path
    do throws(SystemError) {
      // A copy of number 0, so that closing it leaves the real one alone.
      descriptor = FileDescriptor(
        owning: try systemCall("open") {
          path == "-" ? fcntl(0, F_DUPFD_CLOEXEC, 3) : unsafe open(path, O_RDONLY | O_CLOEXEC)
        })
      var status = stat()
      try systemCall("fstat") { unsafe fstat(descriptor.raw, &status) }
      guard status.st_mode & S_IFMT != S_IFDIR else {
        throw SystemError(call: "open", errno: EISDIR)
      }
      if status.st_mode & S_IFMT == S_IFREG {
        // A hint only: it fails where the file system does not care.
        posix_fadvise(descriptor.raw, 0, 0, POSIX_FADV_SEQUENTIAL)
      }
    } catch {
      throw FileError(error, path: name)
    }
  }

  /// Reads the next bytes into `buffer` from `offset` on, waiting for a pipe to give some.
  ///
  /// - Returns: How many came; 0 at the end of the file, or when there is no room.
  /// - Throws: `FileError` when the medium fails.
  public func read(into buffer: inout [UInt8], at offset: Int = 0) throws(FileError) -> Int {
    guard offset >= 0, offset < buffer.count else { return 0 }
    let number = descriptor.raw
    let result = unsafe buffer.withUnsafeMutableBytes { bytes -> Result<Int, SystemError> in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
      guard let start = rest.baseAddress else { return .success(0) }
      return Result { () throws(SystemError) in
        try systemCall("read") { unsafe Glibc.read(number, start, rest.count) }
      }
    }
    switch result {
    case .success(let count): return count
    case .failure(let error): throw FileError(error, path: name)
    }
  }

  /// Reads until `buffer` is full from `offset` on, or the file ends.
  ///
  /// - Returns: How many bytes came; fewer than there is room for only at the end.
  /// - Throws: `FileError` when the medium fails.
  public func fill(_ buffer: inout [UInt8], from offset: Int = 0) throws(FileError) -> Int {
    var end = offset
    while end < buffer.count {
      let count = try read(into: &buffer, at: end)
      if count == 0 { break }
      end += count
    }
    return end - offset
  }
}
