/// Room for what one call receives.
@safe final class ReceiveRoom {
  /// The room; what was not written by a call has any content.
  let bytes: UnsafeMutableRawBufferPointer

  init(_ count: Int) {
    unsafe bytes = .allocate(byteCount: count, alignment: 16)
    // So that nothing that was here before can ever be read.
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { unsafe bytes.deallocate() }
}
