import LanWire

/// Nanoseconds of the waiting times of the rules.
let oneSecond: Int64 = 1_000_000_000
let oneMillisecond: Int64 = 1_000_000

/// What rules ask about the message at hand beside its records.
struct HistoryContext {
  var now: Int64
  var frame: Int
  /// A hash of the whole message on this interface.
  var payload: UInt64 = 0
  var host: UInt64 = 0
  /// Where the host is in its table; good for the whole message.
  var hostIndex = 0
  var source: IPAddress
  /// The address that findings name the host by: its IPv4 address, where it has shown one.
  var shown: IPAddress
  var destination: IPAddress
  var salt: UInt64
  /// 1 over IPv4, 2 over IPv6.
  var family: UInt64
  var toGroup: Bool
  var fromPort5353: Bool
  var hasMAC: Bool
  var isTunnelled: Bool
  var interface: Int32
  var kind: MessageKind

  init(_ envelope: MessageEnvelope, now: Int64, kind: MessageKind) {
    self.now = now
    self.kind = kind
    frame = envelope.frame
    source = envelope.source
    shown = envelope.source
    destination = envelope.destination
    interface = envelope.interface
    salt = UInt64(truncatingIfNeeded: interface) &* 0x9E37_79B9_7F4A_7C15
    family = envelope.source.isIPv6 ? 2 : 1
    toGroup = envelope.destination.isMDNSGroup
    fromPort5353 = envelope.sourcePort == 5353
    hasMAC = envelope.sourceMAC != nil
    isTunnelled = envelope.isTunnelled
  }
}

/// Spans of time as findings show them.
extension LintHistory {
  func milliseconds(_ duration: Int64) -> String { "\(duration / oneMillisecond) ms" }

  func seconds(_ duration: Int64) -> String {
    "\(duration / oneSecond).\(duration % oneSecond / (100 * oneMillisecond)) s"
  }
}
