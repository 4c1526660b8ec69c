/// Tells a connection that is half open (the peer has vanished without closing it) from a peer that is
/// merely slow.
package struct ProbeSilence: Hashable, Sendable {
  /// Probes in a row that make a connection suspect.
  package static let threshold = 3
  /// How often the kernel must have sent the same bytes again in vain.
  package static let retransmissions = 2

  /// Probes in a row that went without an answer.
  package private(set) var losses = 0

  /// Nothing lost.
  package init() {}

  /// A probe went without an answer.
  package mutating func lost() { losses += 1 }
  /// Something came from the peer.
  package mutating func heard() { losses = 0 }

  /// True if the kernel is to be asked.
  package var isSuspect: Bool { losses >= Self.threshold }

  /// True if the peer is taken to be gone: not even its kernel answers.
  ///
  /// - Parameters:
  ///   - unacknowledged: Segments that wait for an acknowledgement.
  ///   - retransmissions: How often the first of them was sent again without one.
  /// - Returns: False for a peer that may be slow.
  package func isHalfOpen(unacknowledged: Int, retransmissions: Int) -> Bool {
    isSuspect && unacknowledged > 0 && retransmissions >= Self.retransmissions
  }
}
