import LanCore
import LanWire

@testable import LanSystem

/// A resolver on a loop of its own, driven by the thread of a test.
final class UnicastRun {
  let reactor: Reactor
  let resolver: UnicastResolver

  init(_ servers: [SocketEndpoint], timeouts: [Duration] = [.seconds(1)]) throws {
    reactor = try Reactor()
    var configuration = UnicastResolver.Configuration()
    configuration.servers = servers
    configuration.timeouts = timeouts
    resolver = UnicastResolver(configuration, on: reactor)
  }

  /// Asks and runs the loop until the answer is there.
  func ask(_ name: String, _ type: DNSRecordType = .a) throws -> UnicastAnswer? {
    var found: UnicastAnswer?
    resolver.query(try DNSName(name), type) { found = $0 }
    run { found != nil }
    return found
  }

  /// Runs the loop until `isDone`, twenty seconds at most.
  func run(seconds: Double = 20, until isDone: @escaping () -> Bool) {
    let end = MonotonicClock.now + Int64(seconds * 1e9)
    while !isDone(), MonotonicClock.now < end {
      reactor.schedule(after: .milliseconds(5)) { [reactor] in reactor.stop() }
      try? reactor.run()
    }
  }
}

extension UnicastAnswer {
  /// The outcome in a word, and the records' data.
  var summary: String {
    switch outcome {
    case .answers: "answers " + records.map { "\($0.data.brief)" }.sorted().joined(separator: ",")
    case .noData(let ttl): "noData \(ttl.map { "\($0)" } ?? "-")"
    case .nxdomain(let ttl): "nxdomain \(ttl.map { "\($0)" } ?? "-")"
    case .failed(let failure): "failed \(failure)"
    }
  }
}

extension DNSRecordData {
  /// The data as text.
  var brief: String {
    switch self {
    case .a(let address): "\(address)"
    case .aaaa(let address): "\(address)"
    case .ptr(let name): "\(name)"
    case .srv(let priority, let weight, let port, let target):
      "\(priority) \(weight) \(port) \(target)"
    case .txt(let strings):
      strings.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
    default: "\(type)"
    }
  }
}
