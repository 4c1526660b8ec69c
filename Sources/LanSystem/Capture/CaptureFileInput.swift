import CLan
import Glibc

/// Reads a capture file, or standard input, from its start to its end; it never seeks.
public final class CaptureFileInput: @unchecked Sendable {
  /// The path as it was given; `standard input` for `-`.
  public let name: String
  /// The signal that ended the input; nil for none.
  public private(set) var interruption: Int32?
  private let descriptor: FileDescriptor
  private let signals: FileDescriptor?
  /// Number of `signals`; negative without.
  private let signalNumber: Int32

  /// Opens `path`, or standard input for `-`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isInterruptible: Whether the first SIGINT or SIGTERM is the end of the input instead of
  ///     that of the program, as for a pipe that has no end of its own; a second one has its
  ///     usual effect.
  /// - Throws: `notFound`, `permissionDenied`, `isDirectory`, or another `FileError`.
  public init(_ path: String, isInterruptible: Bool = false) throws(FileError) {
    name = path == "-" ? "standard input" : path
    do throws(SystemError) {
      if isInterruptible {
        let file = try Self.openSignals()
        signalNumber = file.raw
        signals = consume file
      } else {
        signalNumber = -1
        signals = nil
      }
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

  private static var endingSignals: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGINT)
    unsafe sigaddset(&set, SIGTERM)
    return set
  }

  private static func openSignals() throws(SystemError) -> FileDescriptor {
    var set = endingSignals
    let file = FileDescriptor(
      owning: try systemCall("signalfd") {
        unsafe signalfd(-1, &set, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
      })
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    return file
  }

  /// Waits for bytes; false when a signal or `deadline` came first.
  private func waitForBytes(until deadline: Int64?) throws(FileError) -> Bool {
    guard interruption == nil else { return false }
    var waits = [pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)]
    if signalNumber >= 0 {
      waits.append(pollfd(fd: signalNumber, events: Int16(POLLIN), revents: 0))
    }
    var timeout: Int32 = -1
    if let deadline {
      timeout = Int32(clamping: max(0, deadline - MonotonicClock.now) / 1_000_000 + 1)
    }
    do throws(SystemError) {
      try systemCall("poll") { unsafe poll(&waits, nfds_t(waits.count), timeout) }
    } catch {
      throw FileError(error, path: name)
    }
    if waits.count > 1, waits[1].revents != 0 { takeSignal() }
    return interruption == nil && waits[0].revents != 0
  }

  private func takeSignal() {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard unsafe Glibc.read(signalNumber, &info, size) == size else { return }
    interruption = Int32(info.ssi_signo)
    // Whoever signals twice does not want to wait for the summary.
    var set = Self.endingSignals
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Reads the next bytes as `read(into:at:)` does, but at most until `deadline` (monotonic
  /// nanoseconds) or a signal.
  ///
  /// - Returns: How many came; 0 also when the time is up or a signal came, see `interruption`.
  /// - Throws: `FileError` when the medium fails.
  public func read(
    into buffer: inout [UInt8], at offset: Int, until deadline: Int64?
  ) throws(FileError) -> Int {
    if signalNumber >= 0 || deadline != nil {
      guard try waitForBytes(until: deadline) else { return 0 }
    }
    return try read(into: &buffer, at: offset)
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
