public import LanCore
import LanWire

/// Speaks multicast DNS on the interfaces of this namespace: sockets, links, and querier and
/// responder with their clock.
///
/// Browsers, resolvers and publishers register as clients and share one cache, one set of questions,
/// one host name and one timer; where nothing is due and nothing comes there is no wake-up. The
/// responder is there only while something is published. Everything happens on the reactor's thread,
/// `start`, `stop`, `add` and `remove` too.
///
/// When another stack has port 5353 at the start, only multicast is received and no unicast answer
/// asked for, so that none is taken from the other (RFC 6762 section 15.1). A stack that starts
/// later and binds the port as well may get unicast answers to the first question of a series; its
/// repetitions ask for multicast.
public final class MDNSNode {
  /// What can be set.
  public struct Configuration: Hashable, Sendable {
    /// The only interfaces to use, by name; empty for each that is fit for multicast DNS.
    public var interfaces: [String] = []
    /// The versions of IP that are spoken.
    public var families: MDNSFamilies = .both
    /// Sends no DNS message; membership reports of the kernel leave all the same.
    public var isPassive = false
    /// Bytes for datagrams that wait, for each socket, by default 4 MiB; see
    /// `DatagramSocket.setReceiveBuffer`.
    public var receiveBuffer = 4 << 20
    /// Whether `start` fails where an interface named does not exist, or none can be used now;
    /// otherwise they are waited for.
    public var requiresInterface = true
    /// Every interface, both families.
    public init() {}
  }

  /// What has happened so far.
  public struct Statistics: Hashable, Sendable {
    /// Datagrams received on links in use.
    public var received = 0
    /// Packets sent, each version of IP counted.
    public var sent = 0
    /// Datagrams that the kernel threw away.
    public var lost = 0
    /// Datagrams that were too large to be read.
    public var tooLarge = 0
    /// How often the timer fired.
    public var timers = 0
    /// How often something came in: wake-ups beside those of the timer.
    public var wakeUps = 0
  }

  /// What is set.
  public let configuration: Configuration
  /// Called with what is amiss; clients are told too.
  public var onDiagnostic: ((MDNSNodeDiagnostic) -> Void)?
  /// The links in use, by number.
  public internal(set) var links: [UInt32: MDNSLink] = [:]
  /// What has happened so far.
  public internal(set) var statistics = Statistics()
  /// True between `start` and `stop`.
  public internal(set) var isRunning = false

  /// A client, and the questions that it has begun.
  struct Registration {
    var client: any MDNSClient
    var questions: [MDNSQuestion: Int] = [:]
  }

  let reactor: Reactor
  let batch: DatagramBatch?
  var querier: MDNSQuerier
  /// What is published; nil for nothing.
  var publishing: MDNSPublishing?
  var sockets: MDNSSockets?
  var tracker: MDNSLinkTracker
  var source: NetlinkEventSource?
  var kernel: NetlinkSocket?
  var clients: [ObjectIdentifier: Registration] = [:]
  var packets: [MDNSPacket] = []
  var timer: (token: TimerToken, deadline: Int64)?
  var isConversing = false
  var isBatchOpen = false
  var batchBegan: Int64?
  var failures: Set<SendFailure> = []
  var turn: ReactorTurn?

  /// A node that does nothing yet.
  ///
  /// - Parameters:
  ///   - configuration: What is set.
  ///   - reactor: The loop that everything happens on.
  public init(_ configuration: Configuration = Configuration(), on reactor: Reactor) {
    self.configuration = configuration
    self.reactor = reactor
    batch = DatagramBatch(capacity: 64)
    querier = MDNSQuerier(seed: 0)
    tracker = Self.tracker(configuration)
  }

  static func tracker(_ configuration: Configuration) -> MDNSLinkTracker {
    MDNSLinkTracker(names: Set(configuration.interfaces), families: configuration.families)
  }

  /// True if another stack had port 5353 at the start.
  public var isPortShared: Bool { sockets?.isPortShared ?? false }

  // MARK: Clients

  /// Registers a client; it is told the links at once, and its demands are done.
  public func add(_ client: any MDNSClient) {
    let id = ObjectIdentifier(client)
    guard clients[id] == nil else { return }
    clients[id] = Registration(client: client)
    guard isRunning else { return }
    let now = MonotonicClock.now
    for link in links.values.sorted(by: { $0.index < $1.index }) { client.setLink(link, at: now) }
    finishTurn(at: now)
  }

  /// Ends a client's questions and tells it nothing more.
  public func remove(_ client: any MDNSClient) {
    guard let old = clients.removeValue(forKey: ObjectIdentifier(client)), isRunning else { return }
    let now = MonotonicClock.now
    for (question, count) in old.questions {
      for _ in 0..<count { querier.stop(question, at: now) }
    }
    finishTurn(at: now)
  }

  /// Does a client's new demands; call it when there are some without the node's doing.
  public func update() {
    if isRunning { finishTurn(at: MonotonicClock.now) }
  }
}

/// Ends a node's turn after all descriptors that were ready together have been read.
final class ReactorTurn: @unchecked Sendable {
  // Only touched on the loop's thread.
  weak var node: MDNSNode?
  var isScheduled = false

  init(_ node: MDNSNode) { self.node = node }

  func schedule(on reactor: Reactor) {
    guard !isScheduled else { return }
    isScheduled = true
    reactor.submit {
      self.isScheduled = false
      self.node?.turnEnded()
    }
  }
}

/// A reason for which sending failed on an interface.
struct SendFailure: Hashable {
  var index: UInt32
  var errno: Int32
}
