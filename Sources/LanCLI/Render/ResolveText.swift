import LanCore
import LanSystem
import LanWire

/// Writes answers for people: a line for each address, which begins with what to connect to.
struct ResolveText {
  let style: TerminalStyle

  /// Writes an answer; `action` where changes are shown.
  func append(
    _ answer: ResolveAnswer, _ action: ResolveAction?, rule: DestinationOrder.Rule? = nil,
    to out: inout OutputBuffer
  ) {
    let start = out.count
    switch answer {
    case .address(let value):
      appendMark(action, to: &out)
      style.begin(.bold, to: &out)
      out.append(text: value.endpointText, escape: .shown)
      style.end(to: &out)
      out.pad(from: start, to: (style.isOn ? 36 : 28) + (action == nil ? 0 : 2))
      out.append(text: value.name, escape: .shown)
    case .service(let value):
      out.append("# ")
      appendMark(action, to: &out)
      append(value, to: &out)
    case .record(let value):
      appendMark(action, to: &out)
      out.append(text: "\(value.name)", escape: .shown)
      out.append(text: "  \(value.data.type)  ")
      RecordRendering.appendText(value.data, to: &out)
    }
    append(answer.origin, to: &out)
    if let rule { out.append(text: "  before the next by rule \(rule.rawValue): \(rule.text)") }
    out.append("\n")
  }

  private func appendMark(_ action: ResolveAction?, to out: inout OutputBuffer) {
    switch action {
    case nil: break
    case .added: out.append("+ ")
    case .updated: out.append("~ ")
    case .removed: out.append("- ")
    }
  }

  private func append(_ value: ResolvedService, to out: inout OutputBuffer) {
    out.append(text: "\(value.name.name)", escape: .shown)
    if value.isPlaceholder {
      out.append(": the name is reserved, nothing runs there")
      return
    }
    out.append(text: ": \(value.host):\(value.port)", escape: .shown)
    out.append(text: ", priority \(value.priority), weight \(value.weight)")
    for string in value.text ?? [] where !string.isEmpty {
      out.append(" \"")
      out.append(string.span, 0..<string.count, escape: .text)
      out.append("\"")
    }
  }

  private func append(_ origin: ResolveOrigin, to out: inout OutputBuffer) {
    style.begin(.dim, to: &out)
    out.append(text: "  \(origin.provider.rawValue)")
    if let server = origin.server { out.append(text: " \(server)", escape: .shown) }
    if let name = origin.interface ?? origin.interfaceIndex.map({ "\($0)" }) {
      out.append(text: "  \(name)", escape: .shown)
    }
    if let ttl = origin.ttl { out.append(text: "  ttl \(ttl)") }
    out.append("  ")
    let tenths = max(origin.elapsed, 0) / 100_000
    out.append(text: "\(tenths / 10).\(tenths % 10) ms")
    style.end(to: &out)
  }

  // MARK: Sentences

  /// That two sources do not agree.
  static func sentence(_ found: ResolveContradiction, of query: ResolveQuery) -> String {
    let deciding = found.deciding.map { what($0, query) }.joined(separator: ", ")
    let other = found.other.map { value in
      what(value, query) + (value.origin.interface.map { " on \($0)" } ?? "")
    }.joined(separator: ", ")
    let shown = ResolveConfiguration.shown(query.text)
    return """
      the hosts file says that '\(shown)' is \(deciding), multicast DNS says \(other); the hosts \
      file decides
      """
  }

  private static func what(_ value: ResolvedAddress, _ query: ResolveQuery) -> String {
    if case .address = query.subject { return value.name }
    return value.addressText
  }

  /// That there is no answer.
  static func sentence(_ failure: ResolveFailure, of query: ResolveQuery) -> String {
    let shown = ResolveConfiguration.shown(query.text)
    return "cannot resolve '\(shown)': \(failure.reason(query))"
  }
}

extension ResolveFailure {
  /// Why, and what to do about it where there is something to be done.
  fileprivate func reason(_ query: ResolveQuery) -> String {
    switch self {
    case .notFound:
      switch query.subject {
      case .host: "no such name"
      case .address: "the address has no name"
      case .service: "no such service"
      case .record(_, let type): "there is no \(type) record"
      }
    case .noAddress: "the name has no address of the wanted family"
    case .noAnswer: "nobody answered"
    case .placeholder: "the name is reserved, nothing runs there"
    case .timeout: "no answer within the time limit"
    case .cancelled: "it was given up"
    case .noInterface: "there is no interface to ask on"
    case .failed(let text): text.isEmpty ? "the resolver failed" : text
    }
  }
}
