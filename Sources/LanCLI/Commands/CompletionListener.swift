import LanCore
import LanSystem
import LanWire

/// Listens to what others are told, for a moment, and sends no message.
enum CompletionListener {
  /// Nobody waits longer for a key.
  static let duration = Duration.seconds(1)

  /// The names that were heard, a line each; none where listening is not possible.
  static func lines(_ request: CompletionRequest) -> String {
    guard CommandSetup.enter(request.namespace, { _ in }) == nil, let reactor = try? Reactor()
    else { return "" }
    var configuration = PacketSniffer.Configuration()
    configuration.usesSocket = true
    configuration.interfaces = request.interfaces
    let sniffer = PacketSniffer(configuration, on: reactor)
    var names = HeardNames()
    sniffer.onBatch = { batch, bytes in
      for message in batch.messages where !message.isReassembled {
        names.take(DNSMessage.lenient(bytes.extracting(message.payload)).message)
      }
    }
    guard (try? sniffer.start()) != nil else { return "" }
    reactor.schedule(after: duration) { reactor.stop() }
    try? reactor.run()
    sniffer.stop()
    return names.words(request.kind, of: request.types).map { "\($0)\n" }.joined()
  }
}
