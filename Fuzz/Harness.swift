import Glibc

// What both kinds of build of a target share: the fuzzer calls `LLVMFuzzerTestOneInput`, the
// plain build replays files and measures them. A target is one file that defines `examine`.

#if REPLAY
  /// Reads each file named on the command line and examines it; prints the slowest.
  ///
  /// Exits with 1 when an input takes more than 10 ms in the best of three tries.
  @main struct Replay {
    static func main() {
      var slowest: (path: String, nanoseconds: UInt64) = ("none", 0)
      for path in CommandLine.arguments.dropFirst() {
        let input = bytes(of: path)
        let best = (0..<3).map { _ in nanoseconds { examine(input.span) } }.min() ?? 0
        if best > slowest.nanoseconds { slowest = (path, best) }
      }
      let inputs = CommandLine.arguments.count - 1
      print("\(inputs) inputs, the slowest takes \(slowest.nanoseconds / 1000) us: \(slowest.path)")
      exit(slowest.nanoseconds > 10_000_000 ? 1 : 0)
    }

    private static func bytes(of path: String) -> [UInt8] {
      guard let file = unsafe fopen(path, "rb") else { return [] }
      defer { unsafe fclose(file) }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      return Array(buffer[..<count])
    }
  }
#else
  /// Inputs slower than this under the sanitizer are kept for the plain build to measure.
  private let suspect: UInt64 = 20_000_000
  nonisolated(unsafe) private var kept = 0

  /// What libFuzzer calls with each input.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func oneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Span(_unsafeElements: UnsafeBufferPointer(start: start, count: count))
    let time = nanoseconds { examine(input) }
    if time > suspect, kept < 50 { unsafe keep(start, count) }
    return 0
  }

  private func keep(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    guard let folder = unsafe getenv("FUZZ_SLOW"), let start = unsafe start else { return }
    kept += 1
    let path = unsafe String(cString: folder) + "/\(getpid())-\(kept)"
    guard let file = unsafe fopen(path, "wb") else { return }
    unsafe fwrite(start, 1, count, file)
    unsafe fclose(file)
  }
#endif

/// A rule that must hold for every input; breaking it is a finding like a crash.
func require(_ condition: Bool, _ rule: StaticString) {
  if !condition { fatalError("\(rule)") }
}

private func nanoseconds(_ body: () -> Void) -> UInt64 {
  let start = now()
  body()
  return now() - start
}

private func now() -> UInt64 {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
