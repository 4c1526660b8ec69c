import Foundation

/// The comments of a little-endian pcapng file's packets by frame number.
///
/// A reader of its own, since the program's own reader is what the tests are about.
func pcapngComments(_ path: String) throws -> [Int: String] {
  let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
  var comments: [Int: String] = [:]
  var frame = 0
  var offset = 0
  while offset + 12 <= file.count {
    let length = file.little32(offset + 4)
    guard length >= 12, offset + length <= file.count else { break }
    if file.little32(offset) == 6 {
      frame += 1
      let captured = file.little32(offset + 20)
      let options = offset + 28 + (captured + 3) / 4 * 4
      comments[frame] = comment(file, from: options, to: offset + length - 4)
    }
    offset += length
  }
  return comments
}

private func comment(_ file: [UInt8], from start: Int, to end: Int) -> String? {
  var offset = start
  while offset + 4 <= end {
    let code = file.little32(offset) & 0xFFFF
    let length = file.little32(offset) >> 16
    if code == 1, offset + 4 + length <= end {
      return String(decoding: file[offset + 4..<offset + 4 + length], as: UTF8.self)
    }
    if code == 0 { return nil }
    offset += 4 + (length + 3) / 4 * 4
  }
  return nil
}

extension [UInt8] {
  fileprivate func little32(_ offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(self[offset + $1]) << (8 * $1) }
  }
}
