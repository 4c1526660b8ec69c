import Glibc

/// A file that a user names, read whole.
package enum InputFile {
  /// All bytes of the file at `path`, or the first `limit` of them.
  ///
  /// - Throws: When it cannot be read; the subject is the path.
  package static func readAll(_ path: [UInt8], limit: Int) throws(SystemError) -> [UInt8] {
    let subject = String(decoding: path, as: UTF8.self)
    let terminated = path.map(CChar.init(bitPattern:)) + [0]
    let number = try systemCall("open", on: subject) {
      unsafe open(terminated, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    }
    let file = FileDescriptor(owning: number)
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16_384)
    while all.count < limit {
      let room = min(part.count, limit - all.count)
      let count = try systemCall("read", on: subject) {
        unsafe part.withUnsafeMutableBytes { unsafe read(file.raw, $0.baseAddress, room) }
      }
      if count == 0 { break }
      all += part[..<count]
    }
    return all
  }
}
