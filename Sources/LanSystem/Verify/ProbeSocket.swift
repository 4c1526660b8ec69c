import CLan
import Glibc
import LanCore
import LanWire

/// A socket that is bound as its target is, and connected.
final class ProbeSocket {
  /// Why there is none.
  enum Failure: Error {
    /// It may not, or cannot, be made.
    case probe(ProbeReport.Failure)
    /// The connection was refused at once.
    case errno(Int32)
  }

  private let descriptor: FileDescriptor
  private var token: WatchToken?

  /// Opens, binds and begins to connect.
  ///
  /// - Throws: `Failure`.
  init(
    _ request: ProbeRequest, _ endpoint: SocketEndpoint, type: Int32, protocol number: Int32
  ) throws(Failure) {
    let isIPv6 = endpoint.address.isIPv6
    let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    do throws(SystemError) {
      descriptor = FileDescriptor(
        owning: try systemCall("socket") {
          socket(isIPv6 ? AF_INET6 : AF_INET, type | flags, number)
        })
      // The reasons of routers on the way come as errors then; an older kernel does without.
      lan_report_errors(descriptor.raw, isIPv6 ? 1 : 0)
      try Self.bind(descriptor.raw, request, isIPv6: isIPv6)
    } catch {
      throw .probe(Self.failure(error))
    }
    var raw = endpoint.raw
    if unsafe lan_connect(descriptor.raw, &raw) != 0, errno != EINPROGRESS {
      throw .errno(errno)
    }
  }

  private static func bind(
    _ number: Int32, _ request: ProbeRequest, isIPv6: Bool
  ) throws(SystemError) {
    if let mark = request.mark {
      try systemCall("setsockopt(SO_MARK)") { lan_set_mark(number, mark) }
    }
    if request.interface != nil, let name = request.way.interface?.name {
      try systemCall("setsockopt(SO_BINDTODEVICE)", on: name) {
        unsafe lan_bind_interface(number, name)
      }
    }
    if let local = request.local, local.isIPv6 == isIPv6 {
      var raw = request.endpoint(local, port: 0).raw
      try systemCall("bind", on: local.description) { unsafe lan_bind(number, &raw) }
    }
  }

  private static func failure(_ error: SystemError) -> ProbeReport.Failure {
    guard error.errno == EPERM || error.errno == EACCES else { return .system(error) }
    let capability: Capability = error.call.contains("SO_MARK") ? .netAdmin : .netRaw
    return .permissionDenied(remedy: Privilege.remedy(for: capability))
  }

  var raw: Int32 { descriptor.raw }

  /// The error that waits; 0 for none.
  var pendingError: Int32 { lan_pending_error(descriptor.raw) }

  /// Sends; the error number, or 0.
  func send(_ bytes: [UInt8]) -> Int32 {
    let number = descriptor.raw
    let sent = unsafe bytes.withUnsafeBytes { buffer in
      unsafe Glibc.send(number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
    }
    return sent < 0 ? errno : 0
  }

  /// What waits, `limit` bytes at most; nil where nothing does, and an error number where one does.
  func receive(limit: Int) -> Result<[UInt8], SystemError>? {
    var bytes = [UInt8](repeating: 0, count: limit)
    let number = descriptor.raw
    do throws(SystemError) {
      let count = try systemCallIfReady("recv") {
        unsafe bytes.withUnsafeMutableBytes { unsafe recv(number, $0.baseAddress, $0.count, 0) }
      }
      guard let count else { return nil }
      bytes.removeSubrange(count...)
      return .success(bytes)
    } catch {
      return .failure(error)
    }
  }

  /// Calls `handler` whenever it is ready for `interest`; takes the place of an earlier watch.
  func watch(
    _ reactor: Reactor, _ interest: Readiness, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    if let token { reactor.unwatch(token) }
    token = try reactor.watch(descriptor.raw, for: interest) { _ in handler() }
  }

  /// Ends the watch; the descriptor goes with its last owner.
  func close(_ reactor: Reactor) {
    if let token { reactor.unwatch(token) }
    token = nil
  }
}
