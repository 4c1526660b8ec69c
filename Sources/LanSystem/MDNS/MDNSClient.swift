public import LanCore
public import LanWire

/// What a client of a node wants of its querier.
public enum MDNSDemand: Hashable, Sendable {
  /// `MDNSQuerier.start`.
  case start(MDNSQuestion, MDNSEffort)
  /// `MDNSQuerier.stop`.
  case stop(MDNSQuestion)
  /// `MDNSQuerier.reconfirm`.
  case reconfirm(DNSName, DNSRecordType, DNSRecordData?, interfaceIndex: UInt32)
}

/// Who asks questions through an `MDNSNode`: a browser, a resolver.
///
/// Everything happens on the thread of the node's reactor. Times are nanoseconds of
/// `MonotonicClock`.
public protocol MDNSClient: AnyObject {
  /// A link is used, or something about it is different.
  func setLink(_ link: MDNSLink, at now: Int64)
  /// A link is used no more.
  func removeLink(_ index: UInt32, at now: Int64)
  /// The querier told something; perhaps in answer to another client's question.
  func handle(_ change: MDNSChange, at now: Int64)
  /// Everything that was at hand has been told.
  func batchEnded(at now: Int64)
  /// When `deadlineReached` is to be called; asked after each turn.
  var nextDeadline: Int64? { get }
  /// `nextDeadline` has come.
  func deadlineReached(at now: Int64)
  /// What the querier is to do; taken again and again until there is nothing more.
  func takeDemands() -> [MDNSDemand]
  /// The node met with something amiss.
  func nodeDidReport(_ diagnostic: MDNSNodeDiagnostic)
}

extension MDNSClient {
  /// Does nothing.
  public func nodeDidReport(_ diagnostic: MDNSNodeDiagnostic) {}
}
