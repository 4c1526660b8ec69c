import LanWire
import TestKit
import Testing

@testable import LanCore

@Suite("Querier: service types that are heard of") struct HeardTypeTests {
  private let list = "_services._dns-sd._udp.local"

  private func shown(_ bench: inout QuerierBench) -> [String] {
    bench.news().map {
      if case .added(let answer) = $0 { "\(answer.name)" } else { "\($0)" }
    }
  }

  @Test("whoever asks for the list is told the first record of each name, and nobody else")
  func first() throws {
    var bench = QuerierBench()
    try bench.hear(MDNSSample.pointer("early"))
    #expect(shown(&bench) == [])
    try bench.start(list, .ptr)
    #expect(shown(&bench) == [MDNSSample.type], "what the cache had")
    let color = "_c._sub._ipp._tcp.local"
    try bench.hear(
      SampleMessage.pointer("_ipp._tcp.local", to: "a._ipp._tcp.local"),
      SampleMessage.pointer("_IPP._tcp.local", to: "b._ipp._tcp.local"),
      SampleMessage.pointer(color, to: "a._ipp._tcp.local"),
      SampleMessage.pointer("9.2.0.192.in-addr.arpa", to: "h.local"),
      SampleMessage.address("_x._tcp.local"))
    #expect(shown(&bench) == ["_ipp._tcp.local", color])
    try bench.hear(SampleMessage.pointer("_ipp._tcp.local", to: "a._ipp._tcp.local"))
    #expect(shown(&bench) == [], "it is known")
    try bench.stop(list, .ptr)
    try bench.hear(SampleMessage.pointer("_y._udp.local", to: "a._y._udp.local"))
    #expect(shown(&bench) == [])
  }

  @Test("a type whose last record went is new when it comes again") func again() throws {
    var bench = QuerierBench { $0.isPassive = true }
    try bench.start(list, .ptr, .passive)
    try bench.hear(MDNSSample.pointer("a", ttl: 10))
    #expect(shown(&bench) == [MDNSSample.type])
    bench.run(20)
    try bench.hear(MDNSSample.pointer("b"))
    #expect(shown(&bench) == [MDNSSample.type])
  }
}
