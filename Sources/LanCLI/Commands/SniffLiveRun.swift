import LanCore
import LanSystem
import LanWire

/// `lantool sniff` on live interfaces: one thread, one loop.
final class SniffLiveRun {
  private let configuration: SniffConfiguration
  private var analyzer: SniffAnalyzer
  private var renderer: SniffRenderer
  private var batch = SniffBatch()
  private var out = OutputBuffer()
  private var writer: SniffFrameWriter?
  private var names: [Int: String] = [:]
  private var frames = 0
  private var status = ExitStatus.success
  private var signal: Int32?
  private var reactor: Reactor?
  private var capture: LiveCapture?

  init(_ configuration: SniffConfiguration) {
    self.configuration = configuration
    analyzer = SniffAnalyzer(configuration.options)
    renderer = SniffRenderer(configuration)
  }

  /// Captures until a limit or a signal and says how it went.
  func run() -> ExitStatus {
    do {
      let reactor = try Reactor()
      self.reactor = reactor
      let signals = try SignalSource([2, 15], on: reactor) { [unowned self] in interrupt($0) }
      if let write = configuration.write { writer = try SniffFrameWriter(write) }
      let sources = try start(on: reactor)
      scheduleEnd(on: reactor)
      if !isEnded { try reactor.run() }
      withExtendedLifetime(sources) { finish() }
      // From here a second signal has its old effect.
      signals.cancel()
    } catch {
      return failed(error)
    }
    if let signal, configuration.isBounded { SignalSource.die(by: signal) }
    return status
  }

  private var isEnded = false

  private func stop() {
    isEnded = true
    reactor?.stop()
  }

  private func interrupt(_ number: Int32) {
    if signal != nil { SignalSource.die(by: number) }
    signal = number
    stop()
  }

  // MARK: Sources

  private struct Sources {
    var membership: MulticastMembership?
    var socket: MulticastSocketCapture?
  }

  private func start(on reactor: Reactor) throws -> Sources {
    let interfaces = try selectedInterfaces()
    return configuration.usesSocket
      ? Sources(socket: try listen(on: interfaces, reactor))
      : try startCapture(on: interfaces, reactor)
  }

  /// The interfaces asked for, or every one that multicast can be heard on; `any` stays a word.
  private func selectedInterfaces() throws -> [NetworkInterface] {
    if configuration.interfaces.isEmpty || configuration.interfaces == ["any"] {
      let all = try InterfaceList.multicast()
      if all.isEmpty, configuration.interfaces.isEmpty {
        throw SniffStartError(
          "no interface that is up can carry multicast; see 'ip link', or name one with -i")
      }
      return all
    }
    var found: [NetworkInterface] = []
    for name in configuration.interfaces where !found.contains(where: { $0.name == name }) {
      guard let interface = try InterfaceList.named(name) else {
        throw CaptureError.noSuchInterface(
          interface: name, available: try InterfaceList.all().map(\.name))
      }
      found.append(interface)
    }
    return found
  }

  private func startCapture(
    on interfaces: [NetworkInterface], _ reactor: Reactor
  ) throws -> Sources {
    var options = CaptureOptions()
    options.isPromiscuous = configuration.isPromiscuous
    options.expression = configuration.expression
    if let length = configuration.snapshotLength { options.snapshotLength = length }
    if let size = configuration.bufferSize { options.bufferSize = size }
    options.kernelFilter = LiveFilter(
      ports: configuration.options.selection.protocols.map(\.port),
      includesMembership: configuration.options.lint,
      includesTunnels: configuration.options.selection.tunnels)
    let capture = LiveCapture(options: options, on: reactor) { [unowned self] in take($0, $1) }
    capture.onEnd = { [unowned self, unowned capture] error in
      SniffCommand.complain("\(error)")
      if capture.interfaceCount == 0 {
        status = .undetermined
        stop()
      }
    }
    self.capture = capture
    let isAny = configuration.interfaces == ["any"]
    for name in isAny ? ["any"] : interfaces.map(\.name) { try capture.add(name) }
    for warning in capture.warnings { SniffCommand.complain(warning) }
    var sources = Sources()
    if configuration.joins { sources.membership = join(interfaces) }
    announce(isAny ? ["any"] : interfaces.map(\.name), "")
    return sources
  }

  private func join(_ interfaces: [NetworkInterface]) -> MulticastMembership {
    var groups = MulticastMembership.mdnsGroups
    if configuration.options.selection.protocols.contains(.llmnr) {
      groups += MulticastMembership.llmnrGroups
    }
    let membership = MulticastMembership(groups: groups)
    for interface in interfaces where interface.isMulticast {
      for failure in membership.join(interface) {
        // Where a family has no address it has no groups either: nothing to complain of.
        if failure.isExpected(on: interface) { continue }
        SniffCommand.complain("\(failure); what a switch or card filters out will be missing")
      }
    }
    return membership
  }

  private func listen(
    on interfaces: [NetworkInterface], _ reactor: Reactor
  ) throws -> MulticastSocketCapture {
    var groups = MulticastSocketCapture.Group.mdns
    if configuration.options.selection.protocols.contains(.llmnr) {
      groups += MulticastSocketCapture.Group.llmnr
    }
    let socket = try MulticastSocketCapture(
      groups: groups, interfaces: interfaces, on: reactor
    ) { [unowned self] in take($0, $1) }
    for failure in socket.failures {
      if interfaces.contains(where: { failure.isExpected(on: $0) }) { continue }
      SniffCommand.complain("\(failure)")
    }
    if socket.socketCount == 0 { throw SniffStartError("no group could be joined") }
    announce(interfaces.map(\.name), " with a UDP socket: multicast only")
    return socket
  }

