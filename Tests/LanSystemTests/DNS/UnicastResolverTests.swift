import Foundation
import LanCore
import LanWire
import TestKit
import Testing

@testable import LanSystem

@Suite(.serialized, .enabled(if: DNSLab.isPossible, "\(DNSLab.skipped)"))
struct UnicastResolverTests {
  @Test("a server's records, its absences and who answered come over IPv4 and IPv6")
  func answers() throws {
    let lab = try DNSLab()
    try lab.serve(
      """
      host A 192.0.2.7
      host AAAA 2001:db8::7
      www CNAME host
      out CNAME host.example.net.
      sub DNAME example.org.
      text TXT "a=1" "\\000\\255"
      """)
    try lab.inside {
      for server in [DNSLab.server, DNSLab.server6] {
        let run = try UnicastRun([server])
        let host = try #require(try run.ask("host.example.org"))
        #expect(host.summary == "answers 192.0.2.7")
        #expect(host.server == server)
        #expect(host.elapsed > 0)
        #expect(try run.ask("host.EXAMPLE.org", .aaaa)?.summary == "answers 2001:db8::7")
        let alias = try #require(try run.ask("www.example.org"))
        #expect(alias.summary == "answers 192.0.2.7")
        #expect(alias.name == (try DNSName("host.example.org")))
        #expect(try run.ask("host.sub.example.org")?.summary == "answers 192.0.2.7")
        #expect(try run.ask("nobody.example.org")?.summary == "nxdomain 30")
        #expect(try run.ask("host.example.org", .mx)?.summary == "noData 30")
        // The target is in no zone of this server, which refuses to look elsewhere.
        #expect(try run.ask("out.example.org")?.failure == .refused)
        guard case .txt(let strings)? = try run.ask("text.example.org", .txt)?.records.first?.data
        else {
          Issue.record("no TXT record")
          return
        }
        #expect(strings == [Array("a=1".utf8), [0, 255]])
      }
    }
  }

  @Test("a set that no datagram holds comes whole over TCP")
  func largeSet() throws {
    let lab = try DNSLab()
    let count = 1_200
    let records = (0..<count).map { "_many._tcp PTR Instance\\032number\\032\($0)._many._tcp" }
    try lab.serve(records.joined(separator: "\n"))
    try lab.inside {
      let run = try UnicastRun([DNSLab.server6])
      let answer = try #require(try run.ask("_many._tcp.example.org", .ptr))
      #expect(answer.failure == nil)
      #expect(answer.records.count == count)
      #expect(Set(answer.records.map(\.data)).count == count)
    }
  }

  @Test("servers that misbehave give the reason, and never an answer that was not asked for")
  func misbehaviour() throws {
    let lab = try DNSLab()
    try lab.misbehave()
    nonisolated(unsafe) let shared = lab
    try lab.inside {
      let run = try UnicastRun([DNSLab.stub])
      let cases: [(String, String)] = [
        ("servfail", "failed \(UnicastFailure.servFail)"),
        ("refused", "failed \(UnicastFailure.refused)"),
        ("notimp", "failed \(UnicastFailure.rcode(4))"),
        ("rcode9", "failed \(UnicastFailure.rcode(9))"),
        ("silent", "failed \(UnicastFailure.timeout)"),
        ("wrongid", "failed \(UnicastFailure.timeout)"),
        ("stranger", "failed \(UnicastFailure.timeout)"),
        ("late", "answers 192.0.2.1"), ("formerr", "answers 192.0.2.1"),
        ("cut", "answers 192.0.2.1"), ("trailing", "answers 192.0.2.1"),
        ("alias-0", "answers 192.0.2.1"), ("alias-7", "answers 192.0.2.1"),
        ("alias-9", "failed \(UnicastFailure.tooManyAliases)"),
        ("loop", "failed \(UnicastFailure.tooManyAliases)"),
        ("lame", "failed \(UnicastFailure.referral)"), ("nodata", "noData 30"),
        ("slow-300", "answers 192.0.2.1"),
        ("cutclose", "failed \(UnicastFailure.truncated("connection reset by peer"))"),
        ("cutshort", "failed \(UnicastFailure.truncated("connection reset by peer"))"),
      ]
      for (word, expected) in cases {
        #expect(try run.ask("\(word).test")?.summary == expected, "\(word)")
      }
      for word in ["garbage", "short"] {
        guard case .failed(.malformed)? = try run.ask("\(word).test")?.outcome else {
          Issue.record("\(word)")
          continue
        }
      }
      #expect(try run.ask("cutlong.test")?.records.count == 4_060)
      #expect(shared.asked.contains("formerr udp plain"))
      #expect(!shared.asked.contains("cut udp plain"))
    }
  }

