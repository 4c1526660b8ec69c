public import LanCore
import LanWire

/// Sees the multicast DNS, LLMNR and DNS messages on this host's interfaces.
///
/// Frames come through libpcap, or, without any privilege, datagrams through joined UDP sockets.
/// Everything happens on the reactor's thread. Events come in three forms: `onBatch` lends the
/// messages where they stand, which costs nothing but the call; the delegate and `events` get
/// values of their own.
public final class PacketSniffer {
  /// What to listen on, and how.
  public struct Configuration: Sendable {
    /// Names of interfaces; `any` for all at once; none for every one that multicast can be
    /// heard on.
    public var interfaces: [String] = []
    /// True listens with UDP sockets: no privilege, multicast only, no link-layer addresses.
    public var usesSocket = false
    /// Whether the groups are joined, so that network cards and switches let them through.
    public var joins = true
    /// Also frames for other hosts.
    public var isPromiscuous = false
    /// Bytes kept of a frame; nil for enough for the largest message.
    public var snapshotLength: Int?
    /// The kernel's ring, bytes; nil for 2 MiB.
    public var bufferSize: Int?
    /// A pcap expression on top; see pcap-filter(7).
    public var expression: String?

    /// Every multicast interface, groups joined.
    public init() {}
  }

  /// What the sniffer does with each batch: the messages, and the bytes that they are places in.
  public typealias BatchHandler = (borrowing SniffBatch, Span<UInt8>) -> Void

  /// Called with the messages of each frame that has some, lent for that call.
  public var onBatch: BatchHandler?
  /// Called when something is amiss that does not end the run, or that ends one interface.
  public var onDiagnostic: ((SnifferDiagnostic) -> Void)?
  /// Gets every message as a value of its own.
  public weak var delegate: (any PacketSnifferDelegate)?

  /// Classifies, selects and judges; its counts are those of the run.
  public private(set) var analyzer: SniffAnalyzer
  /// Names of the interfaces heard so far, by the kernel's index.
  public private(set) var interfaceNames: [Int: String] = [:]
  /// Frames seen.
  public private(set) var frames = 0

  private let configuration: Configuration
  private let reactor: Reactor
  private var batch = SniffBatch()
  private var capture: LiveCapture?
  private var membership: MulticastMembership?
  private var socket: MulticastSocketCapture?
  private var streams = EventStreams<SniffEvent>()
  private var isStopped = false

  /// A sniffer that does not listen yet.
  ///
  /// - Parameters:
  ///   - configuration: What to listen on.
  ///   - options: What to look for.
  ///   - reactor: The loop that everything happens on.
  public init(
    _ configuration: Configuration = Configuration(), options: SniffOptions = SniffOptions(),
    on reactor: Reactor
  ) {
    self.configuration = configuration
    self.reactor = reactor
    analyzer = SniffAnalyzer(options)
  }

  /// Starts to listen.
  ///
  /// - Returns: The names of what is listened on.
  /// - Throws: `CaptureError` with what to do about it; `SnifferError` where there is nothing to
  ///   listen on; `SystemError`.
  public func start() throws -> [String] {
    let interfaces = try selectedInterfaces()
    for interface in interfaces {
      interfaceNames[Int(interface.index)] = interface.name
      for address in interface.addresses {
        analyzer.learnPrefix(
          address.address, length: address.prefixLength, interface: Int(interface.index))
      }
    }
    if configuration.usesSocket { return try listen(on: interfaces) }
    return try startCapture(on: interfaces)
  }

  /// Stops to listen, leaves the groups and ends `events`; counts stay.
  ///
  /// - Returns: What happened to the frames; all zero with sockets.
  @discardableResult public func stop() -> CaptureStatistics {
    isStopped = true
    capture?.stop()
    socket?.stop()
    membership = nil
    streams.finish()
    return capture?.statistics ?? CaptureStatistics()
  }

  /// What every rule of `--lint` found over the whole run.
  public func finishLint() -> [FindingSummary] { analyzer.finishLint() }

  /// The messages from now on.
  ///
  /// A consumer that falls behind loses the oldest of 1,024.
  public var events: AsyncStream<SniffEvent> {
    streams.add(limit: 1_024)
  }
}

extension PacketSniffer {
  // MARK: Sources

