import CLan
import Glibc
import LanCore
import LanWire
import Synchronization

/// Asks the system's resolver on threads of their own and brings the answers to a reactor.
///
/// It may block for many seconds; the loop never waits for it, nor does `stop`.
final class NameResolver {
  /// How many questions are asked at once.
  static let threadLimit = 8

  private struct Job: Sendable {
    var ticket: Int
    var work: @Sendable () -> Void
  }

  /// What the threads share with the loop.
  private final class Desk: Sendable {
    struct State {
      var waiting: [Job] = []
      var threads = 0
    }
    let state = Mutex(State())
  }

  /// Where a thread puts an answer.
  private final class Slip<Answer: Sendable>: Sendable {
    let answer = Mutex<Answer?>(nil)
  }

  /// Hands an answer over to the loop; nobody else touches what is behind it.
  private struct Receipt: @unchecked Sendable {
    weak var resolver: NameResolver?
  }

  private let reactor: Reactor
  private let desk = Desk()
  private var handlers: [Int: () -> Void] = [:]
  private var nextTicket = 0

  init(_ reactor: Reactor) { self.reactor = reactor }

  /// Forgets all questions; threads that are under way end by themselves.
  func stop() {
    handlers = [:]
    desk.state.withLock { $0.waiting = [] }
  }

  /// Forgets one question.
  func cancel(_ ticket: Int) {
    handlers[ticket] = nil
    desk.state.withLock { $0.waiting.removeAll { $0.ticket == ticket } }
  }

  /// Resolves `name` and calls `handler` on the loop.
  func resolve(_ name: String, _ handler: @escaping (NameResolution) -> Void) {
    ask({ Self.resolveNow(name) }) { answer, error in
      handler(answer ?? .failed(error.map { "\($0)" } ?? ""))
    }
  }

  /// Does `work`, which may block, on a thread, and calls `handler` on the loop with its answer, or
  /// with the error that kept a thread from starting.
  @discardableResult
  func ask<Answer: Sendable>(
    _ work: @escaping @Sendable () -> Answer,
    _ handler: @escaping (Answer?, SystemError?) -> Void
  ) -> Int {
    let ticket = nextTicket
    nextTicket += 1
    let slip = Slip<Answer>()
    handlers[ticket] = { handler(slip.answer.withLock { $0 }, nil) }
    let job = Job(ticket: ticket) {
      let answer = work()
      slip.answer.withLock { $0 = answer }
    }
    let needsThread = desk.state.withLock { state in
      state.waiting.append(job)
      guard state.threads < Self.threadLimit else { return false }
      state.threads += 1
      return true
    }
    if needsThread { startThread(for: ticket) { handler(nil, $0) } }
    return ticket
  }

  private func startThread(for ticket: Int, _ failed: (SystemError) -> Void) {
    let (desk, reactor, receipt) = (desk, reactor, Receipt(resolver: self))
    do throws(SystemError) {
      try DetachedThread.start { Self.work(desk, reactor, receipt) }
    } catch {
      let remaining = desk.state.withLock { state in
        state.threads -= 1
        return state.threads
      }
      // Others will get to it; without any, it has failed.
      guard remaining == 0 else { return }
      cancel(ticket)
      failed(error)
    }
  }

  private static func work(_ desk: Desk, _ reactor: Reactor, _ receipt: Receipt) {
    while true {
      let next = desk.state.withLock { state in
        if state.waiting.isEmpty {
          state.threads -= 1
          return nil as Job?
        }
        return state.waiting.removeFirst()
      }
      guard let next else { return }
      next.work()
      let ticket = next.ticket
      reactor.submit { receipt.resolver?.handlers.removeValue(forKey: ticket)?() }
    }
  }

  /// Resolves `name` on the calling thread: by the system, and what that does not know of `.local`
  /// by multicast DNS.
  static func resolveNow(_ name: String) -> NameResolution {
    switch SystemLookup.addresses(of: name) {
    case .success(let found): useful(found.map(\.address)) ?? .notFound
    case .failure(let failure):
      multicastAddresses(of: name).flatMap(useful) ?? NameResolution(failure)
    }
  }

  private static func useful(_ found: [IPAddress]) -> NameResolution? {
    var addresses: [IPAddress] = []
    for address in found where !addresses.contains(address) { addresses.append(address) }
    // A link-local address means nothing without its interface; one is better than none.
    let useful = addresses.filter { !$0.needsZone }
    let kept = useful.isEmpty ? addresses : useful
    return kept.isEmpty ? nil : .addresses(kept)
  }
}

extension NameResolution {
  fileprivate init(_ failure: SystemLookup.Failure) {
    self =
      switch failure {
      case .notFound, .noAddress: .notFound
      case .noAnswer(let text), .failed(let text): .failed(text)
      }
  }
}