  private func announce(_ names: [String], _ how: String) {
    if case .quiet = configuration.output, configuration.write == nil { return }
    StandardError.write("lantool sniff: listening on \(names.joined(separator: ", "))\(how)\n")
  }

  private func scheduleEnd(on reactor: Reactor) {
    if let duration = configuration.duration {
      _ = reactor.schedule(after: duration) { [unowned self] in stop() }
    }
    if let timeout = configuration.timeout {
      _ = reactor.schedule(after: timeout) { [unowned self] in
        if analyzer.messages + analyzer.malformed == 0 { status = .timedOut }
        stop()
      }
    }
  }

  // MARK: Messages

  private func take(_ bytes: Span<UInt8>, _ captured: CapturedFrame) {
    guard !isEnded else { return }
    learn(captured.interface, Int(captured.interfaceIndex))
    frames += 1
    let frame = SniffedFrame(
      bytes: 0..<bytes.count, number: frames,
      time: CaptureTime(nanoseconds: captured.time, fractionDigits: 9),
      interface: Int(captured.interfaceIndex),
      linkType: LinkType(rawValue: UInt16(truncatingIfNeeded: captured.linkType)),
      originalLength: captured.originalLength)
    batch.removeAll()
    analyzer.handle(bytes, frame, into: &batch)
    show(bytes)
  }

  private func take(_ payload: Span<UInt8>, _ info: DatagramInfo) {
    guard !isEnded else { return }
    let index = Int(info.interfaceIndex)
    if names[index] == nil { learn(InterfaceList.name(of: info.interfaceIndex) ?? "?", index) }
    frames += 1
    let envelope = MessageEnvelope(
      frame: frames, nanoseconds: info.time, interface: Int32(truncatingIfNeeded: index),
      source: info.source.address, destination: info.destination.address,
      sourcePort: info.source.port, destinationPort: info.destination.port,
      hopLimit: info.hopLimit ?? 0, isCut: info.isTruncated)
    batch.removeAll()
    analyzer.handleDatagram(payload, envelope, into: &batch)
    show(payload)
  }

  private func learn(_ name: String, _ index: Int) {
    guard names[index] != name else { return }
    names[index] = name
    renderer.set(name, for: index)
  }

  private func show(_ bytes: Span<UInt8>) {
    if !batch.messages.isEmpty {
      renderer.append(batch, bytes, to: &out)
      let isWritten = out.count == 0 || SniffCommand.write(out)
      out.removeAll()
      if !isWritten {
        status = .undetermined
        return stop()
      }
    }
    if !batch.frames.isEmpty { save(bytes) }
    if analyzer.isFinished { stop() }
  }

  private func save(_ bytes: Span<UInt8>) {
    do throws(FileError) {
      for frame in batch.frames {
        try writer?.write(bytes.extracting(frame.bytes), frame) { names[$0] }
      }
    } catch {
      writer?.complain(error)
      status = .undetermined
      stop()
    }
  }

  // MARK: End

  private func finish() {
    let statistics = capture?.statistics ?? CaptureStatistics()
    capture?.stop()
    do throws(FileError) { try writer?.close() } catch {
      writer?.complain(error)
      status = .undetermined
    }
    let findings = analyzer.finishLint()
    let summary = SniffSummary(
      analyzer: analyzer, frames: frames, findings: findings, dropped: statistics.dropped,
      now: WallClock.now)
    switch configuration.output {
    case .json:
      var sequence = analyzer.sequence
      summary.appendJSON(&sequence, to: &out)
    case .text, .oneLine:
      summary.appendText(TerminalStyle(isOn: configuration.isColoured), to: &out)
    case .fields, .quiet: break
    }
    if out.count > 0 { _ = SniffCommand.write(out) }
    if case .json = configuration.output { return }
    if case .quiet = configuration.output, configuration.write == nil { return }
    SniffCommand.complain(summary.line)
  }

  private func failed(_ error: any Error) -> ExitStatus {
    if let error = error as? CaptureError {
      var text = "\(error)"
      defer { SniffCommand.complain(text) }
      switch error {
      case .permissionDenied:
        text += ", or add --socket (no privilege needed, multicast only)"
        return .notPermitted
      case .badFilter: return .usage
      default: return .undetermined
      }
    }
    if let error = error as? FileError {
      SniffCommand.complain("cannot write \(error)")
    } else {
      SniffCommand.complain("\(error)")
    }
    return .undetermined
  }
}

/// Why a live run cannot start.
struct SniffStartError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension NameProtocol {
  /// The UDP port of the protocol.
  var port: UInt16 {
    switch self {
    case .mdns: 5353
    case .llmnr: 5355
    case .dns: 53
    }
  }
}

extension MulticastMembership.Failure {
  /// True where the interface has no address of the group's family.
  func isExpected(on interface: NetworkInterface) -> Bool {
    interface.name == self.interface
      && !interface.addresses.contains { $0.address.isIPv6 == group.isIPv6 }
  }
}
