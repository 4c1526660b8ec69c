import Glibc

/// Reads small files, such as those of sysfs, in one go, and writes some.
enum SmallFile {
  /// The first `limit` bytes of the file at `path`; nil where it cannot be read.
  static func read(_ path: String, limit: Int = 4096) -> [UInt8]? {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(owning: number)
    var bytes = [UInt8](repeating: 0, count: min(limit, 4096))
    var count = 0
    while count < limit {
      if count == bytes.count {
        // What is not needed is neither cleared nor kept.
        bytes += [UInt8](repeating: 0, count: min(bytes.count, limit - count))
      }
      let room = bytes.count - count
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(file.raw, buffer.baseAddress?.advanced(by: count), room)
      }
      if got < 0, errno == EINTR { continue }
      if got < 0 { return nil }
      if got == 0 { break }
      count += got
    }
    bytes.removeSubrange(count...)
    return bytes
  }

  /// Makes a folder and those above it, for this user alone; false where that fails.
  static func makeFolder(_ path: String) -> Bool {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      guard unsafe mkdir(made, 0o700) == 0 || errno == EEXIST else { return false }
    }
    return true
  }

  /// Puts a file with these bytes, which this user alone can read, in the place of the one at `path`;
  /// false where that fails, and then that one is as it was.
  @discardableResult
  static func replace(_ path: String, with bytes: [UInt8]) -> Bool {
    let draft = "\(path).\(getpid())"
    unsafe unlink(draft)
    let number = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard number >= 0 else { return false }
    let file = FileDescriptor(owning: number)
    let isWritten = write(bytes, to: file.raw)
    let isKept = (try? file.close()) != nil
    if isWritten, isKept, unsafe rename(draft, path) == 0 { return true }
    unsafe unlink(draft)
    return false
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}
