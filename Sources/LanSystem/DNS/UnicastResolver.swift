import LanCore
public import LanWire
import Synchronization

/// Asks conventional DNS servers, several questions at a time, and brings the answers to a reactor.
///
/// The system's resolver does the sending and has the configuration; it blocks, so it works on
/// threads that nobody waits for. Everything here belongs to the reactor's thread.
public final class UnicastResolver {
  /// Whom to ask and how long.
  public struct Configuration: Hashable, Sendable {
    /// The servers, in their order; empty for those of the system's resolver, read anew for each
    /// question.
    public var servers: [SocketEndpoint] = []
    /// How long each server is waited for, round by round, in whole seconds; empty for what the
    /// system's resolver is set to.
    public var timeouts: [Duration] = []
    /// How many questions are under way at most, each on a thread of its own.
    public var threadLimit = 16

    /// The system's servers and timeouts.
    public init() {}

    /// Waits long enough for a Discovery Proxy, which may look for 6 s (RFC 8766 section 5.6).
    public static let patient: [Duration] = [.seconds(2), .seconds(4), .seconds(8)]
  }

  /// Names a question that is under way.
  public struct Ticket: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// Whom to ask and how long.
  public let configuration: Configuration
  private let reactor: Reactor
  private let desk = UnicastDesk()
  private var handlers: [Int: (UnicastAnswer) -> Void] = [:]
  private var nextTicket = 0

  /// A resolver that has asked nothing yet.
  public init(_ configuration: Configuration = Configuration(), on reactor: Reactor) {
    self.configuration = configuration
    self.reactor = reactor
  }

  deinit { desk.forgetAll() }

  /// How many questions wait or are under way.
  public var pendingCount: Int { handlers.count }

  /// Asks for the records of `type` at `name`, of class IN.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - type: The type.
  ///   - handler: Called once on the reactor's thread, never before this returns.
  /// - Returns: What `cancel` needs.
  @discardableResult
  public func query(
    _ name: DNSName, _ type: DNSRecordType, then handler: @escaping (UnicastAnswer) -> Void
  ) -> Ticket {
    let ticket = Ticket(number: nextTicket)
    nextTicket += 1
    handlers[ticket.number] = handler
    let question = DNSQuestion(name: name, type: type)
    if desk.add(question, ticket.number, limit: max(1, configuration.threadLimit)) {
      startThread(question, ticket.number)
    }
    return ticket
  }

  /// Asks, and suspends the task until the outcome is there; call it on the reactor.
  ///
  /// A cancelled task gets a timeout at once.
  public nonisolated(nonsending) func answer(
    _ name: DNSName, _ type: DNSRecordType
  ) async -> UnicastAnswer {
    let box = UnicastWaiter(self, DNSQuestion(name: name, type: type))
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        box.begin(continuation)
      }
    } onCancel: { [reactor] in
      reactor.submit { box.giveUp() }
    }
  }

  /// Drops a question: its handler is not called any more.
  public func cancel(_ ticket: Ticket) {
    handlers.removeValue(forKey: ticket.number)
    desk.forget(ticket.number)
  }

  /// Drops all questions; threads that wait for a server end by themselves.
  public func cancelAll() {
    handlers = [:]
    desk.forgetAll()
  }

  private func startThread(_ question: DNSQuestion, _ ticket: Int) {
    let (desk, reactor, configuration) = (desk, reactor, configuration)
    let receipt = UnicastReceipt(resolver: self)
    do throws(SystemError) {
      try DetachedThread.start {
        while let next = desk.take() {
          let exchange = Self.exchange(configuration) { desk.isWanted(next.ticket) }
          let answer = exchange.ask(next.question)
          reactor.submit { receipt.resolver?.finish(next.ticket, answer) }
        }
      }
    } catch {
      // Other threads will get to it; without any, it has failed.
      guard desk.threadFailed() else { return }
      desk.forget(ticket)
      let answer = UnicastAnswer(
        question: question, outcome: .failed(.notSent("\(error)")), name: question.name,
        elapsed: 0)
      reactor.schedule(after: .zero) { [weak self] in self?.finish(ticket, answer) }
    }
  }

  private static func exchange(
    _ configuration: Configuration, _ isWanted: @escaping () -> Bool
  ) -> UnicastExchange {
    let system = ResolverSettings.read()
    let timeouts = configuration.timeouts.map {
      Int32(clamping: ($0.wholeNanoseconds &- 1) / 1_000_000_000 + 1)
    }
    let usual = Array(repeating: system?.timeout ?? 5, count: system?.attempts ?? 2)
    let isSystem = configuration.servers.isEmpty
    return UnicastExchange(
      servers: isSystem ? system?.servers ?? [] : configuration.servers,
      timeouts: (timeouts.isEmpty ? usual : timeouts).map { max(1, $0) },
      usesStreams: isSystem && system?.usesStreams == true, isWanted: isWanted)
  }

  private func finish(_ ticket: Int, _ answer: UnicastAnswer) {
    handlers.removeValue(forKey: ticket)?(answer)
  }
}

/// Hands an answer over to the loop; nobody else touches what is behind it.
private struct UnicastReceipt: @unchecked Sendable {
  weak var resolver: UnicastResolver?
}

/// A task that waits for an answer; everything happens on the loop.
private final class UnicastWaiter: @unchecked Sendable {
  private let resolver: UnicastResolver
  private let question: DNSQuestion
  private var continuation: CheckedContinuation<UnicastAnswer, Never>?
  private var ticket: UnicastResolver.Ticket?
  private var isOver = false

  init(_ resolver: UnicastResolver, _ question: DNSQuestion) {
    self.resolver = resolver
    self.question = question
  }

  func begin(_ continuation: CheckedContinuation<UnicastAnswer, Never>) {
    self.continuation = continuation
    if isOver { return giveUp() }
    ticket = resolver.query(question.name, question.type) { self.end($0) }
  }

  func giveUp() {
    isOver = true
    if let ticket { resolver.cancel(ticket) }
    end(
      UnicastAnswer(
        question: question, outcome: .failed(.timeout), name: question.name, elapsed: 0))
  }

  private func end(_ answer: UnicastAnswer) {
    continuation?.resume(returning: answer)
    continuation = nil
  }
}
