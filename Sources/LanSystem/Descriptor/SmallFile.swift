import Glibc

/// Reads small files, such as those of sysfs, in one go.
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
}
