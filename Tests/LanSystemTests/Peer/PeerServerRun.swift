import Foundation
import LanCore
import LanWire
import Synchronization

@testable import LanSystem

/// A server on a thread of its own, and what it has told.
final class PeerServerRun: @unchecked Sendable {
  private let reactor: Reactor
  /// Only touched on the loop's thread.
  private let server: PeerServer
  private let told = Mutex<[PeerServerEvent]>([])
  private let failure = Mutex<SystemError?>(nil)
  private var thread: WorkerThread?
  private(set) var port: UInt16 = 0

  /// Starts a server, inside the network namespace `namespace` where one is named.
  init(_ configuration: PeerServer.Configuration = .init(), in namespace: String? = nil) throws {
    reactor = try Reactor()
    server = PeerServer(configuration, on: reactor)
    let isReady = DispatchSemaphore(value: 0)
    thread = try WorkerThread { [unowned self] in
      do {
        if let namespace { try NetworkNamespace.enter(namespace) }
        server.onEvent = { [unowned self] event in told.withLock { $0.append(event) } }
        try server.start()
        port = server.port
        isReady.signal()
        try reactor.run()
      } catch {
        failure.withLock {
          $0 = error as? SystemError ?? SystemError(call: "\(error)", errno: 0)
        }
        isReady.signal()
      }
      server.stop()
    }
    isReady.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  deinit { stop() }

  /// Ends the server and its thread.
  func stop() {
    reactor.stop()
    thread?.join()
    thread = nil
  }

  /// What was told so far.
  var events: [PeerServerEvent] { told.withLock { $0 } }

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
    reactor.submit { [unowned self] in
      let hasLeft = server.send(tap)
      result.withLock { $0 = hasLeft }
      isDone.signal()
    }
    isDone.wait()
    return result.withLock { $0 }
  }
}
