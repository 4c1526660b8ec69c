/// A DNS message that owns its parts (RFC 1035 section 4.1).
///
/// The borrowed face is `DNSMessageIndex`, which also does the reading here.
public struct DNSMessage: Hashable, Sendable {
  /// The transaction id.
  public var id: UInt16
  /// The sixteen flag bits, as on the wire; `header` names them.
  public var flags: UInt16
  /// Questions.
  public var questions: [DNSQuestion]
  /// Answers; in a multicast query, known answers (RFC 6762 section 7.1).
  public var answers: [DNSRecord]
  /// Authority records; in a multicast query, those being probed for (RFC 6762 section 8.2).
  public var authorities: [DNSRecord]
  /// Additional records.
  public var additionals: [DNSRecord]

  /// A message of these parts.
  public init(
    id: UInt16 = 0, flags: UInt16 = 0, questions: [DNSQuestion] = [], answers: [DNSRecord] = [],
    authorities: [DNSRecord] = [], additionals: [DNSRecord] = []
  ) {
    self.id = id
    self.flags = flags
    self.questions = questions
    self.answers = answers
    self.authorities = authorities
    self.additionals = additionals
  }

  /// Reads a sound message; bytes behind its last record are passed over.
  ///
  /// A record whose data has not the size of its type is kept as `unknown`.
  ///
  /// - Throws: the first thing that makes the message malformed.
  public init(_ bytes: Span<UInt8>) throws(WireError) {
    let (message, problem) = Self.lenient(bytes)
    if let problem { throw problem }
    self = message
  }

  /// Reads what can be read, and tells what made the message malformed, if anything did.
  public static func lenient(
    _ bytes: Span<UInt8>
  ) -> (message: DNSMessage, problem: WireError?) {
    var index = DNSMessageIndex()
    let view = index.read(bytes)
    var message = DNSMessage()
    do throws(WireError) {
      try message.fill(view, index, bytes)
    } catch {
      return (message, view.problem ?? error)
    }
    return (message, view.problem)
  }

  /// Copies a message out of its bytes.
  ///
  /// - Throws: `WireError` only when `view` and `index` were not read from `bytes`.
  public init(
    _ view: DNSMessageView, _ index: DNSMessageIndex, _ bytes: Span<UInt8>
  ) throws(WireError) {
    self.init()
    try fill(view, index, bytes)
  }

  private mutating func fill(
    _ view: DNSMessageView, _ index: DNSMessageIndex, _ bytes: Span<UInt8>
  ) throws(WireError) {
    id = view.header.id
    flags = view.header.flags
    for question in index.questions[view.questions] {
      questions.append(try DNSQuestion(question, bytes))
    }
    for record in index.records[view.records(in: .answer)] {
      answers.append(try DNSRecord(record, bytes))
    }
    for record in index.records[view.records(in: .authority)] {
      authorities.append(try DNSRecord(record, bytes))
    }
    for record in index.records[view.records(in: .additional)] {
      additionals.append(try DNSRecord(record, bytes))
    }
  }

  /// The header with the counts that the parts have, capped at 65,535.
  public var header: DNSHeader {
    DNSHeader(
      id: id, flags: flags, questionCount: UInt16(clamping: questions.count),
      answerCount: UInt16(clamping: answers.count),
      authorityCount: UInt16(clamping: authorities.count),
      additionalCount: UInt16(clamping: additionals.count))
  }

  /// The records of one section.
  public func records(in section: DNSSection) -> [DNSRecord] {
    switch section {
    case .answer: answers
    case .authority: authorities
    case .additional: additionals
    }
  }

  /// The first OPT record of the additional section (RFC 6891 section 6.1.1).
  public var opt: DNSRecord? { additionals.first { $0.type == .opt } }

  /// Writes the message.
  ///
  /// - Parameters:
  ///   - limit: bytes that it may have, at most 65,535.
  ///   - compression: where pointers may stand.
  /// - Returns: the bytes.
  /// - Throws: `.tooLongToWrite` when it does not fit, has a string of more than 255 bytes or
  ///   more than 65,535 entries in a section.
  public func encoded(
    limit: Int = 65_535, compression: DNSCompression = .unicast
  ) throws(WireError) -> [UInt8] {
    guard limit >= DNSLimits.headerOctets else { throw WireError(.tooLongToWrite, at: 0) }
    var writer = DNSMessageWriter(limit: limit, compression: compression)
    writer.begin(DNSHeader(id: id, flags: flags))
    for question in questions where !(try writer.add(question)) {
      throw WireError(.tooLongToWrite, at: writer.count)
    }
    for section in DNSSection.allCases {
      for record in records(in: section) where !(try writer.add(record, to: section)) {
        throw WireError(.tooLongToWrite, at: writer.count)
      }
    }
    return writer.finish()
  }
}