  @Test("a server that keeps silent over TCP is given up")
  func silentStream() throws {
    let lab = try DNSLab()
    try lab.misbehave()
    try lab.inside {
      let answer = try UnicastRun([DNSLab.stub6]).ask("cuthang.test")
      #expect(answer?.failure == .truncated(UnicastFailure.timeout.description))
      #expect((answer?.elapsed ?? 0) < 8_000_000_000)
    }
  }

  @Test("the next server is asked where one is silent, absent or unwilling")
  func severalServers() throws {
    let lab = try DNSLab()
    try lab.serve("silent A 192.0.2.9\nrefused A 192.0.2.8\nhost A 192.0.2.7")
    try lab.misbehave()
    try lab.inside {
      let absent = SocketEndpoint(DNSLab.stub.address, port: 9)
      let run = try UnicastRun([DNSLab.stub, DNSLab.server])
      for (word, address) in [("silent", "192.0.2.9"), ("refused", "192.0.2.8")] {
        let answer = try run.ask("\(word).example.org")
        #expect(answer?.summary == "answers \(address)")
        #expect(answer?.server == DNSLab.server)
      }
      let second = try UnicastRun([absent, DNSLab.server]).ask("host.example.org")
      #expect(second?.server == DNSLab.server)
      #expect((second?.elapsed ?? .max) < 500_000_000)
      let none = try UnicastRun([absent]).ask("host.example.org")
      #expect(none?.failure == .unreachable("connection refused"))
    }
  }

  @Test("many questions are under way at once, and the loop does not wait for any")
  func parallel() throws {
    let lab = try DNSLab()
    try lab.misbehave()
    try lab.inside {
      let run = try UnicastRun([DNSLab.stub], timeouts: [.seconds(3)])
      var answered = 0
      var ticks = 0
      func tick() {
        ticks += 1
        run.reactor.schedule(after: .milliseconds(10)) { tick() }
      }
      tick()
      let begin = MonotonicClock.now
      for number in 0..<32 {
        run.resolver.query(try DNSName("slow-400.n\(number).test"), .a) {
          if $0.message != nil { answered += 1 }
        }
      }
      run.run { answered == 32 }
      let elapsed = MonotonicClock.now - begin
      // Sixteen at a time: two rounds of 400 ms.
      #expect(elapsed >= 800_000_000)
      #expect(elapsed < 3_000_000_000)
      #expect(ticks > 20)
    }
  }

  @Test("a question that was taken back is not answered, and one that waits is never asked")
  func cancelling() throws {
    let lab = try DNSLab()
    try lab.misbehave()
    nonisolated(unsafe) let shared = lab
    try lab.inside {
      let run = try UnicastRun([DNSLab.stub])
      var answers = 0
      let tickets = try (0..<20).map { number in
        run.resolver.query(try DNSName("slow-300.n\(number).test"), .a) { _ in answers += 1 }
      }
      run.run(seconds: 0.1) { false }
      for ticket in tickets { run.resolver.cancel(ticket) }
      run.run(seconds: 0.8) { false }
      #expect(answers == 0)
      #expect(run.resolver.pendingCount == 0)
      #expect(shared.asked.filter { $0.hasPrefix("slow") }.count <= 16)
      // The threads are free again.
      #expect(try run.ask("good.test")?.summary == "answers 192.0.2.1")
    }
  }

  @Test("a task can wait for an answer, and gives up when it is cancelled")
  func tasks() throws {
    let lab = try DNSLab()
    try lab.misbehave()
    try lab.inside {
      let run = try UnicastRun([DNSLab.stub])
      nonisolated(unsafe) var found: [String] = []
      nonisolated(unsafe) let resolver = run.resolver
      let name = try DNSName("good.test")
      let slow = try DNSName("slow-900.test")
      Task(executorPreference: run.reactor) {
        found.append(await resolver.answer(name, .a).summary)
      }
      let patient = Task(executorPreference: run.reactor) {
        found.append(await resolver.answer(slow, .a).summary)
      }
      run.run { found.count == 1 }
      patient.cancel()
      run.run(seconds: 0.5) { found.count == 2 }
      #expect(found == ["answers 192.0.2.1", "failed \(UnicastFailure.timeout)"])
    }
  }
}
