/// Why a capture file cannot be read on; all frames before the fault were delivered.
public struct CaptureFileError: Error, Hashable, Sendable {
  /// A compression format that hides a capture file.
  public enum Compression: String, Hashable, Sendable {
    /// RFC 1952.
    case gzip
    /// RFC 8878.
    case zstd
    /// LZ4 frame format.
    case lz4
    /// The .xz format.
    case xz
    /// The bzip2 format.
    case bzip2
  }

  /// What is wrong with the file.
  public enum Reason: Hashable, Sendable {
    /// There is not a single byte.
    case empty
    /// The first bytes are those of no capture format.
    case notACapture
    /// The file is compressed.
    case compressed(Compression)
    /// A pcap or pcapng version that nobody has defined; the major number.
    case version(Int)
    /// The file ends inside a header, record or block: a capture that was cut or still grows.
    case endsInsideRecord
    /// A frame claims to have more than `CaptureLimits.frameBytes` bytes; the claimed number.
    case frameLength(Int)
    /// A pcapng block has an impossible length; the claimed number.
    case blockLength(Int)
    /// The length behind a pcapng block differs from the one before it; both numbers.
    case blockTrailer(Int, Int)
    /// A length inside a pcapng block leads out of it; the claimed number.
    case blockContent(Int)
    /// A packet of an interface that no block declared; its number in the section.
    case undeclaredInterface(Int)
    /// More interfaces than `CaptureLimits.interfaces`.
    case tooManyInterfaces
    /// A pcapng section without the byte order mark.
    case byteOrderMark
  }

  /// What is wrong.
  public var reason: Reason
  /// Offset in bytes from the start of the file to the record or block at fault.
  public var offset: Int

  /// Makes an error for `reason` at byte `offset` of the file.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// True for a file that is fine up to its cut end.
  public var isCutTail: Bool { reason == .endsInsideRecord }
}

extension CaptureFileError: CustomStringConvertible {
  /// The fault in words, with the offset where it helps and the remedy where there is one.
  public var description: String {
    switch reason {
    case .empty: "the file is empty"
    case .notACapture: "not a capture file (neither pcap nor pcapng)"
    case .compressed(let format):
      "compressed with \(format.rawValue); decompress it first: \(format.rawValue) -dc FILE"
    case .version(let major):
      "capture format version \(major) is not known, at byte \(offset)"
    case .endsInsideRecord:
      "ends inside a record: the one at byte \(offset) is cut short"
    case .frameLength(let length):
      "the record at byte \(offset) claims \(length) bytes, more than the limit of "
        + "\(CaptureLimits.frameBytes)"
    case .blockLength(let length):
      "the block at byte \(offset) has the impossible length \(length)"
    case .blockTrailer(let front, let back):
      "the block at byte \(offset) has length \(front) in front and \(back) behind"
    case .blockContent(let length):
      "a length of \(length) leads out of the block at byte \(offset)"
    case .undeclaredInterface(let number):
      "the packet at byte \(offset) is of interface \(number), which was not declared"
    case .tooManyInterfaces:
      "more than \(CaptureLimits.interfaces) interfaces, at byte \(offset)"
    case .byteOrderMark:
      "the section at byte \(offset) has no byte order mark"
    }
  }
}

/// Bounds on what a capture file may claim.
public enum CaptureLimits {
  /// The longest frame that is read, in bytes.
  public static let frameBytes = 262_144
  /// The longest pcapng block that is read as a whole, in bytes; others are stepped over.
  public static let blockBytes = 1_048_576
  /// How many interfaces are kept, over all sections of a file.
  public static let interfaces = 65_536
}
