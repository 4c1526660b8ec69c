import LanCore
import LanWire

/// Asks one-shot multicast DNS questions from ports of its own, for one client.
///
/// The links are those that there are at the start.
final class OneShotNode {
  private let interfaces: [String]
  private let reactor: Reactor
  private let batch = DatagramBatch()
  private var querier: OneShotQuerier
  private var links: [MDNSLink] = []
  private var sockets: [DatagramSocket] = []
  private var watches: [WatchToken] = []
  private var timer: TimerToken?
  private weak var client: (any MDNSClient)?

  init(_ interfaces: [String], on reactor: Reactor) {
    self.interfaces = interfaces
    self.reactor = reactor
    var random = SystemRandomNumberGenerator()
    querier = OneShotQuerier(seed: random.next())
  }

  /// Finds the links and opens the sockets.
  func start() throws(MDNSError) {
    do throws(SystemError) {
      for interface in try InterfaceList.multicast()
      where interfaces.isEmpty || interfaces.contains(interface.name) {
        let link = Self.link(interface)
        guard !link.families.isEmpty else { continue }
        links.append(link)
        querier.setLink(link)
      }
    } catch {
      throw .system(error)
    }
    if links.isEmpty { throw .noMulticastInterface([]) }
    for family in [DatagramSocket.Family.ipv4, .ipv6] {
      // A host may lack one of the families.
      if let socket = try? open(family) { sockets.append(socket) }
    }
  }

  private static func link(_ interface: NetworkInterface) -> MDNSLink {
    var families: MDNSFamilies = []
    for own in interface.addresses { families.formUnion(MDNSFamilies(own.address)) }
    return MDNSLink(
      index: interface.index, name: interface.name, families: families,
      prefixes: interface.addresses.map {
        IPPrefix($0.address, UInt8(clamping: $0.prefixLength))
      })
  }

  private func open(_ family: DatagramSocket.Family) throws(SystemError) -> DatagramSocket {
    let socket = try DatagramSocket(family)
    try socket.setHopLimit(255)
    let any: IPAddress =
      family == .ipv4 ? .v4(IPv4Address(bits: 0)) : .v6(IPv6Address(high: 0, low: 0))
    try socket.bind(to: SocketEndpoint(any, port: 0))
    watches.append(
      try reactor.watch(socket.rawDescriptor) { [weak self] _ in self?.receive(from: socket) })
    return socket
  }

  private func receive(from socket: DatagramSocket) {
    guard let batch else { return }
    // An error that waited is gone by then; the datagrams come with the next call.
    while let count = try? socket.receive(into: batch), count > 0 {
      let now = MonotonicClock.now
      batch.forEach { bytes, info in
        querier.handle(
          bytes,
          MDNSArrival(
            interfaceIndex: info.interfaceIndex, source: info.source.address,
            sourcePort: info.source.port, isMulticast: false, hopLimit: info.hopLimit), at: now)
      }
    }
    converse()
  }

  /// Lets querier and client talk until neither has anything to say, then sends.
  private func converse() {
    guard let client else { return }
    let now = MonotonicClock.now
    while true {
      let changes = querier.changes
      querier.changes = []
      for change in changes { client.handle(change, at: now) }
      if !changes.isEmpty { client.batchEnded(at: now) }
      let demands = client.takeDemands()
      for demand in demands {
        switch demand {
        case .start(let question, let effort): querier.start(question, effort, at: now)
        case .stop(let question): querier.stop(question)
        case .reconfirm: break
        }
      }
      if demands.isEmpty, querier.changes.isEmpty { break }
    }
    send()
    setTimer()
  }

  private func send() {
    for packet in querier.packets {
      for socket in sockets {
        let family: MDNSFamilies = socket.family == .ipv4 ? .ipv4 : .ipv6
        guard packet.families.contains(family) else { continue }
        let group: IPAddress = family == .ipv4 ? .v4(.mdnsGroup) : .v6(.mdnsGroup)
        let scope = family == .ipv6 ? packet.interfaceIndex : 0
        // One that cannot leave now is asked again.
        _ = try? socket.send(
          packet.bytes.span, to: SocketEndpoint(group, port: 5_353, scope: scope),
          interfaceIndex: packet.interfaceIndex)
      }
    }
    querier.packets = []
  }

  private func setTimer() {
    if let timer { reactor.cancel(timer) }
    timer = nil
    guard let client,
      let deadline = [querier.nextDeadline, client.nextDeadline].compactMap({ $0 }).min()
    else { return }
    timer = reactor.schedule(at: deadline) { [weak self] in self?.timerFired() }
  }

  private func timerFired() {
    timer = nil
    let now = MonotonicClock.now
    querier.deadlineReached(at: now)
    if let client, let deadline = client.nextDeadline, deadline <= now {
      client.deadlineReached(at: now)
    }
    converse()
  }
}

extension OneShotNode: MulticastSpeaker {
  func add(_ client: any MDNSClient) {
    self.client = client
    let now = MonotonicClock.now
    for link in links { client.setLink(link, at: now) }
    converse()
  }

  func remove(_ client: any MDNSClient) {
    self.client = nil
    if let timer { reactor.cancel(timer) }
    for watch in watches { reactor.unwatch(watch) }
    (timer, watches, sockets) = (nil, [], [])
  }
}
