import Foundation
import LanCore
import LanWire
import Synchronization

@testable import LanSystem

/// A server on a thread of its own, and what it has told.
final class PeerServerRun: @unchecked Sendable {
  /// What the thread has a hold of too.
  private final class Engine: @unchecked Sendable {
    let reactor: Reactor
    /// Only touched on the loop's thread.
    let server: PeerServer
    let told = Mutex<[PeerServerEvent]>([])
    let start = Mutex<Result<UInt16, SystemError>?>(nil)

    init(_ configuration: PeerServer.Configuration) throws {
      reactor = try Reactor()
      server = PeerServer(configuration, on: reactor)
      server.onEvent = { [unowned self] event in told.withLock { $0.append(event) } }
    }

    func begin(in namespace: String?) -> Bool {
      let result: Result<UInt16, SystemError>
      do {
        if let namespace { try NetworkNamespace.enter(namespace) }
        try server.start()
        result = .success(server.port)
      } catch {
        result = .failure(error as? SystemError ?? SystemError(call: "\(error)", errno: 0))
      }
      start.withLock { $0 = result }
      return (try? result.get()) != nil
    }
  }

  private let engine: Engine
  private let thread: WorkerThread
  let port: UInt16

  /// Starts a server, inside the network namespace `namespace` where one is named.
  init(_ configuration: PeerServer.Configuration = .init(), in namespace: String? = nil) throws {
    let engine = try Engine(configuration)
    let isReady = DispatchSemaphore(value: 0)
    let thread = try WorkerThread {
      let isRunning = engine.begin(in: namespace)
      isReady.signal()
      if isRunning { try? engine.reactor.run() }
      engine.server.stop()
    }
    isReady.wait()
    (self.engine, self.thread) = (engine, thread)
    port = try engine.start.withLock { try $0?.get() ?? 0 }
  }

  deinit { stop() }

  /// Ends the server and its thread.
  func stop() {
    engine.reactor.stop()
    thread.join()
  }

  /// What was told so far.
  var events: [PeerServerEvent] { engine.told.withLock { $0 } }

  /// Waits until what was told is as wished; false where that does not come.
  func wait(seconds: Double = 10, _ isGood: ([PeerServerEvent]) -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while !isGood(events) {
      guard Date() < end else { return false }
      usleep(2_000)
    }
    return true
  }

  /// The reasons of the connections that have ended.
  var endings: [PeerCloseReason] {
    events.compactMap { if case .closed(_, _, _, let reason) = $0 { reason } else { nil } }
  }

  /// Waits for the end of `count` connections.
  func waitForEndings(_ count: Int) -> Bool {
    wait { _ in endings.count >= count }
  }

  /// Sends a tap on the loop's thread and says whether it left.
  func send(_ tap: TapByte) -> Bool {
    let isDone = DispatchSemaphore(value: 0)
    let result = Mutex(false)
    let engine = engine
    engine.reactor.submit {
      let hasLeft = engine.server.send(tap)
      result.withLock { $0 = hasLeft }
      isDone.signal()
    }
    isDone.wait()
    return result.withLock { $0 }
  }
}
