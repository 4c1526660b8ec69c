import LanCore
import LanSystem
import LanWire

/// Writes what happens as JSON Lines, as the contract's chapter on `serve` says.
struct ServeJSON {
  private var head = JSONLineHead("lantool.serve/1")

  /// Writes an event.
  mutating func append(_ event: ServeEvent, at wall: Int64, to out: inout OutputBuffer) {
    head.append(event.word, at: wall, to: &out)
    switch event {
    case .listening(let port, let endpoints, let mode):
      out.appendJSON("port", port)
      out.appendJSON("addresses", endpoints.map(\.addressText))
      out.appendJSON("mode", mode)
    case .published(let service, let text): append(service, text, to: &out)
    case .renamed(let from, let to, let rival), .hostRenamed(let from, let to, let rival):
      append("from", from, to: &out)
      append("to", to, to: &out)
      if let rival { out.appendJSON("rival", "\(rival)") }
    case .updated(let text):
      JSONText.append(text, to: &out)
    case .withdrawn(let name): if let name { append(name, to: &out) }
    case .notPublished(let error):
      out.appendJSON("reason", "\(error)")
      out.appendJSON("code", error.code)
    case .connection(let peer): append(peer, to: &out)
    case .closed(let peer, let bytesIn, let bytesOut, let reason):
      append(peer, to: &out)
      out.appendJSON("bytesIn", bytesIn)
      out.appendJSON("bytesOut", bytesOut)
      out.appendJSON("reason", reason.word)
      if case .system(let error) = reason, !error.isReset { out.appendJSON("text", error.reason) }
    case .tap(let tap, let isSent, let peer):
      out.appendJSON("tile", tap.tile)
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
    head.append("summary", at: wall, to: &out)
    let values: [(StaticString, Int)] = [
      ("connections", ledger.connections), ("refused", ledger.refused), ("games", ledger.games),
      ("tapsReceived", ledger.tapsReceived), ("tapsSent", ledger.tapsSent),
      ("bytesIn", ledger.bytesIn), ("bytesOut", ledger.bytesOut),
      ("elapsedMicroseconds", Int(max(elapsed, 0) / 1_000)),
    ]
    for (key, value) in values {
      out.appendJSON(key, value)
    }
    out.append("}\n")
  }

  private func append(_ service: PublishedService, _ text: [[UInt8]], to out: inout OutputBuffer) {
    append(service.name, to: &out)
    out.appendJSON("host", name: service.host)
    out.appendJSON("port", service.port)
    out.appendJSON("interfaces", service.interfaces)
    JSONText.append(text, to: &out)
    if service.isHostForeign { out.appendJSON("hostForeign", true) }
  }

  private func append(_ name: ServiceInstanceName, to out: inout OutputBuffer) {
    append("instance", name.instance, to: &out)
    out.appendJSON("serviceName", name: name.name)
    out.appendJSON("type", "\(name.type)")
    out.appendJSON("domain", name: name.domain)
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
    out.appendJSON("peerPort", peer.port)
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
