import LanWire

extension LintRules {
  /// The rules that need several messages.
  static let history: [LintRule] = []
}

/// The rules over time.
struct LintHistory: Sendable {
  mutating func handle(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ envelope: MessageEnvelope, kind: MessageKind, protocol: NameProtocol,
    into findings: inout [Finding]
  ) {}

  mutating func packetsWereLost() {}

  mutating func finish(at nanoseconds: Int64, into findings: inout [Finding]) {}
}
