import CLan
import Glibc
import LanCore
import LanWire
import Synchronization

/// Resolves host names on threads of their own and brings the answers to a reactor.
///
/// The system's resolver may block for many seconds; the loop never waits for it, nor does `stop`.
final class NameResolver {
  /// How many names are resolved at once.
  static let threadLimit = 8

  /// What the threads share with the loop.
  private final class Desk: Sendable {
    struct State {
      var waiting: [(name: String, ticket: Int)] = []
      var threads = 0
    }
    let state = Mutex(State())
  }

  /// Hands an answer over to the loop; nobody else touches what is behind it.
  private struct Receipt: @unchecked Sendable {
    weak var resolver: NameResolver?
  }

  private let reactor: Reactor
  private let desk = Desk()
  private var handlers: [Int: (NameResolution) -> Void] = [:]
  private var nextTicket = 0

  init(_ reactor: Reactor) { self.reactor = reactor }

  /// Forgets all questions; threads that are under way end by themselves.
  func stop() {
    handlers = [:]
    desk.state.withLock { $0.waiting = [] }
  }

  /// Resolves `name` and calls `handler` on the loop.
  func resolve(_ name: String, _ handler: @escaping (NameResolution) -> Void) {
    let ticket = nextTicket
    nextTicket += 1
    handlers[ticket] = handler
    let needsThread = desk.state.withLock { state in
      state.waiting.append((name, ticket))
      guard state.threads < Self.threadLimit else { return false }
      state.threads += 1
      return true
    }
    guard needsThread else { return }
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
      desk.state.withLock { $0.waiting.removeAll { $0.ticket == ticket } }
      finish(ticket, .failed("\(error)"))
    }
  }

  private static func work(_ desk: Desk, _ reactor: Reactor, _ receipt: Receipt) {
    while true {
      let next = desk.state.withLock { state in
        if state.waiting.isEmpty {
          state.threads -= 1
          return nil as (name: String, ticket: Int)?
        }
        return state.waiting.removeFirst()
      }
      guard let next else { return }
      let resolution = resolveNow(next.name)
      reactor.submit { receipt.resolver?.finish(next.ticket, resolution) }
    }
  }

  private func finish(_ ticket: Int, _ resolution: NameResolution) {
    handlers.removeValue(forKey: ticket)?(resolution)
  }
}

extension NameResolver {
  /// Resolves `name` on the calling thread.
  static func resolveNow(_ name: String) -> NameResolution {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_family = AF_UNSPEC
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(name, nil, &hints, &list)
    let number = errno
    guard code == 0 else { return failure(code, number) }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [IPAddress] = []
    var entry = unsafe list
    while let current = unsafe entry {
      if let address = unsafe address(current.pointee), !addresses.contains(address) {
        addresses.append(address)
      }
      unsafe entry = current.pointee.ai_next
    }
    // A link-local address means nothing without its interface; one is better than none.
    let useful = addresses.filter { !$0.needsZone }
    let found = useful.isEmpty ? addresses : useful
    return found.isEmpty ? .notFound : .addresses(found)
  }

  private static func address(_ entry: addrinfo) -> IPAddress? {
    guard let raw = unsafe entry.ai_addr else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: raw, count: Int(entry.ai_addrlen))
    switch unsafe (entry.ai_family, bytes.count) {
    case (AF_INET, 16...):
      let bits = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
      return .v4(IPv4Address(bits: UInt32(bigEndian: bits)))
    case (AF_INET6, 28...):
      let high = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      let low = unsafe bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
      return .v6(IPv6Address(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low)))
    default: return nil
    }
  }

  /// There is no such name, or nobody could tell.
  private static func failure(_ code: Int32, _ number: Int32) -> NameResolution {
    // EAI_NONAME, EAI_NODATA and EAI_ADDRFAMILY.
    if [-2, -5, -9].contains(code) { return .notFound }
    if code == EAI_SYSTEM {
      return .failed(SystemError(call: "getaddrinfo", errno: number).reason)
    }
    guard let text = unsafe gai_strerror(code) else { return .failed("error \(code)") }
    return .failed(unsafe String(cString: text))
  }
}
