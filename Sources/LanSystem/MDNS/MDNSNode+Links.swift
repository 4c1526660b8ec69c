import Glibc
import LanCore
import LanWire

extension MDNSNode {
  // MARK: Running

  /// Takes the port, finds the interfaces, joins the groups and begins to listen.
  ///
  /// - Throws: `MDNSError`, with nothing begun.
  public func start() throws(MDNSError) {
    guard !isRunning else { return }
    tracker = Self.tracker(configuration)
    do throws(MDNSError) {
      let kernel = try openKernel()
      try check()
      try openSockets()
      self.kernel = kernel
      isRunning = true
      turn = ReactorTurn(self)
      try useLinks()
    } catch {
      close()
      throw error
    }
  }

  /// Leaves the groups, gives the port back, and forgets everything; clients stay registered, and
  /// are told that the links went.
  public func stop() {
    guard isRunning else { return }
    let now = MonotonicClock.now
    isRunning = false
    for index in links.keys.sorted() {
      for registration in clients.values { registration.client.removeLink(index, at: now) }
    }
    let publishing = publishing
    self.publishing = nil
    if let neighbours = publishing?.neighbours { clients[ObjectIdentifier(neighbours)] = nil }
    close()
    publishing?.nodeStopped()
  }

  private func close() {
    isRunning = false
    sockets?.close()
    source?.stop()
    if let timer { reactor.cancel(timer.token) }
    (sockets, source, kernel, timer, turn) = (nil, nil, nil, nil, nil)
    links = [:]
    packets = []
    failures = []
    (isBatchOpen, batchBegan) = (false, nil)
    for id in clients.keys { clients[id]?.questions = [:] }
    querier = MDNSQuerier(seed: 0)
  }

  private func openSockets() throws(MDNSError) {
    guard batch != nil else { throw .system(SystemError(call: "malloc", errno: ENOMEM)) }
    let sockets = MDNSSockets(reactor, receiveBuffer: configuration.receiveBuffer)
    try sockets.open(configuration.families)
    sockets.onReadable = { [weak self] in self?.receive(from: $0) }
    sockets.onFailure = { [weak self] in self?.sendFailed($0, $1) }
    sockets.onDrained = { [weak self] in self?.publishing?.packetsLeft(isDrained: true) }
    self.sockets = sockets
    var settings = MDNSQuerier.Configuration()
    settings.isPassive = configuration.isPassive
    settings.mayAskUnicast = !sockets.isPortShared
    var random = SystemRandomNumberGenerator()
    querier = MDNSQuerier(settings, seed: random.next())
  }

  private func sendFailed(_ index: UInt32, _ error: SystemError) {
    guard failures.insert(SendFailure(index: index, errno: error.errno)).inserted else { return }
    report(.sendFailed(interface: links[index]?.name ?? "interface \(index)", error))
  }

  // MARK: The kernel

  private func openKernel() throws(MDNSError) -> NetlinkSocket {
    do throws(NetlinkError) {
      let kernel = try NetlinkSocket()
      // Events first: what changes while the state is read waits in the queue.
      let source = try NetlinkEventSource(groups: [.links, .ipv4Addresses, .ipv6Addresses])
      try source.start(on: reactor) { [weak self] message, bytes in
        self?.take(message, bytes)
      } onBatch: { [weak self] batch in
        self?.linksChanged(batch)
      }
      self.source = source
      try read(kernel)
      return kernel
    } catch {
      throw .netlink(error)
    }
  }

  private func read(_ kernel: NetlinkSocket) throws(NetlinkError) {
    let links = try kernel.links()
    let addresses = try kernel.addresses()
    tracker.replace(
      links: links.values, addresses: addresses.values.compactMap { InterfaceAddress($0) })
  }

  private func check() throws(MDNSError) {
    _ = tracker.takeInterrupted()
    guard configuration.requiresInterface else { return }
    if let name = tracker.unknownName {
      throw .unknownInterface(name: name, available: tracker.interfaceNames)
    }
    if !tracker.isAnyUsable { throw .noMulticastInterface(tracker.obstacles) }
  }

  private func take(_ message: NetlinkMessage, _ bytes: Span<UInt8>) {
    // A message that cannot be read says nothing about an interface that could be used.
    if let event = try? RouteNetlinkEvent(message, in: bytes) { tracker.handle(event) }
  }

  private func linksChanged(_ batch: NetlinkEventSource.Batch) {
    guard isRunning else { return }
    if batch.isOverrun || batch.isMalformed, let kernel {
      do throws(NetlinkError) { try read(kernel) } catch { report(.kernelNotAsked(error)) }
    }
    // Only the start is told that the port is not shared.
    do throws(MDNSError) { try useLinks() } catch {}
  }

  // MARK: Links

  /// Joins and leaves so that the links in use are those that the tracker wants.
  ///
  /// - Throws: `MDNSError.portInUse`, and nothing else.
  private func useLinks() throws(MDNSError) {
    let now = MonotonicClock.now
    let wanted = tracker.links
    let interrupted = tracker.takeInterrupted()
    for index in links.keys.sorted() where wanted[index] == nil || interrupted.contains(index) {
      removeLink(index, at: now)
    }
    var holder: MDNSError?
    for link in wanted.values.sorted(by: { $0.index < $1.index }) where links[link.index] != link {
      do throws(MDNSError) { try setLink(link, at: now) } catch { holder = error }
    }
    finishTurn(at: now)
    if let holder { throw holder }
  }

  private func removeLink(_ index: UInt32, at now: Int64) {
    guard links.removeValue(forKey: index) != nil else { return }
    for family in [DatagramSocket.Family.ipv4, .ipv6] { sockets?.leave(family, index) }
    failures = failures.filter { $0.index != index }
    querier.removeLink(index, at: now)
    publishing?.removeLink(index, at: now)
    for registration in clients.values { registration.client.removeLink(index, at: now) }
  }

  private func setLink(_ wanted: MDNSLink, at now: Int64) throws(MDNSError) {
    var link = wanted
    var holder: MDNSError?
    let interface = NetworkInterface(name: link.name, index: link.index, flags: 0)
    for (family, bit) in [(DatagramSocket.Family.ipv4, MDNSFamilies.ipv4), (.ipv6, .ipv6)] {
      guard link.families.contains(bit) else {
        sockets?.leave(family, link.index)
        continue
      }
      do throws(SystemError) {
        try sockets?.join(family, interface)
      } catch {
        link.families.remove(bit)
        if error.errno == EADDRINUSE { holder = MDNSSockets.error(error) }
        report(
          .notJoined(
            MulticastMembership.Failure(
              interface: link.name, group: MDNSSocket.group(family), error: error)))
      }
    }
    if link.families.isEmpty {
      removeLink(link.index, at: now)
    } else if links[link.index] != link {
      links[link.index] = link
      querier.setLink(link, at: now)
      publishing?.setLink(link, at: now)
      for registration in clients.values { registration.client.setLink(link, at: now) }
    }
    if let holder { throw holder }
  }
}
