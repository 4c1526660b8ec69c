/// A change that the kernel told, in its meaning.
public struct KernelEvent: Hashable, Sendable {
  /// What happened.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// It is new.
    case added
    /// Something about it is different.
    case changed
    /// A link has another name.
    case renamed
    /// An address should not be used for new connections any more.
    case deprecated
    /// An address is a duplicate of another host's, or a neighbour does not answer.
    case failed
    /// It went.
    case removed
  }

  /// What it happened to; for something that went, as it was.
  public enum Subject: Hashable, Sendable {
    /// A link, and what it was before.
    case link(LinkState, previous: LinkState?)
    /// An address.
    case address(InterfaceAddress)
    /// A default route, or one of a pair that covers everything, and what it was before.
    case route(DefaultRoute, previous: DefaultRoute?)
    /// The neighbour that a target's packets go to first.
    case neighbour(NeighbourKey, NextHopState)
  }

  /// What happened.
  public var action: Action
  /// What it happened to.
  public var subject: Subject
  /// The interface's name, where there is one.
  public var interface: String?
  /// The interface's number, where there is one.
  public var interfaceIndex: UInt32?

  /// An event of its parts.
  public init(
    _ action: Action, _ subject: Subject, interface: String?, interfaceIndex: UInt32?
  ) {
    self.action = action
    self.subject = subject
    self.interface = interface
    self.interfaceIndex = interfaceIndex
  }
}
