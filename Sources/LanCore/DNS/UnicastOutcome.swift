public import LanWire

/// What became of a question to conventional DNS.
public enum UnicastOutcome: Hashable, Sendable {
  /// There are such records, and the aliases that led to them stand before them.
  case answers(DNSMessage)
  /// The name exists and has no such record; how many seconds that may be believed (RFC 2308
  /// section 5), where the server says so.
  case noData(ttl: UInt32?)
  /// There is no such name; how many seconds that may be believed, where the server says so.
  case nxdomain(ttl: UInt32?)
  /// Nobody could tell.
  case failed(UnicastFailure)
}

/// Why conventional DNS could not tell.
public enum UnicastFailure: Error, Hashable, Sendable {
  /// SERVFAIL: the server tried and failed (RFC 1035 section 4.1.1).
  case servFail
  /// REFUSED: the server does not answer such questions, or not to us.
  case refused
  /// Another response code (IANA registry "DNS RCODEs").
  case rcode(UInt16)
  /// No server answered in time.
  case timeout
  /// No server could be reached; the system's reason.
  case unreachable(String)
  /// The answer does not fit into a datagram, and TCP did not bring it; the system's reason.
  case truncated(String)
  /// The response is no sound DNS message.
  case malformed(WireError)
  /// The server refers to others and does not ask them itself.
  case referral
  /// More than `UnicastReading.aliasLimit` aliases, or aliases in a circle.
  case tooManyAliases
  /// The question could not be sent; the reason.
  case notSent(String)
}

extension UnicastFailure: CustomStringConvertible {
  /// The reason in words, starting in lower case.
  public var description: String {
    switch self {
    case .servFail: "the server failed (SERVFAIL)"
    case .refused: "the server refuses to answer (REFUSED)"
    case .rcode(4): "the server does not know this kind of question (NOTIMP)"
    case .rcode(1): "the server does not understand the question (FORMERR)"
    case .rcode(let code): "the server answers with the response code \(code)"
    case .timeout: "no answer in time"
    case .unreachable(let reason): reason
    case .truncated(let reason): "the answer is too long for UDP, and over TCP: \(reason)"
    case .malformed(let error): "the answer is malformed: \(error)"
    case .referral: "the server refers to others and does not ask them itself"
    case .tooManyAliases: "too many aliases"
    case .notSent(let reason): reason
    }
  }
}
