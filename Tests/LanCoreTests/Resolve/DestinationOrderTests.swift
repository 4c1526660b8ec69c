import LanCore
import LanWire
import Testing

private typealias Candidate = DestinationOrder.Candidate

private func candidate(_ address: String, from source: String?, _ length: Int = 64) throws
  -> Candidate
{
  let destination = try #require(IPAddress(parsing: address))
  let own = try source.map { try #require(IPAddress(parsing: $0)) }
  return Candidate(
    destination, source: own.map { DestinationOrder.Source($0, prefixLength: length) })
}

private func order(_ candidates: [Candidate]) -> [String] {
  DestinationOrder.sorted(candidates) { $0 }.map { "\($0.address)" }
}

@Suite("The order of addresses (RFC 6724 section 6)") struct DestinationOrderTests {
  @Test("an address without a route comes last (RE-05)") func unusable() throws {
    let six = try candidate("2001:db8::20", from: nil)
    let four = try candidate("192.0.2.20", from: "192.0.2.10", 24)
    #expect(order([six, four]) == ["192.0.2.20", "2001:db8::20"])
    #expect(DestinationOrder.rule(four, before: six) == .avoidUnusable)
    #expect(DestinationOrder.rule(six, before: four) == nil)
  }

  @Test("with a global address of this host IPv6 comes first (RE-05)") func precedence() throws {
    let six = try candidate("2001:db8::20", from: "2001:db8::10")
    let four = try candidate("192.0.2.20", from: "192.0.2.10", 24)
    #expect(order([four, six]) == ["2001:db8::20", "192.0.2.20"])
    #expect(DestinationOrder.rule(six, before: four) == .higherPrecedence)
  }

  @Test("a global address that only a link-local one can reach comes behind IPv4") func scope()
    throws
  {
    let six = try candidate("2001:db8::20", from: "fe80::10")
    let four = try candidate("192.0.2.20", from: "192.0.2.10", 24)
    #expect(order([six, four]) == ["192.0.2.20", "2001:db8::20"])
    #expect(DestinationOrder.rule(four, before: six) == .matchingScope)
  }

  @Test("a label that does not match comes behind: 6to4 from a native address") func label() throws
  {
    let native = try candidate("2001:db8::20", from: "2001:db8::10")
    let tunnel = try candidate("2002:c000:214::1", from: "2001:db8::10")
    #expect(order([tunnel, native]) == ["2001:db8::20", "2002:c000:214::1"])
    #expect(DestinationOrder.rule(native, before: tunnel) == .matchingLabel)
  }

  @Test("the smaller scope comes first, then the longer common prefix") func late() throws {
    let near = try candidate("fe80::20", from: "fe80::10")
    let same = try candidate("2001:db8::20", from: "2001:db8::10")
    let far = try candidate("2001:db9::20", from: "2001:db8::10")
    #expect(order([far, same, near]) == ["fe80::20", "2001:db8::20", "2001:db9::20"])
    #expect(DestinationOrder.rule(near, before: same) == .smallerScope)
    #expect(DestinationOrder.rule(same, before: far) == .longestPrefix)
  }

  @Test("IPv4 prefixes count on the own network only, and equal ones keep their order")
  func unchanged() throws {
    let far = try candidate("198.51.100.1", from: "192.0.2.10", 24)
    let farther = try candidate("192.0.3.1", from: "192.0.2.10", 24)
    #expect(order([far, farther]) == ["198.51.100.1", "192.0.3.1"])
    #expect(DestinationOrder.rule(far, before: farther) == .unchanged)
  }

  @Test("a deprecated source comes behind") func deprecated() throws {
    let good = try candidate("2001:db8::20", from: "2001:db8::10")
    var old = try candidate("2001:db8:1::20", from: "2001:db8:1::10")
    old.source?.isDeprecated = true
    #expect(DestinationOrder.rule(good, before: old) == .avoidDeprecated)
  }
}
