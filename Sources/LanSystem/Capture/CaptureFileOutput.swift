import Glibc

/// Writes encoded packets to a file, a ring of files, or standard output.
///
/// The bytes are the caller's; this keeps packets whole when files change, and buffers.
public final class CaptureFileOutput {
  /// When bytes reach the file.
  public enum Flushing: Hashable, Sendable {
    /// When 64 KiB have come together, and at the end.
    case buffered
    /// With every packet, for readers beside us.
    case eachPacket
  }

  /// The file that is being written; `standard output` for `-`.
  public private(set) var name = ""

  private static let bufferSize = 64 << 10
  private let path: String
  private let ring: CaptureRing?
  private let flushing: Flushing
  private let header: () -> [UInt8]
  private var descriptor: FileDescriptor?
  private var buffer: [UInt8] = []
  private var headerLength = 0
  private var written = 0
  private var sequence = 0
  private var kept: [String] = []

  /// Creates the file (an old one is emptied) and writes its header.
  ///
  /// - Parameters:
  ///   - path: The file; `-` is standard output, which cannot be a ring.
  ///   - ring: The bounds of several files; nil writes one.
  ///   - flushing: When bytes reach the file.
  ///   - header: The bytes that each new file starts with.
  /// - Throws: `FileError` when the file cannot be created or written.
  public init(
    _ path: String, ring: CaptureRing? = nil, flushing: Flushing = .buffered,
    header: @escaping () -> [UInt8]
  ) throws(FileError) {
    self.path = path
    self.ring = path == "-" ? nil : ring
    self.flushing = flushing
    self.header = header
    try openNext()
  }

  deinit {
    // For a caller that forgot close(): what fails here nobody can be told.
    try? flush()
  }

  /// Begins the next file of a ring where `count` more bytes do not fit into this one.
  ///
  /// For encodings that depend on what the file has already; call it before encoding, then
  /// `write` with `rotating` off.
  ///
  /// - Throws: `FileError` when the old file cannot be finished or the new one not be created.
  public func makeRoom(for count: Int) throws(FileError) {
    if let ring, written > 0, headerLength + written + count > ring.fileSize { try rotate() }
  }

  /// Writes one packet as encoded by the caller; it is never split over two files.
  ///
  /// - Parameters:
  ///   - packet: the bytes.
  ///   - rotating: whether a full file of a ring is left for the next one first.
  /// - Throws: `closedPipe` when the reader of a pipe has gone, or another `FileError`.
  public func write(_ packet: Span<UInt8>, rotating: Bool = true) throws(FileError) {
    if rotating { try makeRoom(for: packet.count) }
    append(packet)
    written += packet.count
    if flushing == .eachPacket || buffer.count >= Self.bufferSize { try flush() }
  }

  /// Gives everything to the system.
  ///
  /// - Throws: `closedPipe` when the reader of a pipe has gone, or another `FileError`.
  public func flush() throws(FileError) {
    guard !buffer.isEmpty, let number = descriptor?.raw else { return }
    defer { buffer.removeAll(keepingCapacity: true) }
    let result = unsafe buffer.withUnsafeBufferPointer { bytes -> Result<Void, SystemError> in
      Result { () throws(SystemError) in
        var done = 0
        while done < bytes.count {
          done += try systemCall("write") {
            unsafe Glibc.write(number, bytes.baseAddress?.advanced(by: done), bytes.count - done)
          }
        }
      }
    }
    if case .failure(let error) = result { throw FileError(error, path: name) }
  }

  /// Writes the rest and closes; a file of a ring is also synchronised to the medium.
  ///
  /// - Throws: What kept the last bytes from being written.
  public func close() throws(FileError) {
    try flush()
    guard let file = descriptor.take() else { return }
    do throws(SystemError) {
      if ring != nil { try systemCall("fsync") { fsync(file.raw) } }
      try file.close()
    } catch {
      throw FileError(error, path: name)
    }
  }

  private func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
  }

  private func rotate() throws(FileError) {
    try close()
    try openNext()
  }

  private func openNext() throws(FileError) {
    sequence += 1
    let next = ring == nil ? path : CaptureRing.path(path, sequence: sequence, time: time(nil))
    name = path == "-" ? "standard output" : next
    do throws(SystemError) {
      descriptor = FileDescriptor(
        owning: try systemCall("open") {
          path == "-"
            ? fcntl(1, F_DUPFD_CLOEXEC, 3)
            : unsafe open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        })
    } catch {
      throw FileError(error, path: name)
    }
    if let count = ring?.fileCount {
      kept.append(next)
      // One that somebody else has removed meanwhile is gone, which is what was wanted.
      if kept.count > count { unsafe unlink(kept.removeFirst()) }
    }
    let start = header()
    append(start.span)
    // Only packets count as written: a header alone never makes a file full.
    written = 0
    if flushing == .eachPacket { try flush() }
    headerLength = start.count
  }
}
