import LanCore
import LanWire
import TestKit

@testable import LanSystem

/// What a publisher told, a line for each event.
final class PublisherLog {
  var lines: [String] = []
  var services: [PublishedService] = []

  init(_ publisher: ServicePublisher) {
    publisher.onEvent = { [weak self] in self?.note($0) }
  }

  private func note(_ event: ServicePublisherEvent) {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    switch event {
    case .willPublish: lines.append("will publish")
    case .didPublish(let service):
      services.append(service)
      lines.append(
        "did publish \(text(service.name.instance)) on \(service.interfaces.joined(separator: " "))"
      )
    case .renamed(let from, let to, _): lines.append("renamed \(text(from)) to \(text(to))")
    case .hostRenamed(let from, let to, _): lines.append("host \(text(from)) to \(text(to))")
    case .didNotPublish(let error): lines.append("did not publish \(error.code)")
    case .didStop: lines.append("did stop")
    case .diagnostic(let diagnostic): lines.append("\(diagnostic)")
    }
  }
}

/// A host at the other end of the cables that hears everything.
final class FarHost {
  struct Message {
    var message: DNSMessage
    var info: DatagramInfo
    var size: Int
    var hasForwardPointer: Bool
  }
  let peers: [Peer]
  private(set) var heard: [Message] = []
  /// Called with each message.
  var onMessage: ((Message) -> Void)?

  init(in namespace: String) throws {
    peers = [try Peer(.ipv4, in: namespace), try Peer(.ipv6, in: namespace)]
  }

  /// Takes what has come by now.
  func listen() {
    for peer in peers {
      for datagram in (try? peer.received()) ?? [] {
        // What this host said itself comes back too.
        if case .v4(let source) = datagram.info.source.address, source.bits & 0xFF == 2 { continue }
        var index = DNSMessageIndex()
        let view = index.read(datagram.bytes.span)
        guard let message = try? DNSMessage(datagram.bytes.span) else { continue }
        heard.append(
          Message(
            message: message, info: datagram.info, size: datagram.bytes.count,
            hasForwardPointer: view.hasForwardPointer))
        if let last = heard.last { onMessage?(last) }
      }
    }
  }

  func forget() { heard = [] }

  var responses: [Message] { heard.filter { $0.message.flags & 0x8000 != 0 } }
  var probes: [Message] { heard.filter { !$0.message.authorities.isEmpty } }

  /// The records of a type in the answers of responses, over either version of IP.
  func answers(_ type: DNSRecordType) -> [DNSRecord] {
    responses.flatMap(\.message.answers).filter { $0.data.type == type }
  }
}

extension Lab {
  /// Runs `body` inside the namespace `near`, with a host that hears everything in `far`.
  func hearing(_ body: @escaping @Sendable (FarHost, Reactor) throws -> Void) throws {
    let namespace = far
    try inside { try body(try FarHost(in: namespace), try Reactor()) }
  }
}

extension Reactor {
  /// Runs until `condition` holds while the far host listens.
  func run(
    hearing far: FarHost, seconds: Double = 8, until condition: @escaping () -> Bool
  ) throws -> Bool {
    try run(seconds: seconds) {
      far.listen()
      return condition()
    }
  }
}

extension ServicePublisher.Configuration {
  /// An instance of `_witap2._tcp` on a host of a name that no test machine has.
  static func deck(_ instance: String = "Deck", host: String? = "lab") -> Self {
    var service = MDNSService(
      instance: Array(instance.utf8), type: ServiceType(service: "witap2", transport: "tcp"),
      port: 4_242)
    service.text = [Array("mode=tap".utf8)]
    var configuration = Self(service)
    configuration.isNameGiven = true
    configuration.hostLabel = host.map { Array($0.utf8) }
    return configuration
  }
}
