import Glibc

/// How a write to a standard stream ended.
package enum StreamResult: Equatable, Sendable {
  /// All bytes were taken.
  case written
  /// The reader has gone away (EPIPE): end quietly with `BrokenPipe.end()`.
  case closed
  /// The system refused the bytes, with this errno.
  case failed(Int32)
}

/// Standard output, unbuffered.
package enum StandardOutput {
  /// Writes all of `bytes`, however many calls that takes.
  @discardableResult
  package static func write(_ bytes: Span<UInt8>) -> StreamResult {
    writeAll(bytes, to: STDOUT_FILENO)
  }

  /// Writes `text` as UTF-8.
  @discardableResult
  package static func write(_ text: String) -> StreamResult { write(Array(text.utf8).span) }

  /// Writes a text that needs no memory of its own.
  @discardableResult
  package static func write(_ text: StaticString) -> StreamResult {
    write(unsafe Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

/// Standard error, unbuffered.
package enum StandardError {
  /// Writes `text` as UTF-8; there is nobody to tell when that fails.
  package static func write(_ text: String) {
    var out = OutputBuffer(capacity: 256)
    out.append(text: text)
    if !TerminalOutput.localeHasUTF8, isatty(STDERR_FILENO) == 1 { out.escapeNonASCII() }
    out.withBytes { _ = writeAll($0, to: STDERR_FILENO) }
  }
}

/// What happens when the reader of a pipe goes away.
package enum BrokenPipe {
  /// Makes writes give EPIPE in place of a signal, so that files and groups can be left in order.
  package static func ignoreSignal() { _ = signal(SIGPIPE, SIG_IGN) }

  /// Ends the process as soon as nobody reads standard output any more, not only at the next write,
  /// which may be hours away.
  ///
  /// Does nothing where standard output is no pipe.
  package static func endWithReader(on reactor: Reactor) {
    var status = stat()
    guard unsafe fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
      return
    }
    _ = try? reactor.watch(STDOUT_FILENO, for: []) { readiness in
      if readiness.contains(.error) { end() }
    }
  }

  /// Ends the process as the signal would have, which shells and pipelines know as a quiet end.
  package static func end() -> Never {
    _ = signal(SIGPIPE, SIG_DFL)
    _ = raise(SIGPIPE)
    _exit(128 + SIGPIPE)
  }
}

/// The system's text for an errno value.
package func systemMessage(_ code: Int32) -> String {
  guard let text = unsafe strerror(code) else { return "error \(code)" }
  return unsafe String(cString: text)
}

private func writeAll(_ bytes: Span<UInt8>, to descriptor: Int32) -> StreamResult {
  var done = 0
  while done < bytes.count {
    let count = unsafe bytes.extracting(done..<bytes.count).withUnsafeBytes {
      unsafe write(descriptor, $0.baseAddress, $0.count)
    }
    if count >= 0 {
      done += count
      continue
    }
    switch errno {
    case EINTR: continue
    case EPIPE: return .closed
    case EAGAIN:
      // Somebody else made the shared terminal or pipe non-blocking.
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&ready, 1, -1)
    default: return .failed(errno)
    }
  }
  return .written
}
