public import LanWire

/// Something that the querier is to find out and to keep an eye on.
public struct MDNSQuestion: Hashable, Sendable {
  /// The name asked for.
  public var name: DNSName
  /// The type asked for; ANY is possible.
  public var type: DNSRecordType
  /// The only link that is asked on; nil for all.
  public var interfaceIndex: UInt32?

  /// A question of class IN.
  public init(_ name: DNSName, _ type: DNSRecordType, interfaceIndex: UInt32? = nil) {
    self.name = name
    self.type = type
    self.interfaceIndex = interfaceIndex
  }
}

/// How eagerly a question is asked.
public enum MDNSEffort: Hashable, Sendable {
  /// Nothing is sent: what is heard and cached is told.
  case passive
  /// At most so many questions of a series go unanswered (0, 1, 3, 7 s … after the first); a second
  /// after the last `MDNSChange.exhausted` is told on each link, and the question is passive until
  /// an answer comes, the last answer goes, or the link changes.
  case attempts(Int)
  /// Asked for as long as there is interest, with gaps that double up to an hour.
  case unlimited
}
