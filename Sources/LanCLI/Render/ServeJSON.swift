import LanCore
import LanSystem
import LanWire

/// Writes what happens as JSON Lines, as the contract's chapter on `serve` says.
struct ServeJSON {
  private var sequence = 0
  private var time = TimeText()

  /// Writes an event.
  mutating func append(_ event: ServeEvent, at wall: Int64, to out: inout OutputBuffer) {
    begin(event.word, at: wall, to: &out)
    switch event {
    case .listening(let port, let endpoints, let mode):
      out.append(",\"port\":")
      out.append(port)
      out.append(",\"addresses\":")
      out.appendJSON(list: endpoints.map(\.addressText))
      out.appendJSON("mode", mode)
    case .published(let service, let text): append(service, text, to: &out)
    case .renamed(let from, let to, let rival), .hostRenamed(let from, let to, let rival):
      append("from", from, to: &out)
      append("to", to, to: &out)
      if let rival { out.appendJSON("rival", "\(rival)") }
    case .updated(let text):
      out.append(",")
      RecordRendering.appendTXT(text, to: &out)
    case .withdrawn(let name): if let name { append(name, to: &out) }
    case .notPublished(let error):
      out.appendJSON("reason", "\(error)")
      out.append(",\"code\":")
      out.append(error.code)
    case .connection(let peer): append(peer, to: &out)
    case .closed(let peer, let bytesIn, let bytesOut, let reason):
      append(peer, to: &out)
      out.append(",\"bytesIn\":")
      out.append(bytesIn)
      out.append(",\"bytesOut\":")
      out.append(bytesOut)
      out.appendJSON("reason", reason.word)
      if case .system(let error) = reason, !error.isReset { out.appendJSON("text", error.reason) }
    case .tap(let tap, let isSent, let peer):
      out.append(",\"tile\":")
      out.append(tap.tile)
      out.appendJSON("state", tap.isDown ? "down" : "up")
      out.appendJSON("direction", isSent ? "sent" : "received")
      append(peer, to: &out)
    case .cannotAccept(let error): out.appendJSON("reason", error.reason)
    }
    out.append("}\n")
  }

  /// Writes the `summary`.
  mutating func append(
    _ ledger: ServeLedger, elapsed: Int64, at wall: Int64, to out: inout OutputBuffer
  ) {
    begin("summary", at: wall, to: &out)
    let values: [(StaticString, Int)] = [
      ("connections", ledger.connections), ("refused", ledger.refused), ("games", ledger.games),
      ("tapsReceived", ledger.tapsReceived), ("tapsSent", ledger.tapsSent),
      ("bytesIn", ledger.bytesIn), ("bytesOut", ledger.bytesOut),
      ("elapsedMicroseconds", Int(max(elapsed, 0) / 1_000)),
    ]
    for (key, value) in values {
      out.append(",\"")
      out.append(key)
      out.append("\":")
      out.append(value)
    }
    out.append("}\n")
  }

  private mutating func begin(_ event: StaticString, at wall: Int64, to out: inout OutputBuffer) {
    sequence += 1
    out.append("{\"schema\":\"lantool.serve/1\",\"event\":\"")
    out.append(event)
    out.append("\",\"time\":\"")
    time.appendUTC(wall, digits: 6, to: &out)
    out.append("\",\"seq\":")
    out.append(sequence)
  }

  private func append(_ service: PublishedService, _ text: [[UInt8]], to out: inout OutputBuffer) {
    append(service.name, to: &out)
    out.append(",\"host\":\"")
    out.appendJSON(name: service.host)
    out.append("\",\"port\":")
    out.append(service.port)
    out.append(",\"interfaces\":")
    out.appendJSON(list: service.interfaces)
    out.append(",")
    RecordRendering.appendTXT(text, to: &out)
    if service.isHostForeign { out.append(",\"hostForeign\":true") }
  }

  private func append(_ name: ServiceInstanceName, to out: inout OutputBuffer) {
    append("instance", name.instance, to: &out)
    out.append(",\"serviceName\":\"")
    out.appendJSON(name: name.name)
    out.append("\"")
    out.appendJSON("type", "\(name.type)")
    out.append(",\"domain\":\"")
    out.appendJSON(name: name.domain)
    out.append("\"")
  }

  private func append(_ key: StaticString, _ label: [UInt8], to out: inout OutputBuffer) {
    out.append(",\"")
    out.append(key)
    out.append("\":\"")
    out.append(json: label.span, 0..<label.count)
    out.append("\"")
  }

  private func append(_ peer: SocketEndpoint, to out: inout OutputBuffer) {
    out.appendJSON("peer", peer.addressText)
    out.append(",\"peerPort\":")
    out.append(peer.port)
  }
}

extension ServeEvent {
  /// The event's word in JSON.
  var word: StaticString {
    switch self {
    case .listening: "listening"
    case .published: "published"
    case .renamed: "renamed"
    case .hostRenamed: "hostRenamed"
    case .updated: "updated"
    case .withdrawn: "withdrawn"
    case .notPublished: "notPublished"
    case .connection: "connection"
    case .closed: "closed"
    case .tap: "tap"
    case .cannotAccept: "cannotAccept"
    }
  }
}
