import CLan
import LanWire

/// Room for netlink datagrams, filled by one system call and used again and again.
@safe final class NetlinkBatch {
  /// A message may be as large as this; links with many virtual functions come near it.
  static let datagramSize = 65536

  private let storage: OpaquePointer
  let capacity: Int
  private(set) var count = 0

  /// Room for `capacity` datagrams; pages that nothing is written to take no memory.
  init(capacity: Int) throws(NetlinkError) {
    guard let storage = unsafe lan_netlink_batch_create(UInt32(capacity), Self.datagramSize)
    else { throw .system(SystemError(call: "malloc", errno: 12)) }
    unsafe self.storage = storage
    self.capacity = capacity
  }

  deinit { unsafe lan_netlink_batch_free(storage) }

  /// Takes what waits; 0 where nothing does.
  func receive(from descriptor: Int32) throws(SystemError) -> Int {
    count = 0
    let received = try systemCallIfReady("recvmmsg", on: "netlink") {
      unsafe lan_netlink_batch_receive(storage, descriptor)
    }
    count = Int(received ?? 0)
    return count
  }

  /// Lends each datagram with the port of its sender; those that were cut come as nil.
  func forEach(_ body: (Span<UInt8>?, UInt32) -> Void) {
    for index in 0..<count {
      let raw = unsafe lan_netlink_batch_at(storage, UInt32(index)).pointee
      if unsafe raw.truncated != 0 {
        unsafe body(nil, raw.port)
        continue
      }
      let bytes = unsafe UnsafeBufferPointer(start: raw.bytes, count: raw.length)
      unsafe body(Span(_unsafeElements: bytes), raw.port)
    }
  }
}
