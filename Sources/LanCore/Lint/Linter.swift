public import LanWire

public struct FindingSummary: Sendable {
  public var rule: LintRule; public var severity: FindingSeverity; public var source: IPAddress;
  public var count: Int; public var frames: [Int]; public var text: String
}
struct Linter {
  mutating func handle(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ envelope: MessageEnvelope, protocol: NameProtocol, kind: MessageKind,
    into findings: inout [Finding]
  ) {}
  mutating func handleMembership(_ m: GroupMembership, at: Int64) {}
  mutating func finish(at: Int64) -> [FindingSummary] { [] }
}
public enum LintRules { public static let all: [LintRule] = []; public static func rule(_ id: String) -> LintRule? { nil } }
