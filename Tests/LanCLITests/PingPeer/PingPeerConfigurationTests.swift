import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

private func configure(
  _ words: String..., input: String = ""
) throws -> PingPeerConfiguration {
  let parsed = try ArgumentParser(command: .pingPeer).parse(words.map { Array($0.utf8) })
  return try PingPeerConfiguration(
    parsed, input: { TargetInput.lines(of: input) }, port: { $0 == "ssh" ? 22 : nil })
}

private func refusal(_ words: [String], input: String = "") -> String {
  do {
    let parsed = try ArgumentParser(command: .pingPeer).parse(words.map { Array($0.utf8) })
    _ = try PingPeerConfiguration(
      parsed, input: { TargetInput.lines(of: input) }, port: { $0 == "ssh" ? 22 : nil })
    return "accepted"
  } catch {
    return "\(error)"
  }
}

@Suite("What ping-peer is asked to do") struct PingPeerConfigurationTests {
  @Test("a target is host:port, a host and its port, a service, an address, or a bare host")
  func targets() throws {
    let run = try configure(
      "tv.local:ssh", "nas.local", "80", "[fe80::1%v0]:7", "2001:db8::7", "9",
      "Deck._witap2._tcp.local", "192.0.2.7")
    #expect(
      run.targets.map(\.text) == [
        "tv.local:ssh", "nas.local:80", "[fe80::1%v0]:7", "[2001:db8::7]:9",
        "Deck._witap2._tcp.local", "192.0.2.7",
      ])
    #expect(run.targets.map(\.query.port) == [22, 80, 7, 9, nil, nil])
    #expect(run.targets.map(\.isBareHost) == [false, false, false, false, false, true])
    #expect(run.search == nil)
  }

  @Test("with --service a word is an instance's label, digits and dots included")
  func labels() throws {
    let run = try configure("--service", "_witap2._tcp", "Deck 2.0", "42")
    #expect(
      run.targets.map(\.text) == ["Deck 2\\.0._witap2._tcp.local", "42._witap2._tcp.local"])
  }

  @Test("without a target both types of WiTap are looked for") func bare() throws {
    let search = try #require(try configure().search)
    #expect(search.types.map { "\($0)" } == ["_witap2._tcp", "_witap._tcp"] && search.isDefault)
    let named = try #require(
      try configure("--browse", "_http._tcp", "--name", "Deck").search)
    #expect(named.types.map { "\($0)" } == ["_http._tcp"] && named.name == "Deck")
    #expect(try #require(try configure("--all").search).isAll)
  }

  @Test("lines of browse keep their addresses, port and attribute mode") func browseLines() throws {
    let input = #"""
      {"event":"added","serviceName":"Deck._witap2._tcp.local","type":"_witap2._tcp",\#
      "interface":"v0","host":"tv.local","port":4242,"addresses":["192.0.2.20","fe80::1%v0"],\#
      "txt":{"Mode":"ECHO"}}
      {"event":"added","serviceName":"Late._http._tcp.local","complete":false}
      {"event":"added","serviceName":"Gone._http._tcp.local","port":80,"addresses":["192.0.2.9"]}
      {"event":"removed","serviceName":"Gone._http._tcp.local"}
      {"event":"added","serviceName":"Deck._witap2._tcp.local","interface":"v1","port":4242,\#
      "addresses":["198.51.100.20"],"txt":{"mode":"echo"}}
      {"event":"settled","services":2}
      {"event":"summary"}
      # a comment
      nas.local:7
      192.0.2.8 9
      """#
    let targets = try configure("-", input: input).targets
    #expect(
      targets.map(\.text) == [
        "Deck._witap2._tcp.local", "Late._http._tcp.local", "nas.local:7", "192.0.2.8:9",
      ])
    let known = try #require(targets[0].known)
    #expect(known.port == 4242 && known.modeWord == "echo")
    #expect(known.places.map { "\($0.address)" } == ["192.0.2.20", "fe80::1", "198.51.100.20"])
    #expect(known.places.map(\.zone) == ["v0", "v0", "v1"])
    #expect(targets[1].known == nil && targets[2].known == nil)
  }

  @Test("the mode is what the type and the attribute say, unless it is given")
  func modes() {
    let witap2 = ServiceType(service: "WiTap2", transport: "tcp")
    let witap1 = ServiceType(service: "witap", transport: "tcp")
    let http = ServiceType(service: "http", transport: "tcp")
    #expect(PingPeerMode.choose(.auto, nil, modeWord: nil) == .echo)
    #expect(PingPeerMode.choose(.auto, witap2, modeWord: nil) == .tap(.witap2))
    #expect(PingPeerMode.choose(.auto, witap1, modeWord: "tap") == .tap(.witap1))
    #expect(PingPeerMode.choose(.auto, witap2, modeWord: "echo") == .echo)
    #expect(PingPeerMode.choose(.auto, witap2, modeWord: "discard") == .connect)
    #expect(PingPeerMode.choose(.auto, http, modeWord: nil) == .connect)
    #expect(PingPeerMode.choose(.auto, http, modeWord: "echo") == .echo)
    #expect(PingPeerMode.choose(.tap, witap1, modeWord: "echo") == .tap(.witap1))
    #expect(PingPeerMode.choose(.tap, nil, modeWord: nil) == .tap(.witap2))
    #expect(PingPeerMode.choose(.connect, witap2, modeWord: nil) == .connect)
    let text = [Array("path=/".utf8), Array("MODE=Echo".utf8), Array("mode=tap".utf8)]
    #expect(PingPeerMode.word(in: text) == "echo")
    #expect(PingPeerMode.word(in: [Array("mode".utf8)]) == nil && PingPeerMode.word(in: nil) == nil)
  }

  @Test("probes are as the options say") func probes() throws {
    let plain = try configure("tv.local:7")
    #expect(plain.probe.interval == .seconds(1) && plain.probe.wait == .seconds(1))
    #expect(plain.probe.size == 64 && plain.probe.isUndelayed && !plain.isBounded)
    let fast = try configure(
      "-c5", "--interval", "0", "-W", "250ms", "-s", "1K", "-Q", "0xb8", "--no-nodelay", "-p",
      "00ff", "--max-loss", "2.5%", "--source", "192.0.2.10", "tv.local:7")
    #expect(fast.probe.count == 5 && fast.probe.interval == .zero && fast.isBounded)
    #expect(fast.probe.wait == .milliseconds(250) && fast.probe.size == 1_024)
    #expect(fast.probe.trafficClass == 0xB8 && !fast.probe.isUndelayed)
    #expect(fast.probe.pattern == [0, 0xFF] && fast.maximumLoss == 2.5)
    #expect(fast.families == .ipv4)
    #expect(try configure("--rate", "0.5", "tv.local:7").probe.rate == 0.5)
    #expect(try configure("--flood", "-c", "9", "tv.local:7").probe.flood == 16)
    #expect(try configure("--flood=3", "tv.local:7").probe.flood == 3)
    #expect(try configure("--until-reply", "tv.local:7").isBounded)
  }

  @Test(
    "a pattern is hexadecimal where it can be, else text",
    arguments: [
      ("00fF", [0, 255]), ("abc", [0x61, 0x62, 0x63]), ("hello", Array("hello".utf8)),
      ("text:00", [0x30, 0x30]), ("é!", Array("é!".utf8)),
    ])
  func patterns(text: String, bytes: [UInt8]) {
    #expect(PingPeerConfiguration.pattern(Array(text.utf8)) == bytes)
  }

  @Test(
    "what makes no sense is refused with what would",
    arguments: [
      (["tv.local:70000"], "1 to 65535"), (["tv.local", "70000"], "1 to 65535"), (["7"], "host"),
      (["tv.local:7", "--browse", "_http._tcp"], "contradict"),
      (["tv.local:7", "--all"], "TARGET"),
      (["--interval", "soon", "a:7"], "time"), (["--rate", "0", "a:7"], "probes a second"),
      (["--rate", "1", "--interval", "1", "a:7"], "contradict"), (["-Q", "256", "a:7"], "255"),
      (["--max-loss", "101", "a:7"], "percent"), (["--source", "here", "a:7"], "address"),
      (["-6", "192.0.2.7:7"], "IPv6"), (["-s", "0", "a:7"], "1 to"), (["-p", "", "a:7"], "empty"),
      (["--source", "192.0.2.1", "-6", "a:7"], "IPv6"), (["--mode", "ping", "a:7"], "echo"),
      (["--browse", "_a._b"], "--browse"), (["-q", "-f", "a:7"], "--count"),
      (["--until-lost", "--until-reply", "a:7"], "contradict"), (["-"], "standard input"),
      (["_witap2._tcp.local"], "without an instance"), (["--timeout", "0", "a:7"], "none"),
    ])
  func refusals(words: [String], reason: String) {
    let text = refusal(words)
    #expect(text.contains(reason), "\(text)")
    #expect(text.hasPrefix("lantool ping-peer: "))
  }
}
