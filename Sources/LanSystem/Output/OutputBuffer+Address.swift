public import LanWire

extension OutputBuffer {
  /// Writes an address, MAC or IP, in its usual form.
  @inlinable public mutating func append(_ text: AddressText) {
    reserve(48)
    for index in 0..<text.count {
      unsafe base[used] = text.bytes[index]
      used &+= 1
    }
  }
}
