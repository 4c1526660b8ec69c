import LanCore
import LanWire
import Testing

@Suite struct UnicastReadingTests {
  private static func read(
    _ message: DNSMessage, _ name: String = "a.test", _ type: DNSRecordType = .a
  ) -> UnicastReading {
    UnicastReading(message, Unicast.question(name, type))
  }

  private static func outcome(_ reading: UnicastReading) -> UnicastOutcome? {
    if case .outcome(let outcome, _) = reading { outcome } else { nil }
  }

  private static func alias(_ owner: String, _ target: String) -> DNSRecord {
    Unicast.record(owner, .cname(Unicast.name(target)))
  }

  @Test("records of the name and type asked for are an answer, whatever the case of letters")
  func answer() {
    let message = Unicast.message([Unicast.a("A.Test", 1)])
    #expect(Self.read(message) == .outcome(.answers(message), name: Unicast.name("a.test")))
    // Records of another name or class answer nothing.
    #expect(Self.outcome(Self.read(Unicast.message([Unicast.a("b.test", 1)]))) == .noData(ttl: nil))
    var chaos = Unicast.a("a.test", 1)
    chaos.rawClass = 3
    #expect(Self.outcome(Self.read(Unicast.message([chaos]))) == .noData(ttl: nil))
  }

  @Test("aliases in the response are followed to the name that has the records")
  func aliases() {
    let message = Unicast.message([
      Self.alias("a.test", "b.test"), Self.alias("b.test", "c.test"), Unicast.a("c.test", 1),
    ])
    #expect(Self.read(message) == .outcome(.answers(message), name: Unicast.name("c.test")))
  }

  @Test("a redirection moves what is below its owner, and not the owner itself (RFC 6672)")
  func redirection() {
    let dname = Unicast.record("old.test", .dname(Unicast.name("new.test")))
    let message = Unicast.message([dname, Unicast.a("x.y.new.test", 1)])
    #expect(
      Self.read(message, "x.y.old.test")
        == .outcome(.answers(message), name: Unicast.name("x.y.new.test")))
    #expect(Self.outcome(Self.read(message, "old.test")) == .noData(ttl: nil))
  }

  @Test("an alias whose target the response says nothing about is to be asked for")
  func openAlias() {
    let link = Self.alias("a.test", "b.other")
    #expect(
      Self.read(Unicast.message([link])) == .alias(to: Unicast.name("b.other"), records: [link]))
    // With the SOA record of the target's zone it is an answer: there is nothing.
    let denied = Unicast.message([link], authorities: [Unicast.soa("other", minimum: 9)])
    #expect(Self.outcome(Self.read(denied)) == .noData(ttl: 9))
    let missing = Unicast.message(
      [link], authorities: [Unicast.soa("other", minimum: 9)], flags: 0x8403)
    #expect(
      Self.read(missing) == .outcome(.nxdomain(ttl: 9), name: Unicast.name("b.other")))
  }

  @Test("aliases in a circle, and more than eight, are given up")
  func circle() {
    let loop = [Self.alias("a.test", "b.test"), Self.alias("b.test", "a.test")]
    #expect(Self.outcome(Self.read(Unicast.message(loop))) == .failed(.tooManyAliases))
    func chain(_ count: Int) -> DNSMessage {
      Unicast.message(
        (0..<count).map { Self.alias("n\($0).test", "n\($0 + 1).test") }
          + [Unicast.a("n\(count).test", 1)])
    }
    #expect(Self.outcome(Self.read(chain(8), "n0.test")) == .answers(chain(8)))
    #expect(Self.outcome(Self.read(chain(9), "n0.test")) == .failed(.tooManyAliases))
  }

  @Test("an absence may be believed for the least of the SOA's TTL and MINIMUM (RFC 2308)")
  func absence() {
    func read(_ minimum: UInt32, _ ttl: UInt32, _ flags: UInt16) -> UnicastOutcome? {
      Self.outcome(
        Self.read(
          Unicast.message(
            authorities: [Unicast.soa("test", minimum: minimum, ttl: ttl)], flags: flags)))
    }
    #expect(read(60, 600, 0x8400) == .noData(ttl: 60))
    #expect(read(600, 60, 0x8403) == .nxdomain(ttl: 60))
    #expect(Self.outcome(Self.read(Unicast.message(flags: 0x8403))) == .nxdomain(ttl: nil))
  }

  @Test("response codes become failures, those of EDNS included")
  func codes() {
    for (code, failure) in [
      (UInt16(1), UnicastFailure.rcode(1)), (2, .servFail), (4, .rcode(4)), (5, .refused),
    ] {
      let message = Unicast.message(flags: 0x8400 | code)
      #expect(Self.outcome(Self.read(message)) == .failed(failure))
    }
    let extended = Unicast.message(
      additionals: [.opt(udpPayloadSize: 1_232, extendedRcode: 1)], flags: 0x8400)
    #expect(Self.outcome(Self.read(extended)) == .failed(.rcode(16)))
  }

  @Test("a referral to other servers is no answer; one from an authority is")
  func referral() {
    let servers = [Unicast.record("test", .ns(Unicast.name("ns.test")))]
    let lame = Unicast.message(authorities: servers, flags: 0x8000)
    #expect(Self.outcome(Self.read(lame)) == .failed(.referral))
    let own = Unicast.message(authorities: servers, flags: 0x8400)
    #expect(Self.outcome(Self.read(own)) == .noData(ttl: nil))
  }
}
