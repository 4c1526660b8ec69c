import LanWire
import Synchronization

/// The questions that wait for a thread; shared by the loop and the threads.
final class UnicastDesk: Sendable {
  struct Entry: Sendable {
    var question: DNSQuestion
    var ticket: Int
  }
  private struct State {
    var waiting: [Entry] = []
    var first = 0
    var wanted: Set<Int> = []
    var threads = 0
  }
  private let state = Mutex(State())

  /// Adds a question; true if a new thread is to be started for it, which is counted already.
  func add(_ question: DNSQuestion, _ ticket: Int, limit: Int) -> Bool {
    state.withLock { state in
      state.waiting.append(Entry(question: question, ticket: ticket))
      state.wanted.insert(ticket)
      guard state.threads < limit else { return false }
      state.threads += 1
      return true
    }
  }

  /// The next question; nil ends the thread that asks.
  func take() -> Entry? {
    state.withLock { state in
      while state.first < state.waiting.count {
        let entry = state.waiting[state.first]
        state.first += 1
        if state.wanted.contains(entry.ticket) { return entry }
      }
      state.waiting = []
      state.first = 0
      state.threads -= 1
      return nil
    }
  }

  /// A thread could not be started; true if there is none at all.
  func threadFailed() -> Bool {
    state.withLock { state in
      state.threads -= 1
      return state.threads == 0
    }
  }

  func isWanted(_ ticket: Int) -> Bool { state.withLock { $0.wanted.contains(ticket) } }

  func forget(_ ticket: Int) { state.withLock { _ = $0.wanted.remove(ticket) } }

  func forgetAll() {
    state.withLock { state in
      state.wanted = []
      state.waiting = []
      state.first = 0
    }
  }
}
