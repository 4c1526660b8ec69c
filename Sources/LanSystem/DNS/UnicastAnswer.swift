public import LanCore
public import LanWire

/// An answer of conventional DNS, or why there is none.
public struct UnicastAnswer: Hashable, Sendable {
  /// What was asked for.
  public var question: DNSQuestion
  /// What became of it.
  public var outcome: UnicastOutcome
  /// Where the aliases ended: the question's name, unless that is an alias.
  public var name: DNSName
  /// Who answered; nil if nobody did.
  public var server: SocketEndpoint?
  /// Nanoseconds from the question's first sending to the outcome.
  public var elapsed: Int64

  /// The records of the type asked for, those at the end of the aliases.
  public var records: [DNSRecord] {
    guard case .answers(let message) = outcome else { return [] }
    return UnicastReading.records(message, at: name, question.type)
  }

  /// The response with the records; nil if there are none.
  public var message: DNSMessage? {
    if case .answers(let message) = outcome { message } else { nil }
  }

  /// Why nobody could tell; nil if somebody could.
  public var failure: UnicastFailure? {
    if case .failed(let failure) = outcome { failure } else { nil }
  }
}
