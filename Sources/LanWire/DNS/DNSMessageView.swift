/// A DNS message where it stands: the header, and where its questions and records are.
///
/// The entries themselves are in a `DNSMessageIndex`, which one caller reuses for many messages.
@frozen public struct DNSMessageView: Sendable {
  /// The header, as sent.
  public var header: DNSHeader
  /// Index of the first question in the `DNSMessageIndex`.
  public var firstQuestion: Int32
  /// Questions that could be read.
  public var questionCount: Int32
  /// Index of the first record in the `DNSMessageIndex`.
  public var firstRecord: Int32
  /// Answers that could be read.
  public var answerCount: Int32
  /// Authority records that could be read.
  public var authorityCount: Int32
  /// Additional records that could be read.
  public var additionalCount: Int32
  /// Bytes behind the last announced record; 0 where reading stopped early.
  public var trailingBytes: Int32
  /// True when some name has a pointer that leads forward (RFC 1035 section 4.1.4).
  public var hasForwardPointer: Bool
  /// The first thing that makes the message malformed; nil for a sound one.
  public var problem: WireError?

  @inlinable init(header: DNSHeader, firstQuestion: Int, firstRecord: Int) {
    self.header = header
    self.firstQuestion = Int32(truncatingIfNeeded: firstQuestion)
    self.firstRecord = Int32(truncatingIfNeeded: firstRecord)
    questionCount = 0
    answerCount = 0
    authorityCount = 0
    additionalCount = 0
    trailingBytes = 0
    hasForwardPointer = false
    problem = nil
  }

  /// A view of no message.
  @inlinable public static var empty: DNSMessageView {
    DNSMessageView(header: DNSHeader(), firstQuestion: 0, firstRecord: 0)
  }

  /// False when the message is shorter than its header.
  @inlinable public var hasHeader: Bool { problem.map { $0.reason != .shortHeader } ?? true }

  /// All records that could be read, in the order of the message.
  @inlinable public var recordCount: Int32 { answerCount &+ authorityCount &+ additionalCount }
  /// Indices of the questions in the `DNSMessageIndex`.
  @inlinable public var questions: Range<Int> {
    Int(firstQuestion)..<Int(firstQuestion &+ questionCount)
  }
  /// Indices of the records in the `DNSMessageIndex`.
  @inlinable public var records: Range<Int> {
    Int(firstRecord)..<Int(firstRecord &+ recordCount)
  }
  /// Indices of the records of one section.
  @inlinable public func records(in section: DNSSection) -> Range<Int> {
    let start = Int(firstRecord)
    switch section {
    case .answer: return start..<(start &+ Int(answerCount))
    case .authority:
      return (start &+ Int(answerCount))..<(start &+ Int(answerCount &+ authorityCount))
    case .additional:
      return (start &+ Int(answerCount &+ authorityCount))..<(start &+ Int(recordCount))
    }
  }
}

/// The questions and records of messages, as offsets into the bytes of each.
///
/// Reuse one: `removeAll` keeps the memory, so that reading a message allocates nothing.
@frozen public struct DNSMessageIndex: Sendable {
  /// Questions of every message read since `removeAll`.
  public var questions: [DNSQuestionView] = []
  /// Records of every message read since `removeAll`.
  public var records: [DNSRecordView] = []

  /// An empty index.
  @inlinable public init() {}

  /// Forgets all entries and keeps the memory.
  @inlinable public mutating func removeAll() {
    questions.removeAll(keepingCapacity: true)
    records.removeAll(keepingCapacity: true)
  }

  /// Reads a message and adds its entries.
  ///
  /// Never throws: the view holds what could be read and, in `problem`, the first thing that was
  /// wrong. Time is linear in the bytes, whatever counts and pointers say: entries are bounded by
  /// the bytes they take, names by `DNSLimits`.
  ///
  /// - Parameter message: exactly the bytes of one message.
  /// - Returns: where its entries are.
  @inlinable public mutating func read(_ message: Span<UInt8>) -> DNSMessageView {
    let header: DNSHeader
    do {
      header = try DNSHeader(message)
    } catch {
      var view = DNSMessageView(
        header: DNSHeader(), firstQuestion: questions.count, firstRecord: records.count)
      view.problem = error
      return view
    }
    var view = DNSMessageView(
      header: header, firstQuestion: questions.count, firstRecord: records.count)
    do {
      try readEntries(message, &view)
    } catch {
      if view.problem == nil { view.problem = error }
    }
    return view
  }

  @inlinable mutating func readEntries(
    _ message: Span<UInt8>, _ view: inout DNSMessageView
  ) throws(WireError) {
    var offset = DNSLimits.headerOctets
    var tally = DNSNameTally(messageOctets: message.count)
    for _ in 0..<view.header.questionCount {
      let scan = try DNSNameScan(message, at: offset)
      guard message.count &- scan.end >= 4 else { throw WireError(.truncated, at: scan.end) }
      questions.append(
        DNSQuestionView(
          name: Int32(truncatingIfNeeded: offset),
          type: DNSRecordType(message.uint16(at: scan.end)),
          rawClass: message.uint16(at: scan.end &+ 2)))
      view.questionCount &+= 1
      try tally.charge(scan, &view, at: offset)
      offset = scan.end &+ 4
    }
    for _ in 0..<view.header.answerCount {
      try readRecord(message, .answer, &view, &offset, &tally)
      view.answerCount &+= 1
    }
    for _ in 0..<view.header.authorityCount {
      try readRecord(message, .authority, &view, &offset, &tally)
      view.authorityCount &+= 1
    }
    for _ in 0..<view.header.additionalCount {
      try readRecord(message, .additional, &view, &offset, &tally)
      view.additionalCount &+= 1
    }
    view.trailingBytes = Int32(truncatingIfNeeded: message.count &- offset)
  }

  @inlinable mutating func readRecord(
    _ message: Span<UInt8>, _ section: DNSSection, _ view: inout DNSMessageView,
    _ offset: inout Int, _ tally: inout DNSNameTally
  ) throws(WireError) {
    let scan = try DNSNameScan(message, at: offset)
    guard message.count &- scan.end >= 10 else { throw WireError(.truncated, at: scan.end) }
    let rdata = scan.end &+ 10
    let length = message.uint16(at: scan.end &+ 8)
    guard Int(length) <= message.count &- rdata else {
      throw WireError(.rdataPastEnd, at: scan.end &+ 8)
    }
    var record = DNSRecordView(
      name: Int32(truncatingIfNeeded: offset), rdata: Int32(truncatingIfNeeded: rdata),
      rdataLength: length, type: DNSRecordType(message.uint16(at: scan.end)),
      rawClass: message.uint16(at: scan.end &+ 2), section: section,
      ttl: message.uint32(at: scan.end &+ 4))
    do throws(WireError) {
      try DNSRecordDataCheck.check(message, record, &tally)
    } catch {
      record.problem = error.reason
      tally.add(refused: error.reason)
      if error.reason != .rdataSize, view.problem == nil { view.problem = error }
    }
    try tally.charge(scan, &view, at: offset)
    records.append(record)
    offset = rdata &+ Int(length)
  }
}
