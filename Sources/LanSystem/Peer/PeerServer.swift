public import LanCore
public import LanWire

/// The peer that a tester talks to: echoes, plays taps or throws away what it gets, over TCP on one
/// port of both families.
///
/// Everything happens on the reactor's thread.
public final class PeerServer {
  /// What is served, and to whom.
  public struct Configuration: Hashable, Sendable {
    /// What is done with connections; `connect` is for probes.
    public var mode = PeerMode.echo
    /// The port; 0 for the kernel's choice.
    public var port: UInt16 = 0
    /// The versions of IP that are served.
    public var families: MDNSFamilies = .both
    /// The only interfaces, by name; empty for all.
    public var interfaces: [String] = []
    /// Whether peers that are on no link of this host are served too.
    public var allowsAnyone = false
    /// Connections at once.
    public var connectionLimit = 8_192
    /// Connections at once from one address.
    public var perPeerLimit = 8_192
    /// How long a connection may be silent; nil for ever.
    public var idleLimit: Duration? = .seconds(300)
    /// How long a peer may leave unread what it gets back.
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

  /// A server that does nothing yet.
  public init(_ configuration: Configuration = Configuration(), on reactor: Reactor) {
    self.configuration = configuration
  }

  /// Takes the port and begins.
  ///
  /// - Throws: EADDRINUSE, EACCES for a low port, with nothing begun; the subject is the port.
  public func start() throws(SystemError) {}

  /// Sends a tap to the player; false where there is none, or no room.
  @discardableResult
  public func send(_ tap: TapByte) -> Bool { false }

  /// Ends all connections and gives the port back.
  public func stop() {}

  /// What is told from now on; `stop` ends the stream.
  public var events: AsyncStream<PeerServerEvent> { AsyncStream { $0.finish() } }
}
