import CLan
import LanWire

/// What the kernel says about one received datagram.
public struct DatagramInfo: Hashable, Sendable {
  /// Who sent it.
  public var source: SocketEndpoint
  /// Where it was sent to: a group or an own address, and the socket's port.
  public var destination: SocketEndpoint
  /// The index of the interface that it came in on.
  public var interfaceIndex: UInt32
  /// TTL or hop limit as received; nil where the kernel did not say.
  public var hopLimit: UInt8?
  /// The kernel's stamp in nanoseconds since 1970; 0 where there is none.
  public var time: Int64
  /// The datagram was larger than the batch has room for.
  public var isTruncated: Bool
}

/// Room for several datagrams, filled by one system call and used again and again.
@safe public final class DatagramBatch {
  private let storage: OpaquePointer
  /// How many datagrams there is room for.
  public let capacity: Int
  /// How many datagrams the last receive brought.
  public fileprivate(set) var count = 0
  private var port: UInt16 = 0

  /// Room for `capacity` datagrams of up to `size` bytes each; nil when memory is short.
  public init?(capacity: Int = 16, size: Int = 9216) {
    guard let storage = unsafe lan_batch_create(UInt32(capacity), size) else { return nil }
    unsafe self.storage = storage
    self.capacity = capacity
  }

  deinit { unsafe lan_batch_free(storage) }

  /// Lends each datagram of the last receive, in order; the bytes are good for that call only.
  public func forEach(_ body: (Span<UInt8>, DatagramInfo) -> Void) {
    for index in 0..<count {
      let raw = unsafe lan_batch_at(storage, UInt32(index)).pointee
      guard let source = unsafe SocketEndpoint(raw.source) else { continue }
      let destination = unsafe SocketEndpoint(raw.destination, port: port)
      let info = unsafe DatagramInfo(
        source: source, destination: destination ?? source, interfaceIndex: raw.interface,
        hopLimit: UInt8(exactly: raw.hop_limit), time: raw.time, isTruncated: raw.truncated != 0)
      let bytes = unsafe UnsafeBufferPointer(start: raw.bytes, count: raw.length)
      unsafe body(Span(_unsafeElements: bytes), info)
    }
  }

  /// Fills the batch with what waits at a socket bound to `port`.
  func receive(from descriptor: Int32, port: UInt16) throws(SystemError) -> Int {
    self.port = port
    count = 0
    let received = try systemCallIfReady("recvmmsg") {
      unsafe lan_batch_receive(storage, descriptor)
    }
    count = Int(received ?? 0)
    return count
  }
}
