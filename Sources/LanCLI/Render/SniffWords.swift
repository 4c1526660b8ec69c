import LanCore
import LanSystem
import LanWire

extension NameProtocol {
  /// The protocol's word in output.
  var word: StaticString {
    switch self {
    case .mdns: "mdns"
    case .llmnr: "llmnr"
    case .dns: "dns"
    }
  }
}

extension MessageKind {
  /// The kind's word in output.
  var word: StaticString {
    switch self {
    case .query: "query"
    case .probe: "probe"
    case .response: "response"
    case .announcement: "announcement"
    case .goodbye: "goodbye"
    }
  }
}

extension FindingSeverity {
  /// The severity's word in output.
  var word: StaticString {
    switch self {
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

extension OutputBuffer {
  /// Writes `true` or `false`.
  @inline(__always) mutating func append(bool value: Bool) {
    if value { append("true") } else { append("false") }
  }
}

/// Names of interfaces by the kernel's index.
///
/// A plain list: a host has few.
struct InterfaceNames: Sendable {
  private var names: [(index: Int, name: String)] = []

  init() {}

  mutating func set(_ name: String, for index: Int) {
    names.removeAll { $0.index == index }
    names.append((index, name))
  }

  subscript(index: Int) -> String? {
    for entry in names where entry.index == index { return entry.name }
    return nil
  }
}

/// Why a message is malformed, and at which byte of the DNS payload.
struct SniffProblem {
  let reason: String
  let offset: Int

  init?(_ message: SniffedMessage) {
    guard message.isMalformed else { return nil }
    if let problem = message.view.problem {
      reason = problem.reason.rawValue
      offset = problem.offset
      return
    }
    offset = 0
    switch message.fault {
    case .udpLengthTooSmall?: reason = "UDP length is below that of its own header"
    case .udpLengthTooLong?: reason = "UDP length is more than the IP packet holds"
    case .udpLengthTooShort?: reason = "UDP length is less than the IP packet holds"
    case nil: return nil
    }
  }
}
