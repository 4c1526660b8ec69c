import Glibc

/// Standard input, read whole.
package enum StandardInput {
  /// All bytes up to the end, or the first `limit` of them.
  ///
  /// - Throws: When it cannot be read.
  package static func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    var all: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while all.count < limit {
      let room = min(part.count, limit - all.count)
      let count = try systemCall("read", on: "standard input") {
        unsafe part.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, room) }
      }
      if count == 0 { break }
      all += part[..<count]
    }
    return all
  }
}
