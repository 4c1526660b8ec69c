import Glibc
import LanCore
import LanWire

/// The device that tells of radio switches (rfkill), or a pipe in its place.
final class RadioDevice {
  /// Called with the bytes of each event and its meaning.
  typealias Handler = ([UInt8], KernelMessage) -> Void

  private let descriptor: FileDescriptor
  /// A pipe does not keep events apart, the device gives one for each call.
  private let readSize: Int
  private var reactor: Reactor?
  private var token: WatchToken?
  private static let eventLimit = 1_024

  /// Opens the device; nil where there is none, or this user may not read it.
  init?(_ path: String) {
    let number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { return nil }
    descriptor = FileDescriptor(owning: number)
    var status = stat()
    let isDevice = unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    readSize = isDevice ? RfkillEvent.readSize : 8
  }

  /// Gives what waits, which at first is the state of each switch.
  ///
  /// - Returns: False at the end of a file or pipe, or after an error.
  @discardableResult
  func drain(_ handler: Handler) -> Bool {
    var bytes = [UInt8](repeating: 0, count: readSize)
    for _ in 0..<Self.eventLimit {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor.raw, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { return errno == EAGAIN }
      if count == 0 { return false }
      let event = Array(bytes[..<count])
      if let message = Self.message(event) { handler(event, message) }
    }
    return true
  }

  /// The meaning of an event; nil for one that cannot be read.
  static func message(_ event: [UInt8]) -> KernelMessage? {
    (try? RfkillEvent(event.span)).map { KernelMessage($0) }
  }

  /// Gives what comes, on `reactor`.
  func listen(on reactor: Reactor, _ handler: @escaping Handler) {
    self.reactor = reactor
    // A plain file cannot be watched, and never changes its mind either.
    token = try? reactor.watch(descriptor.raw) { [weak self] _ in
      if self?.drain(handler) == false { self?.stop() }
    }
  }

  func stop() {
    if let token { reactor?.unwatch(token) }
    token = nil
  }
}
