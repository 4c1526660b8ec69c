import LanSystem
import LanWire

/// Writes names in presentation form, and each part of a message's names only once.
///
/// Compression makes names of one message share their ends. What was written for a place in the
/// message is copied when another name leads there.
struct NameWriter {
  private struct Memo {
    /// Offset of a label in the message; negative for none.
    var offset: Int32
    var message: UInt32
    /// Where the label's text starts in the output, and where that of its name ends.
    var start: Int32
    var end: Int32
  }

  private static let places = 64
  private var memos = InlineArray<64, Memo>(
    repeating: Memo(offset: -1, message: 0, start: 0, end: 0))
  private var message: UInt32 = 0
  private let style: EscapeStyle

  /// A writer for JSON strings or for people.
  init(_ style: EscapeStyle) { self.style = style }

  /// Forgets the message before: offsets and the output mean something else now.
  @inline(__always) mutating func begin() { message &+= 1 }

  /// Writes the name at `offset`, without trailing dot; the root is `.`.
  mutating func append(_ offset: Int, _ bytes: Span<UInt8>, to out: inout OutputBuffer) {
    var labels = DNSLabelIterator(at: offset)
    let begin = out.count
    // At most eight labels are remembered; names on a local network have fewer.
    var pending = InlineArray<8, Int32>(repeating: 0)
    var starts = InlineArray<8, Int32>(repeating: 0)
    var count = 0
    while let label = labels.next(bytes) {
      if out.count > begin { out.append(byte: 0x2E) }
      let memo = memos[label.offset & (Self.places &- 1)]
      if memo.offset == Int32(truncatingIfNeeded: label.offset), memo.message == message {
        out.repeatBytes(Int(memo.start)..<Int(memo.end))
        break
      }
      if count < 8 {
        pending[count] = Int32(truncatingIfNeeded: label.offset)
        starts[count] = Int32(truncatingIfNeeded: out.count)
        count &+= 1
      }
      out.append(bytes, label.range, escape: style)
    }
    if out.count == begin { out.append(byte: 0x2E) }
    let end = Int32(truncatingIfNeeded: out.count)
    for index in 0..<count {
      memos[Int(pending[index]) & (Self.places &- 1)] = Memo(
        offset: pending[index], message: message, start: starts[index], end: end)
    }
  }
}
