extension DNSRecordData {
  /// Copies the data of a record out of its message.
  ///
  /// `DNSRecordView.data` decides what it is; data that is not what its type demands becomes
  /// `unknown`.
  ///
  /// - Throws: `WireError` only when `record` was not read from `message`.
  public init(_ record: DNSRecordView, _ message: Span<UInt8>) throws(WireError) {
    switch record.data(message) {
    case .a(let address): self = .a(address)
    case .aaaa(let address): self = .aaaa(address)
    case .name(let offset):
      self = Self.named(record.type, try DNSName(message, at: offset))
    case .srv(let priority, let weight, let port, let target):
      self = .srv(
        priority: priority, weight: weight, port: port,
        target: try DNSName(message, at: target))
    case .txt(let range): self = .txt(Self.strings(message, range))
    case .nsec(let next, let bitmaps):
      self = .nsec(next: try DNSName(message, at: next), types: Self.types(message, bitmaps))
    case .hinfo(let cpu, let os):
      self = .hinfo(cpu: try message.copy(cpu), os: try message.copy(os))
    case .opt(let range): self = .opt(try Self.options(message, range))
    case .soa(let primary, let mailbox, let numbers):
      self = .soa(try DNSStartOfAuthority(message, primary, mailbox, numbers))
    case .mx(let preference, let exchange):
      self = .mx(preference: preference, exchange: try DNSName(message, at: exchange))
    case .svcb(let priority, let target, let parameters):
      let binding = DNSServiceBinding(
        priority: priority, target: try DNSName(message, at: target),
        parameters: try Self.options(message, parameters))
      self = record.type == .https ? .https(binding) : .svcb(binding)
    case .opaque(let range):
      if record.problem == nil, let data = try? Self.rare(record, message) {
        self = data
      } else {
        self = .unknown(record.type, try message.copy(range))
      }
    }
  }

  private static func named(_ type: DNSRecordType, _ name: DNSName) -> DNSRecordData {
    switch type {
    case .ptr: .ptr(name)
    case .cname: .cname(name)
    case .ns: .ns(name)
    case .dname: .dname(name)
    default: .mailName(type, name)
    }
  }

  private static func strings(_ message: Span<UInt8>, _ range: Range<Int>) -> [[UInt8]] {
    var result: [[UInt8]] = []
    var iterator = DNSStringIterator(range)
    while let string = iterator.next(message), let bytes = try? message.copy(string) {
      result.append(bytes)
    }
    return result
  }

  private static func options(
    _ message: Span<UInt8>, _ range: Range<Int>
  ) throws(WireError) -> [DNSOption] {
    var result: [DNSOption] = []
    var iterator = EDNSOptionIterator(range)
    while let option = iterator.next(message) {
      result.append(DNSOption(code: option.code, value: try message.copy(option.range)))
    }
    return result
  }

  /// The types of bitmaps in ascending order, whatever order the blocks have.
  private static func types(_ message: Span<UInt8>, _ range: Range<Int>) -> [DNSRecordType] {
    var result: [DNSRecordType] = []
    var isAscending = true
    var iterator = NSECTypeIterator(range)
    while let type = iterator.next(message) {
      if let last = result.last, last.rawValue >= type.rawValue { isAscending = false }
      result.append(type)
    }
    return isAscending ? result : DNSRecordType.ascending(result)
  }

  /// Types that the borrowed view leaves as bytes.
  private static func rare(
    _ record: DNSRecordView, _ message: Span<UInt8>
  ) throws(WireError) -> DNSRecordData {
    let range = record.rdataRange
    var reader = ByteReader(message, from: range.lowerBound, to: range.upperBound)
    let data: DNSRecordData
    switch record.type.rawValue {
    case 14:
      data = .minfo(
        responsible: try reader.readName(message), errors: try reader.readName(message))
    case 17: data = .rp(mailbox: try reader.readName(message), text: try reader.readName(message))
    case 18, 21, 36:
      data = .rankedName(
        record.type, rank: try reader.readUInt16(message), name: try reader.readName(message))
    case 35: data = .naptr(try DNSNamingAuthority(message, &reader))
    case 44:
      data = .sshfp(
        algorithm: try reader.readUInt8(message), fingerprintType: try reader.readUInt8(message),
        fingerprint: try reader.readBytes(message, reader.remaining))
    case 257:
      let flags = try reader.readUInt8(message)
      let tag = try reader.readString(message)
      data = .caa(flags: flags, tag: tag, value: try reader.readBytes(message, reader.remaining))
    default: throw WireError(.badFormat, at: range.lowerBound)
    }
    guard reader.remaining == 0 else { throw WireError(.rdataSize, at: reader.offset) }
    return data
  }
}

extension DNSRecordType {
  /// `types` in ascending order, each once; linear, because hostile bitmaps hold half a million.
  static func ascending(_ types: [DNSRecordType]) -> [DNSRecordType] {
    var isPresent = [Bool](repeating: false, count: 65_536)
    for type in types { isPresent[Int(type.rawValue)] = true }
    return (UInt16.min...UInt16.max).lazy.filter { isPresent[Int($0)] }.map { DNSRecordType($0) }
  }
}

extension DNSStartOfAuthority {
  fileprivate init(
    _ message: Span<UInt8>, _ primary: Int, _ mailbox: Int, _ numbers: Int
  ) throws(WireError) {
    var reader = ByteReader(message, from: numbers)
    self.init(
      primary: try DNSName(message, at: primary), mailbox: try DNSName(message, at: mailbox),
      serial: try reader.readUInt32(message), refresh: try reader.readUInt32(message),
      retry: try reader.readUInt32(message), expire: try reader.readUInt32(message),
      minimum: try reader.readUInt32(message))
  }
}

extension DNSNamingAuthority {
  fileprivate init(_ message: Span<UInt8>, _ reader: inout ByteReader) throws(WireError) {
    self.init(
      order: try reader.readUInt16(message), preference: try reader.readUInt16(message),
      flags: try reader.readString(message), services: try reader.readString(message),
      expression: try reader.readString(message), replacement: try reader.readName(message))
  }
}

extension ByteReader {
  fileprivate mutating func readBytes(
    _ message: Span<UInt8>, _ count: Int
  ) throws(WireError) -> [UInt8] {
    let part = try slice(count)
    return try message.copy(part.offset..<part.end)
  }

  fileprivate mutating func readString(_ message: Span<UInt8>) throws(WireError) -> [UInt8] {
    let length = try readUInt8(message)
    return try readBytes(message, Int(length))
  }

  fileprivate mutating func readName(_ message: Span<UInt8>) throws(WireError) -> DNSName {
    let scan = try DNSNameScan(message, at: offset)
    guard scan.end <= end else { throw WireError(.rdataOverrun, at: offset) }
    let name = try DNSName(message, at: offset)
    offset = scan.end
    return name
  }
}

extension Span where Element == UInt8 {
  /// The bytes at `range` as an array of their own; throws `.truncated` where it leads out.
  func copy(_ range: Range<Int>) throws(WireError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw WireError(.truncated, at: count)
    }
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    for index in range { result.append(self[index]) }
    return result
  }
}