  private func selectedInterfaces() throws -> [NetworkInterface] {
    if configuration.interfaces.isEmpty || configuration.interfaces == ["any"] {
      let all = try InterfaceList.multicast()
      if all.isEmpty, configuration.interfaces.isEmpty { throw SnifferError.noInterface }
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

  private func startCapture(on interfaces: [NetworkInterface]) throws -> [String] {
    let capture = LiveCapture(options: captureOptions, on: reactor) { [unowned self] in
      take($0, $1)
    }
    capture.onEnd = { [unowned self, unowned capture] error in
      onDiagnostic?(.interfaceEnded(error, left: capture.interfaceCount))
    }
    self.capture = capture
    let names = configuration.interfaces == ["any"] ? ["any"] : interfaces.map(\.name)
    for name in names { try capture.add(name) }
    for warning in capture.warnings { onDiagnostic?(.warning(warning)) }
    if configuration.joins { join(interfaces) }
    return names
  }

  private var captureOptions: CaptureOptions {
    var options = CaptureOptions()
    options.isPromiscuous = configuration.isPromiscuous
    options.expression = configuration.expression
    if let length = configuration.snapshotLength { options.snapshotLength = length }
    if let size = configuration.bufferSize { options.bufferSize = size }
    options.kernelFilter = LiveFilter(
      ports: analyzer.options.selection.protocols.map(\.port),
      includesMembership: analyzer.options.lint,
      includesTunnels: analyzer.options.selection.tunnels)
    return options
  }

  private func join(_ interfaces: [NetworkInterface]) {
    var groups = MulticastMembership.mdnsGroups
    if hearsLLMNR { groups += MulticastMembership.llmnrGroups }
    let membership = MulticastMembership(groups: groups)
    for interface in interfaces where interface.isMulticast {
      for failure in membership.join(interface) where !failure.isExpected(on: interface) {
        onDiagnostic?(.notJoined(failure))
      }
    }
    self.membership = membership
  }

  private func listen(on interfaces: [NetworkInterface]) throws -> [String] {
    var groups = MulticastSocketCapture.Group.mdns
    if hearsLLMNR { groups += MulticastSocketCapture.Group.llmnr }
    let socket = try MulticastSocketCapture(
      groups: groups, interfaces: interfaces, on: reactor
    ) { [unowned self] in take($0, $1) }
    for failure in socket.failures
    where !interfaces.contains(where: { failure.isExpected(on: $0) }) {
      onDiagnostic?(.notJoined(failure))
    }
    if socket.socketCount == 0 { throw SnifferError.noGroup }
    self.socket = socket
    return interfaces.map(\.name)
  }

  private var hearsLLMNR: Bool { analyzer.options.selection.protocols.contains(.llmnr) }
}

extension PacketSniffer {
  // MARK: Messages

  private func take(_ bytes: Span<UInt8>, _ captured: CapturedFrame) {
    guard !isStopped else { return }
    let index = Int(captured.interfaceIndex)
    if interfaceNames[index] != captured.interface { interfaceNames[index] = captured.interface }
    frames += 1
    let frame = SniffedFrame(
      bytes: 0..<bytes.count, number: frames,
      time: CaptureTime(nanoseconds: captured.time, fractionDigits: 9), interface: index,
      linkType: LinkType(rawValue: UInt16(truncatingIfNeeded: captured.linkType)),
      originalLength: captured.originalLength)
    batch.removeAll()
    analyzer.handle(bytes, frame, into: &batch)
    give(bytes)
  }

  private func take(_ payload: Span<UInt8>, _ info: DatagramInfo) {
    guard !isStopped else { return }
    let index = Int(info.interfaceIndex)
    if interfaceNames[index] == nil {
      interfaceNames[index] = InterfaceList.name(of: info.interfaceIndex)
    }
    frames += 1
    let envelope = MessageEnvelope(
      frame: frames, nanoseconds: info.time, interface: Int32(truncatingIfNeeded: index),
      source: info.source.address, destination: info.destination.address,
      sourcePort: info.source.port, destinationPort: info.destination.port,
      hopLimit: info.hopLimit ?? 0, isCut: info.isTruncated)
    batch.removeAll()
    analyzer.handleDatagram(payload, envelope, into: &batch)
    give(payload)
  }

  private func give(_ bytes: Span<UInt8>) {
    if batch.messages.isEmpty, batch.frames.isEmpty { return }
    onBatch?(batch, bytes)
    if delegate == nil, streams.isEmpty { return }
    for message in batch.messages {
      let event = SniffEvent(message, batch, bytes, interface: interfaceNames)
      delegate?.packetSniffer(self, didSee: event)
      streams.tell(event)
    }
  }
}
