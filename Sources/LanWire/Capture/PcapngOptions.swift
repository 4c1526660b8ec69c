/// A walk over the options of a pcapng block; they end at code 0 or at the end of the block.
struct PcapngOptions {
  struct Option {
    var code: UInt16
    var value: Range<Int>
  }

  private var offset: Int
  private let end: Int
  private let isBigEndian: Bool

  init(_ range: Range<Int>, isBigEndian: Bool) {
    offset = range.lowerBound
    end = range.upperBound
    self.isBigEndian = isBigEndian
  }

  /// The next option; nil at the end and where an option runs past it.
  mutating func next(_ bytes: Span<UInt8>) -> Option? {
    guard end <= bytes.count, end &- offset >= 4 else { return nil }
    let code = bytes.uint16(at: offset, isBigEndian)
    let length = Int(bytes.uint16(at: offset &+ 2, isBigEndian))
    let start = offset &+ 4
    guard code != 0, length <= end &- start else { return nil }
    // Values are padded to 32 bits; the last padding may be missing.
    offset = min(start &+ (length &+ 3) & ~3, end)
    return Option(code: code, value: start..<(start &+ length))
  }
}

extension Span where Element == UInt8 {
  func uint16(at offset: Int, _ isBigEndian: Bool) -> UInt16 {
    isBigEndian ? uint16(at: offset) : littleUInt16(at: offset)
  }

  func uint32(at offset: Int, _ isBigEndian: Bool) -> UInt32 {
    isBigEndian ? uint32(at: offset) : littleUInt32(at: offset)
  }

  func uint64(at offset: Int, _ isBigEndian: Bool) -> UInt64 {
    isBigEndian ? uint64(at: offset) : uint64(at: offset).byteSwapped
  }

  /// The text at `range`, of 1,024 bytes at most; what is no UTF-8 becomes U+FFFD.
  func text(_ range: Range<Int>) -> String {
    var copy: [UInt8] = []
    copy.reserveCapacity(min(range.count, 1024))
    for index in range.prefix(1024) { copy.append(self[index]) }
    return String(decoding: copy, as: UTF8.self)
  }
}
