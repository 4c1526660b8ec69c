import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

private func configure(
  _ words: String..., input: [String] = []
) throws -> ResolveConfiguration {
  let parsed = try ArgumentParser(command: .resolve).parse(words.map { Array($0.utf8) })
  return try ResolveConfiguration(parsed, input: { input }, port: { $0 == "ssh" ? 22 : nil })
}

private func refusal(_ words: String..., input: [String] = []) -> String {
  do {
    let parsed = try ArgumentParser(command: .resolve).parse(words.map { Array($0.utf8) })
    _ = try ResolveConfiguration(parsed, input: { input }, port: { _ in nil })
    return "accepted"
  } catch {
    return "\(error)"
  }
}

@Suite("What resolve is asked to do") struct ResolveConfigurationTests {
  @Test("names with ports, as one word or two; each query once") func names() throws {
    let resolve = try configure("tv.local:ssh", "nas.local", "80", "192.0.2.7", "nas.local", "80")
    #expect(resolve.queries.map(\.text) == ["tv.local:ssh", "nas.local", "192.0.2.7", "nas.local"])
    #expect(resolve.queries.prefix(3).map(\.port) == [22, 80, nil])
  }

  @Test("standard input gives names, or browse's lines") func input() throws {
    let lines = TargetInput.words(
      of: """
        # a comment
        tv.local:22
        {"event":"added","serviceName":"Deck._witap._tcp.local","host":"tv.local","port":7}
        {"event":"removed","serviceName":"Gone._witap._tcp.local"}
        {"event":"added","host":"nas.local","port":445}
        """, .names)
    #expect(lines == ["tv.local:22", "Deck._witap._tcp.local", "nas.local:445"])
    let resolve = try configure("-", input: lines)
    #expect(resolve.queries.count == 3)
    guard case .service = resolve.queries[1].subject else {
      Issue.record("no service")
      return
    }
  }

  @Test("families, type, service, domain and server") func options() throws {
    #expect(try configure("-4", "a").families == .ipv4)
    #expect(try configure("-46", "a").families == .both)
    let record = try configure("--type", "txt", "a.local")
    #expect(record.queries.map(\.subject) == [.record(try DNSName("a.local"), .txt)])
    let service = try configure("--service", "_ipp._TCP.", "--domain", "example.org", "a.b")
    guard case .service(let name) = service.queries[0].subject else {
      Issue.record("no service")
      return
    }
    #expect("\(name.name)" == #"a\.b._ipp._tcp.example.org"#)
    #expect(try configure("--server", "192.0.2.53:5353", "a").server?.port == 5_353)
  }

  @Test("what cannot be is refused, with what would be right") func refusals() {
    #expect(refusal("a b").contains("neither a host name, an address nor a service instance"))
    #expect(refusal("tv:nosuch").contains("neither a port from 1 to 65535 nor a known service"))
    #expect(refusal("-6", "192.0.2.7").contains("'192.0.2.7' is no IPv6 address"))
    #expect(refusal("_ipp._tcp.local").contains("a service type without an instance"))
    #expect(refusal("--service", "ipp", "a").contains("such as _ipp._tcp"))
    #expect(refusal("--type", "NOSUCH", "a").contains("expected a record type"))
    #expect(refusal("--server", "nosuch", "a").contains("expected an address"))
    #expect(refusal("-").contains("standard input names nothing"))
    #expect(refusal().contains("missing argument NAME"))
    #expect(refusal("--service", "_ipp._tcp", "--type", "TXT", "a").contains("contradict"))
  }
}

@Suite("The exit status of resolve") struct ResolveLedgerTests {
  private func status(_ states: [ResolveLedger.State], any: Bool = false) -> LanCLI.ExitStatus {
    var ledger = ResolveLedger(count: states.count, isAny: any)
    for (index, state) in states.enumerated() { ledger[index] = state }
    return ledger.status
  }

  @Test("all must be resolved; --any turns that round") func all() {
    let no = ResolveLedger.State.failed(.notFound)
    #expect(status([.resolved, .resolved]) == .success)
    #expect(status([.resolved, no]) == .negative)
    #expect(status([.resolved, no], any: true) == .success)
    #expect(status([no, no], any: true) == .negative)
  }

  @Test("nobody answered is 1, a failing resolver 2, a time limit without any result 3")
  func reasons() {
    #expect(status([.failed(.noAnswer)]) == .negative)
    #expect(status([.failed(.failed("SERVFAIL"))]) == .undetermined)
    #expect(status([.failed(.noInterface)]) == .undetermined)
    #expect(status([.failed(.timeout)]) == .timedOut)
    #expect(status([.resolved, .failed(.timeout)]) == .negative)
    #expect(status([.resolved, .failed(.timeout)], any: true) == .success)
  }
}
