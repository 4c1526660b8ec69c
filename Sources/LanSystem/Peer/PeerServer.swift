import CLan
import Glibc
public import LanCore
import LanWire

/// The peer that a tester talks to: echoes, plays taps or throws away what it gets, over TCP on one
/// port of both families.
///
/// Everything happens on the reactor's thread. A connection costs a hundred octets here: what a peer
/// sends is left in the kernel until it was sent back, so one that does not read comes to a halt.
public final class PeerServer {
  /// What is served, and to whom.
  public struct Configuration: Hashable, Sendable {
    /// What is done with connections; `connect` is for probes, and serves like `discard`.
    public var mode = PeerMode.echo
    /// The port; 0 for the kernel's choice.
    public var port: UInt16 = 0
    /// The versions of IP that are served.
    public var families: MDNSFamilies = .both
    /// The only interfaces, by name; empty for all.
    public var interfaces: [String] = []
    /// Whether peers that are on no link of this host are served too.
    public var allowsAnyone = false
    /// Connections at once; by default 8,192.
    ///
    /// What comes beyond that is accepted and closed.
    public var connectionLimit = 8_192
    /// Connections at once from one address; by default 8,192.
    public var perPeerLimit = 8_192
    /// How long a connection may be silent; nil for ever, by default 5 minutes.
    ///
    /// It is looked at now and then: a connection may live a quarter longer.
    public var idleLimit: Duration? = .seconds(300)
    /// How long a peer may leave unread what it gets back, by default 30 s; it may be a quarter more.
    public var stallLimit = Duration.seconds(30)
    /// Octets that one connection may send; nil for any number.
    public var byteLimit: Int?

    /// An echo server on a port of the kernel's choice.
    public init() {}
  }

  /// Called with everything that the server tells.
  public var onEvent: ((PeerServerEvent) -> Void)?
  /// What is served, and to whom.
  public let configuration: Configuration
  /// The port that connections are taken on; 0 before `start`.
  public private(set) var port: UInt16 = 0
  /// True between `start` and `stop`.
  public private(set) var isRunning = false

  let reactor: Reactor
  var connections = PeerConnectionTable()
  var listeners: [PeerListener] = []
  let links: PeerLinks
  let buffer: PeerBuffer
  /// The taps of the game at hand.
  var game = TapGame(.witap2)
  /// Connections whose peers do not read.
  var blockedCount = 0
  /// By connection what was taken and could not be sent back, at most two KiB each.
  var rests: [Int: [UInt8]] = [:]
  /// Who plays; nil for nobody.
  var player: Int?
  /// Listeners rest until a descriptor may be free.
  var isShort = false
  /// It was told that connections cannot be taken.
  var hasToldShortage = false
  var retryTimer: TimerToken?
  var idleSweep = PeerSweep()
  var stallSweep = PeerSweep()
  private var streams = EventStreams<PeerServerEvent>()

  /// A server that does nothing yet.
  public init(_ configuration: Configuration = Configuration(), on reactor: Reactor) {
    self.configuration = configuration
    self.reactor = reactor
    links = PeerLinks(configuration.interfaces)
    buffer = PeerBuffer(capacity: Self.bufferSize(configuration.mode))
    idleSweep.period = configuration.idleLimit.map(PeerSweep.period)
    stallSweep.period = PeerSweep.period(configuration.stallLimit)
    if case .tap(let dialect) = configuration.mode { game = TapGame(dialect) }
  }

  deinit { stop() }

  private static func bufferSize(_ mode: PeerMode) -> Int {
    switch mode {
    // More would leave the processor's caches, and the answer would leave later: measured.
    case .echo: 1 << 15
    case .tap: 1 << 10
    case .connect, .discard: 0
    }
  }

  /// Takes the port and begins.
  ///
  /// - Throws: EADDRINUSE, EACCES for a low port, with nothing begun; the subject is the port.
  public func start() throws(SystemError) {
    guard !isRunning else { return }
    let limit = min(max(configuration.connectionLimit, 1), 1 << 20)
    lan_want_descriptors(UInt32(limit + 64))
    let opened = try PeerListener.open(configuration.port, configuration.families)
    port = opened.first?.port ?? 0
    listeners = opened
    do throws(SystemError) {
      for listener in listeners {
        let number = listener.socket.raw
        listener.watch = try reactor.watch(number) { [unowned self] _ in accept(from: number) }
      }
    } catch {
      closeListeners()
      throw error
    }
    isRunning = true
    links.refresh()
    tell(.listening(port: port, addresses: links.endpoints(port, opened.families)))
  }

  /// Ends all connections, gives the port back and ends the streams; a second time does nothing.
  public func stop() {
    guard isRunning else { return }
    isRunning = false
    closeListeners()
    for timer in [retryTimer, idleSweep.timer, stallSweep.timer] {
      if let timer { reactor.cancel(timer) }
    }
    (retryTimer, idleSweep.timer, stallSweep.timer) = (nil, nil, nil)
    for index in connections.indices() { close(index, .stopped) }
    (isShort, hasToldShortage, port) = (false, false, 0)
    streams.finish()
  }

  private func closeListeners() {
    for listener in listeners {
      if let watch = listener.watch { reactor.unwatch(watch) }
    }
    listeners = []
  }

  /// What is told from now on; `stop` ends the stream.
  ///
  /// A consumer that falls behind loses the oldest of 4,096.
  public var events: AsyncStream<PeerServerEvent> {
    streams.add()
  }

  func tell(_ event: PeerServerEvent) {
    streams.tell(event)
    onEvent?(event)
  }
}
