import LanCore
import LanWire
import Testing

/// Many hosts with a service each, behind a medium that loses and doubles datagrams.
private struct LossyNetwork {
  var browsing: MDNSBrowsing
  /// Nanoseconds.
  var clock: Int64 = 0
  /// One of so many datagrams is lost on its way to one receiver; parts of a hundred.
  let loss: UInt64
  var chance: UInt64 = 88_172_645_463_325_252
  var pending: [(time: Int64, bytes: [UInt8])] = []
  var stories: [String] = []
  var queries = 0
  private let count: Int
  private let type = BrowserScript.named("_http._tcp.local")

  init(count: Int, loss: UInt64) throws {
    var configuration = ServiceBrowserMachine.Configuration(domain: .local)
    configuration.types = [try ServiceType(parsing: "_http._tcp")]
    browsing = MDNSBrowsing(configuration, seed: 7)
    self.count = count
    self.loss = loss
    browsing.start(at: 0)
    browsing.setLink(
      MDNSLink(
        index: 2, name: "v2", families: .ipv4,
        prefixes: [IPPrefix(BrowserScript.address("192.0.2.10"), 24)]), at: 0)
  }

  private mutating func random(_ bound: UInt64) -> UInt64 {
    chance ^= chance << 13
    chance ^= chance >> 7
    chance ^= chance << 17
    return chance % bound
  }

  private mutating func isLost() -> Bool { random(100) < loss }

  /// What a host says about its service, the PTR record first.
  private func records(_ number: Int) throws -> [DNSRecord] {
    let name = try type.prepending(Array("I\(number)".utf8))
    let host = BrowserScript.named("h\(number).local")
    return [
      DNSRecord(name: type, ttl: 4_500, data: .ptr(name)),
      DNSRecord(
        name: name, cacheFlush: true, ttl: 120,
        data: .srv(priority: 0, weight: 0, port: 80, target: host)),
      DNSRecord(name: name, cacheFlush: true, ttl: 4_500, data: .txt([Array("v=1".utf8)])),
      DNSRecord(
        name: host, cacheFlush: true, ttl: 120,
        data: .a(IPv4Address(bits: 0xC000_0200 + UInt32(number)))),
    ]
  }

  /// Every host that hears the packets of one moment answers what it can and should.
  private mutating func answer(_ packets: [MDNSPacket]) throws {
    let messages = try packets.map { try DNSMessage($0.bytes.span) }
    let questions = messages.flatMap(\.questions)
    let known = Set(messages.flatMap(\.answers).map(\.data))
    queries += messages.count
    for number in 0..<count where !isLost() {
      let all = try records(number)
      let asked = all.filter { record in
        questions.contains { $0.name == record.name && $0.type == record.type }
          && !known.contains(record.data)
      }
      guard let first = asked.first, let place = all.firstIndex(of: first) else { continue }
      let more = all[(place + 1)...].filter { !asked.contains($0) }
      let bytes = try DNSMessage(flags: 0x8400, answers: asked, additionals: more).encoded()
      let time = clock + 20_000_000 + Int64(random(100_000_000))
      if !isLost() { pending.append((time, bytes)) }
      if !isLost() { pending.append((time + 1_000_000, bytes)) }
    }
    pending.sort { $0.time < $1.time }
  }

  mutating func run(seconds: Int64) throws {
    let end = clock + seconds * 1_000_000_000
    while true {
      let due = min(browsing.nextDeadline ?? .max, pending.first?.time ?? .max)
      guard due <= end else { break }
      clock = max(clock, due)
      while let next = pending.first, next.time <= clock {
        pending.removeFirst()
        browsing.handle(
          next.bytes.span,
          MDNSArrival(
            interfaceIndex: 2, source: BrowserScript.address("192.0.2.20"), hopLimit: 255),
          at: clock)
      }
      browsing.batchEnded(at: clock)
      if let deadline = browsing.nextDeadline, deadline <= clock {
        browsing.deadlineReached(at: clock)
      }
      let packets = browsing.packets
      browsing.packets = []
      if !packets.isEmpty { try answer(packets) }
      stories += browsing.events.map { BrowserScript.brief($0) }
      browsing.events = []
    }
    clock = end
  }
}

@Suite("The service browser: loss")
struct ServiceBrowserLossTests {
  @Test(
    "without loss a list is complete with the first answers, and settles after the second round")
  func noLoss() throws {
    var network = try LossyNetwork(count: 50, loss: 0)
    try network.run(seconds: 2)
    #expect(network.browsing.browser.services.filter(\.isComplete).count == 50)
    #expect(network.stories.filter { $0.hasPrefix("added") }.count == 50)
    #expect(network.stories.filter { $0.hasPrefix("updated") } == [])
    #expect(network.stories.last == "settled")
  }

  @Test("with 30 % loss and doubled datagrams the list gets complete and nothing flaps")
  func loss() throws {
    var network = try LossyNetwork(count: 100, loss: 30)
    try network.run(seconds: 60)
    #expect(network.browsing.browser.services.filter(\.isComplete).count == 100)
    try network.run(seconds: 600)
    #expect(network.browsing.browser.services.filter(\.isComplete).count == 100)
    #expect(network.stories.filter { $0.hasPrefix("removed") } == [])
    #expect(network.stories.filter { $0.hasPrefix("added") }.count == 100)
  }
}
