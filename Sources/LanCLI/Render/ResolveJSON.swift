import LanCore
import LanSystem
import LanWire

/// Writes answers as JSON Lines, as the contract's chapter on `resolve` says.
struct ResolveJSON {
  private var head = JSONLineHead("lantool.resolve/1")

  /// Writes an `address`, `service` or `record`.
  mutating func append(
    _ answer: ResolveAnswer, _ action: ResolveAction?, rule: DestinationOrder.Rule? = nil,
    of query: ResolveQuery, at wall: Int64, to out: inout OutputBuffer
  ) {
    switch answer {
    case .address(let value):
      begin("address", query, at: wall, to: &out)
      append(members: value, to: &out)
    case .service(let value):
      begin("service", query, at: wall, to: &out)
      append(value, to: &out)
    case .record(let value):
      begin("record", query, at: wall, to: &out)
      out.appendJSON("name", "\(value.name)")
      out.appendJSON("type", "\(value.data.type)")
      out.append(",\"class\":\"IN\",\"data\":{")
      RecordRendering.appendJSON(value.data, to: &out)
      out.append("}")
    }
    append(answer.origin, to: &out)
    if let action { out.appendJSON("action", action.rawValue) }
    if let rule {
      out.appendJSON("rule", rule.rawValue)
      out.appendJSON("ruleText", rule.text)
    }
    out.append("}\n")
  }

  /// Writes a `contradiction`.
  mutating func append(
    _ found: ResolveContradiction, of query: ResolveQuery, at wall: Int64,
    to out: inout OutputBuffer
  ) {
    begin("contradiction", query, at: wall, to: &out)
    for (key, list) in [("deciding", found.deciding), ("other", found.other)] {
      out.append(text: ",\"\(key)\":[")
      for (index, address) in list.enumerated() {
        // The first member's comma belongs to the object before it.
        out.append(index > 0 ? ",{\"query\":" : "{\"query\":")
        out.appendJSON(string: query.text)
        append(members: address, to: &out)
        append(address.origin, to: &out)
        out.append("}")
      }
      out.append("]")
    }
    out.append("}\n")
  }

  /// Writes a `failure`.
  mutating func append(
    _ failure: ResolveFailure, of query: ResolveQuery, at wall: Int64, to out: inout OutputBuffer
  ) {
    begin("failure", query, at: wall, to: &out)
    out.appendJSON("reason", failure.word)
    out.appendJSON("code", failure.code)
    if case .failed(let text) = failure, !text.isEmpty { out.appendJSON("text", text) }
    out.append("}\n")
  }

  /// Writes the `summary`.
  mutating func append(
    _ ledger: ResolveLedger, elapsed: Int64, at wall: Int64, to out: inout OutputBuffer
  ) {
    begin("summary", nil, at: wall, to: &out)
    out.appendJSON("queries", ledger.states.count)
    out.appendJSON("resolved", ledger.resolvedCount)
    out.appendJSON("failed", ledger.failedCount)
    out.appendJSON("answers", ledger.answerCount)
    out.appendJSON("elapsedMicroseconds", max(elapsed, 0) / 1_000)
    out.append("}\n")
  }

  private mutating func begin(
    _ event: StaticString, _ query: ResolveQuery?, at wall: Int64, to out: inout OutputBuffer
  ) {
    head.append(event, at: wall, to: &out)
    if let query { out.appendJSON("query", query.text) }
  }

  private func append(members value: ResolvedAddress, to out: inout OutputBuffer) {
    out.appendJSON("name", value.name)
    out.appendJSON("address", value.addressText)
    out.appendJSON("family", value.address.isIPv6 ? "ipv6" : "ipv4")
    if let port = value.port { out.appendJSON("port", port) }
  }

  private func append(_ value: ResolvedService, to out: inout OutputBuffer) {
    out.appendJSON("name", "\(value.name.name)")
    out.append(",\"instance\":\"")
    let instance = value.name.instance
    out.append(instance.span, 0..<instance.count, escape: .jsonText)
    out.append("\"")
    out.appendJSON("type", "\(value.name.type)")
    out.appendJSON("domain", "\(value.name.domain)")
    out.appendJSON("host", "\(value.host)")
    out.appendJSON("port", value.port)
    out.appendJSON("priority", value.priority)
    out.appendJSON("weight", value.weight)
    if let text = value.text { JSONText.append(text, to: &out) }
    if value.isPlaceholder { out.appendJSON("placeholder", true) }
  }

  private func append(_ origin: ResolveOrigin, to out: inout OutputBuffer) {
    out.appendJSON("provider", origin.provider.rawValue)
    if let server = origin.server { out.appendJSON("server", server) }
    if let name = origin.interface { out.appendJSON("interface", name) }
    if let index = origin.interfaceIndex, index != 0 { out.appendJSON("interfaceIndex", index) }
    if let ttl = origin.ttl { out.appendJSON("ttlSeconds", ttl) }
    out.appendJSON("elapsedMicroseconds", max(origin.elapsed, 0) / 1_000)
  }
}
