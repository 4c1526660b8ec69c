import Foundation
import LanCore
import LanWire
import Testing

@testable import LanSystem

/// Notes what a delegate is told.
private final class Notes: ServiceResolverDelegate {
  var words: [String] = []
  func serviceResolverWillResolve(_ resolver: ServiceResolver) { words.append("will") }
  func serviceResolver(
    _ resolver: ServiceResolver, didResolve answer: ResolveAnswer, _ action: ResolveAction
  ) {
    guard case .address(let value) = answer else { return }
    words.append("\(action) \(value.endpointText) \(value.origin.provider)")
  }
  func serviceResolver(_ resolver: ServiceResolver, didResolveAll answers: [ResolveAnswer]) {
    words.append("all \(answers.count)")
  }
  func serviceResolver(_ resolver: ServiceResolver, didNotResolve failure: ResolveFailure) {
    words.append("not \(failure.code)")
  }
  func serviceResolverDidStop(_ resolver: ServiceResolver) { words.append("stop") }
}

@Suite("Resolvers", .timeLimit(.minutes(1))) struct ServiceResolverTests {
  private func hosts(_ text: String) throws -> ResolverContext.Configuration {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "hosts-\(getpid())-\(UInt64.random(in: 0...UInt64.max))")
    try Data(text.utf8).write(to: file)
    var configuration = ResolverContext.Configuration()
    configuration.hostsPath = file.path
    return configuration
  }

  private func query(_ text: String) throws -> ResolveQuery {
    try ResolveQuery.parse(text, ResolveQuery.Hints())
  }

  /// Runs a resolver until it stops, and gives what its delegate was told.
  private func run(
    _ text: String, _ configuration: ResolverContext.Configuration,
    _ prepare: (ServiceResolver, Reactor) -> Void = { resolver, _ in resolver.resolve() }
  ) throws -> [String] {
    let reactor = try Reactor()
    let context = ResolverContext(configuration, on: reactor)
    let resolver = ServiceResolver(try query(text), in: context)
    let notes = Notes()
    resolver.delegate = notes
    resolver.onEvent = { if $0 == .didStop { reactor.stop() } }
    prepare(resolver, reactor)
    try reactor.run()
    context.stop()
    return notes.words
  }

  @Test("a delegate is told in NSNetService's order: will, addresses, all, stop") func order()
    throws
  {
    let words = try run("localhost:80", try hosts("127.0.0.1 localhost\n::1 localhost\n"))
    #expect(words.first == "will" && words.last == "stop")
    let addresses = words.filter { $0.hasPrefix("added") }
    #expect(addresses.contains("added 127.0.0.1:80 hosts"))
    #expect(Set(addresses).count == addresses.count)
    #expect(words.contains("all \(addresses.count)"))
  }

  @Test("an address that the hosts file lacks is not said to come from it") func provider() throws {
    let words = try run("localhost", try hosts("192.0.2.1 other\n"))
    #expect(!words.contains { $0.hasSuffix("hosts") } && words.count > 3)
  }

  @Test("one that is stopped says so, and nothing after") func stopped() throws {
    let words = try run("localhost", try hosts("")) { resolver, _ in
      resolver.resolve()
      resolver.stop()
      resolver.stop()
    }
    #expect(words == ["will", "not -72005", "stop"])
  }

  @Test("a time limit that passes is reason -72007") func limit() throws {
    var configuration = try hosts("")
    // Nobody listens at an address for documentation, and DNS waits for seconds.
    configuration.servers = [
      SocketEndpoint(try #require(IPAddress(parsing: "127.0.0.1")), port: silentPort)
    ]
    let words = try run("tv.example", configuration) { resolver, _ in
      resolver.resolve(timeout: .milliseconds(20))
    }
    #expect(words == ["will", "not -72007", "stop"])
    #expect(silence != nil)
  }

  /// A socket that takes questions and never answers.
  private let silence: DatagramSocket?
  private let silentPort: UInt16

  init() throws {
    let socket = try DatagramSocket(.ipv4)
    try socket.bind(
      to: SocketEndpoint(try #require(IPAddress(parsing: "127.0.0.1")), port: 0))
    silence = socket
    silentPort = socket.port
  }

  @Test("the stream has the same events and ends with the query") func stream() throws {
    let reactor = try Reactor()
    let context = ResolverContext(try hosts("127.0.0.1 localhost\n"), on: reactor)
    let resolver = ServiceResolver(try query("localhost"), in: context)
    let stream = resolver.events
    resolver.resolve()
    nonisolated(unsafe) var events: [ResolveEvent] = []
    Task(executorPreference: reactor) {
      for await event in stream { events.append(event) }
      reactor.stop()
    }
    try reactor.run()
    #expect(events.first == .willResolve && events.last == .didStop)
  }

  @Test("a reverse look-up names the address; a port number comes from the database")
  func reverse() throws {
    #expect(SystemLookup.name(of: .v4(IPv4Address(bits: 0x7F00_0001)), scope: 0) != .success(""))
    #expect(ServicePort.number(of: "ssh") == 22 && ServicePort.number(of: "no-such") == nil)
  }
}
