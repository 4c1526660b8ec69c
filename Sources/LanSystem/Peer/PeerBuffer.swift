/// Octets that all connections of a server share, one after the other.
@safe final class PeerBuffer {
  let capacity: Int
  let bytes: UnsafeMutablePointer<UInt8>

  /// The memory is touched only as far as it is used.
  init(capacity: Int) {
    self.capacity = capacity
    unsafe bytes = .allocate(capacity: max(capacity, 1))
  }

  deinit { unsafe bytes.deallocate() }
}
