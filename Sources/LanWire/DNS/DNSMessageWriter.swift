/// Where compression pointers may stand in a message that is written.
public enum DNSCompression: Hashable, Sendable {
  /// Nowhere.
  case none
  /// In owner names and in the data of the types of RFC 1035 (RFC 3597 section 4).
  case unicast
  /// Also in the data of SRV, NSEC and the other types that RFC 6762 section 18.14 lists.
  case multicast
}

/// Writes a message entry by entry, up to a limit of bytes.
///
/// `begin`, then `add` questions, answers, authority and additional records in this order, then
/// `finish`. An entry that does not fit leaves the message as it was, so a packet can be filled to
/// the MTU. One writer serves many messages and keeps its memory.
public struct DNSMessageWriter: Sendable {
  /// Where pointers may stand.
  public var compression: DNSCompression
  /// Bytes that the message may have, 12 to 65,535; a change holds for the entries to come.
  public var limit: Int { didSet { output.limit = Self.bounded(limit) } }
  /// The header; its counts grow with each entry.
  public private(set) var header = DNSHeader()
  var output: ByteWriter
  private var names = DNSNameCompressor()
  private var stage = 0

  /// A writer for messages of up to `limit` bytes.
  public init(limit: Int = 65_535, compression: DNSCompression = .unicast) {
    self.limit = limit
    self.compression = compression
    output = ByteWriter(limit: Self.bounded(limit))
    begin()
  }

  private static func bounded(_ limit: Int) -> Int {
    min(max(limit, DNSLimits.headerOctets), 65_535)
  }

  /// The flag bits that `finish` writes; TC may be set when an entry did not fit.
  public var flags: UInt16 {
    get { header.flags }
    set { header.flags = newValue }
  }

  /// Bytes written up to now, the header included.
  public var count: Int { output.count }

  /// Starts a message: the id and flags of `header`, no entries.
  public mutating func begin(_ header: DNSHeader = DNSHeader()) {
    self.header = DNSHeader(id: header.id, flags: header.flags)
    output.truncate(to: 0)
    names.removeAll()
    stage = 0
    output.append(contentsOf: [UInt8](repeating: 0, count: DNSLimits.headerOctets))
  }

  /// Adds a question.
  ///
  /// - Returns: false, with the message as it was, when it does not fit.
  /// - Throws: `.badFormat` behind a record.
  public mutating func add(_ question: DNSQuestion) throws(WireError) -> Bool {
    guard stage == 0 else { throw WireError(.badFormat, at: output.count) }
    guard header.questionCount < UInt16.max else { return false }
    let mark = (bytes: output.count, names: names.count)
    append(question.name, compressed: true)
    output.appendUInt16(question.type.rawValue)
    output.appendUInt16(question.rawClass)
    if output.hasOverflowed {
      rollBack(mark)
      return false
    }
    header.questionCount += 1
    return true
  }

  /// Adds a record.
  ///
  /// - Returns: false, with the message as it was, when it does not fit.
  /// - Throws: `.badFormat` behind a record of a later section; `.tooLongToWrite` when no message
  ///   can hold the record. The message is as it was.
  public mutating func add(
    _ record: DNSRecord, to section: DNSSection
  ) throws(WireError) -> Bool {
    let place = Int(section.rawValue) + 1
    guard stage <= place else { throw WireError(.badFormat, at: output.count) }
    guard header[section] < UInt16.max else { return false }
    let mark = (bytes: output.count, names: names.count)
    do throws(WireError) {
      try append(record)
    } catch {
      rollBack(mark)
      throw error
    }
    if output.hasOverflowed {
      rollBack(mark)
      return false
    }
    header[section] += 1
    stage = place
    return true
  }

  /// Writes the header and gives the message; let go of it before the next `begin`, else its
  /// bytes are copied.
  public mutating func finish() -> [UInt8] {
    output.patchUInt16(header.id, at: 0)
    output.patchUInt16(header.flags, at: 2)
    output.patchUInt16(header.questionCount, at: 4)
    output.patchUInt16(header.answerCount, at: 6)
    output.patchUInt16(header.authorityCount, at: 8)
    output.patchUInt16(header.additionalCount, at: 10)
    return output.bytes
  }

  private mutating func rollBack(_ mark: (bytes: Int, names: Int)) {
    output.truncate(to: mark.bytes)
    names.removeLast(to: mark.names)
  }

  private mutating func append(_ record: DNSRecord) throws(WireError) {
    append(record.name, compressed: true)
    output.appendUInt16(record.type.rawValue)
    output.appendUInt16(record.rawClass)
    output.appendUInt32(record.ttl)
    let length = output.count
    output.appendUInt16(0)
    try append(record.data)
    let written = output.count - length - 2
    output.patchUInt16(UInt16(truncatingIfNeeded: written), at: length)
  }

  /// Appends a name, as a pointer from the longest suffix on that stands in the message.
  mutating func append(_ name: DNSName, compressed: Bool) {
    guard compressed, compression != .none, !name.isRoot else {
      output.append(contentsOf: name.wire)
      return
    }
    let suffixes = DNSSuffixes(name.wire)
    let base = output.count
    var known = 0
    var target: UInt16?
    while known < suffixes.count {
      target = names.find(
        hash: suffixes.hashes[known], name.wire.span, at: Int(suffixes.starts[known]),
        in: output.bytes.span)
      if target != nil { break }
      known += 1
    }
    if let target {
      output.append(prefix: Int(suffixes.starts[known]), of: name.wire)
      output.appendUInt16(0xC000 | target)
    } else {
      output.append(contentsOf: name.wire)
    }
    guard !output.hasOverflowed else { return }
    for index in 0..<known {
      let offset = base + Int(suffixes.starts[index])
      if offset >= DNSNameCompressor.offsetLimit { break }
      names.insert(hash: suffixes.hashes[index], offset: offset)
    }
  }
}

extension DNSHeader {
  /// The count of a section.
  fileprivate subscript(section: DNSSection) -> UInt16 {
    get {
      switch section {
      case .answer: answerCount
      case .authority: authorityCount
      case .additional: additionalCount
      }
    }
    set {
      switch section {
      case .answer: answerCount = newValue
      case .authority: authorityCount = newValue
      case .additional: additionalCount = newValue
      }
    }
  }
}
