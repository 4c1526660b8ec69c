import Glibc
import LanWire

@testable import LanSystem

/// One blocking TCP connection of a test, with a limit of five seconds for everything.
final class PeerClient {
  enum Failure: Error { case refused(Int32) }

  private var descriptor: Int32

  /// Connects to an address of this host; `source` is where from.
  init(port: UInt16, to address: String = "127.0.0.1", from source: String? = nil) throws {
    let isIPv6 = address.contains(":")
    descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    if let source { try call { Self.with(source, 0) { bind(descriptor, $0, $1) } } }
    try call { Self.with(address, port) { connect(descriptor, $0, $1) } }
  }

  deinit { close() }

  private func call(_ body: () -> Int32) throws {
    guard body() == 0 else {
      let code = errno
      close()
      throw Failure.refused(code)
    }
  }

  private static func with(
    _ text: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    if text.contains(":") {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      inet_pton(AF_INET6, text, &address.sin6_addr)
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, text, &address.sin_addr)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Sends all bytes; false once that fails.
  @discardableResult func send(_ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// Sends without waiting as long as there is room; how many bytes that were.
  func sendAll(upTo limit: Int) -> Int {
    let chunk = [UInt8](repeating: 0, count: 65_536)
    var done = 0
    while done < limit {
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      let count = Glibc.send(descriptor, chunk, chunk.count, flags)
      guard count > 0 else { break }
      done += count
    }
    return done
  }

  /// Sends one byte that is marked as urgent.
  func sendUrgent(_ byte: UInt8) {
    var byte = byte
    Glibc.send(descriptor, &byte, 1, Int32(MSG_OOB))
  }

  /// Receives `count` bytes; fewer where the stream ends or breaks.
  func receive(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, let more = next(count - bytes.count), !more.isEmpty { bytes += more }
    return bytes
  }

  /// What comes next: empty at the end of the stream, nil where it is broken.
  func next(_ limit: Int = 65_536) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &buffer, limit, 0)
    return count < 0 ? nil : Array(buffer[..<count])
  }

  /// Ends this side of the connection.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes with a reset.
  func reset() {
    var none = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}
