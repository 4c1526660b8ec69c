extension DNSRecordData {
  /// The data on the wire without compression, as simultaneous probes are compared
  /// (RFC 6762 section 8.2.1).
  ///
  /// - Throws: `.tooLongToWrite` for a string of more than 255 bytes and beyond 65,535 in all.
  public func uncompressedBytes() throws(WireError) -> [UInt8] {
    var writer = DNSMessageWriter(compression: .none)
    writer.output.truncate(to: 0)
    try writer.append(self)
    guard !writer.output.hasOverflowed else {
      throw WireError(.tooLongToWrite, at: writer.output.count)
    }
    return writer.output.bytes
  }
}

extension DNSMessageWriter {
  private var compressesAll: Bool { compression == .multicast }

  /// Appends record data without its length.
  mutating func append(_ data: DNSRecordData) throws(WireError) {
    switch data {
    case .a(let address): output.appendUInt32(address.bits)
    case .aaaa(let address):
      output.appendUInt64(address.high)
      output.appendUInt64(address.low)
    case .ns(let name), .cname(let name), .ptr(let name), .mailName(_, let name):
      append(name, compressed: true)
    case .dname(let name): append(name, compressed: compressesAll)
    case .txt(let strings):
      for string in strings { try append(string: string) }
    case .srv(let priority, let weight, let port, let target):
      output.appendUInt16(priority)
      output.appendUInt16(weight)
      output.appendUInt16(port)
      append(target, compressed: compressesAll)
    case .nsec(let next, let types):
      append(next, compressed: compressesAll)
      append(bitmapsOf: types)
    case .hinfo(let cpu, let os):
      try append(string: cpu)
      try append(string: os)
    case .opt(let options): try append(options)
    case .unknown(_, let bytes): output.append(contentsOf: bytes)
    default: try appendRare(data)
    }
  }

  /// Types that are rare on a local network.
  private mutating func appendRare(_ data: DNSRecordData) throws(WireError) {
    switch data {
    case .soa(let authority): append(authority)
    case .mx(let preference, let exchange):
      output.appendUInt16(preference)
      append(exchange, compressed: true)
    case .rankedName(_, let rank, let name):
      output.appendUInt16(rank)
      append(name, compressed: compressesAll)
    case .minfo(let responsible, let errors):
      append(responsible, compressed: true)
      append(errors, compressed: true)
    case .rp(let mailbox, let text):
      append(mailbox, compressed: compressesAll)
      append(text, compressed: compressesAll)
    case .svcb(let binding), .https(let binding):
      output.appendUInt16(binding.priority)
      append(binding.target, compressed: false)
      try append(binding.parameters)
    case .caa(let flags, let tag, let value):
      output.append(flags)
      try append(string: tag)
      output.append(contentsOf: value)
    case .naptr(let authority): try append(authority)
    case .sshfp(let algorithm, let fingerprintType, let fingerprint):
      output.append(algorithm)
      output.append(fingerprintType)
      output.append(contentsOf: fingerprint)
    default: break
    }
  }

  private mutating func append(_ authority: DNSStartOfAuthority) {
    append(authority.primary, compressed: true)
    append(authority.mailbox, compressed: true)
    output.appendUInt32(authority.serial)
    output.appendUInt32(authority.refresh)
    output.appendUInt32(authority.retry)
    output.appendUInt32(authority.expire)
    output.appendUInt32(authority.minimum)
  }

  private mutating func append(_ authority: DNSNamingAuthority) throws(WireError) {
    output.appendUInt16(authority.order)
    output.appendUInt16(authority.preference)
    try append(string: authority.flags)
    try append(string: authority.services)
    try append(string: authority.expression)
    append(authority.replacement, compressed: false)
  }

  private mutating func append(string: [UInt8]) throws(WireError) {
    guard let length = UInt8(exactly: string.count) else {
      throw WireError(.tooLongToWrite, at: output.count)
    }
    output.append(length)
    output.append(contentsOf: string)
  }

  private mutating func append(_ options: [DNSOption]) throws(WireError) {
    for option in options {
      guard let length = UInt16(exactly: option.value.count) else {
        throw WireError(.tooLongToWrite, at: output.count)
      }
      output.appendUInt16(option.code)
      output.appendUInt16(length)
      output.append(contentsOf: option.value)
    }
  }

  /// Type bitmaps (RFC 4034 section 4.1.2): ascending blocks, without zero bytes at their ends.
  private mutating func append(bitmapsOf types: [DNSRecordType]) {
    let numbers = types.map(\.rawValue).sorted()
    var first = 0
    while first < numbers.count {
      let block = numbers[first] >> 8
      var bitmap: [UInt8] = []
      while first < numbers.count, numbers[first] >> 8 == block {
        let bit = Int(numbers[first] & 0xFF)
        while bitmap.count <= bit >> 3 { bitmap.append(0) }
        bitmap[bit >> 3] |= 0x80 >> UInt8(truncatingIfNeeded: bit & 7)
        first += 1
      }
      output.append(UInt8(truncatingIfNeeded: block))
      output.append(UInt8(truncatingIfNeeded: bitmap.count))
      output.append(contentsOf: bitmap)
    }
  }
}
