public import LanWire

/// The asking side of multicast DNS on all links: messages and time in, packets and changes out
/// (RFC 6762 sections 5, 7 and 10).
///
/// It reads no clock, asks no kernel and has no chance of its own. Drive it like this: tell it the
/// links, begin questions, hand in each datagram; after each batch, and whenever `nextDeadline` has
/// come, call `deadlineReached`; after any call take `output` and perform it. Times are nanoseconds
/// of a monotonic clock.
public struct MDNSQuerier: Sendable {
  /// What can be set.
  public struct Configuration: Hashable, Sendable {
    /// Sends nothing at all.
    public var isPassive = false
    /// May ask for unicast answers (QU): only with port 5353 to ourselves (RFC 6762 section 15.1).
    public var mayAskUnicast = true
    /// Records that the cache holds at most.
    public var recordLimit = 200_000
    /// Octets that the cache holds at most.
    public var byteLimit = 64 << 20
    /// Records that nobody asked for which the cache holds at most.
    public var unaskedLimit = 16_384
    /// The defaults.
    public init() {}
  }

  /// What is set.
  public let configuration: Configuration
  /// What is to be done; the caller performs and empties it after each call.
  public var output = MDNSOutput()

  /// A querier without links and questions.
  ///
  /// - Parameters:
  ///   - configuration: What is set.
  ///   - seed: Where chance begins; equal seeds and inputs give equal outputs.
  public init(_ configuration: Configuration = Configuration(), seed: UInt64) {
    self.configuration = configuration
  }

  // MARK: Links

  /// Begins to use a link, or takes news about it; a new link, or one that gained a family, is
  /// asked on anew.
  public mutating func setLink(_ link: MDNSLink, at now: Int64) {}

  /// Ends the use of a link: all that was heard there is removed with the cause `interfaceDown`.
  public mutating func removeLink(_ index: UInt32, at now: Int64) {}

  // MARK: Questions

  /// Begins an interest; what the cache knows is told at once, and the question goes out with
  /// others that begin at about the same time.
  ///
  /// Interests of the same question are counted; the greatest effort holds.
  public mutating func start(_ question: MDNSQuestion, _ effort: MDNSEffort, at now: Int64) {}

  /// Ends one interest in a question; the last one ends all asking and telling.
  public mutating func stop(_ question: MDNSQuestion, at now: Int64) {}

  /// Doubts what is known about a question, because using it failed (RFC 6762 section 10.4): it is
  /// asked at least twice, and what nobody repeats in 10 s is removed with the cause `noResponse`.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - type: The type.
  ///   - data: The only record doubted; nil for all of the type.
  ///   - interfaceIndex: The link.
  ///   - now: The time.
  public mutating func reconfirm(
    _ name: DNSName, _ type: DNSRecordType, data: DNSRecordData? = nil, interfaceIndex: UInt32,
    at now: Int64
  ) {}

  /// What the cache knows about a name and type now.
  public func answers(
    _ name: DNSName, _ type: DNSRecordType, interfaceIndex: UInt32? = nil
  ) -> [MDNSAnswer] { [] }

  // MARK: Input

  /// Takes one datagram.
  ///
  /// Own questions that come back must not be handed in as those of another host: the querier knows
  /// own addresses from the links.
  public mutating func handle(_ message: Span<UInt8>, _ arrival: MDNSArrival, at now: Int64) {}

  /// Does what is due.
  public mutating func deadlineReached(at now: Int64) {}

  /// When `deadlineReached` is to be called next; nil for not before something else happens.
  public var nextDeadline: Int64? { nil }
}
