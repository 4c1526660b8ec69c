import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

@Suite("What sniff was asked to do") struct SniffConfigurationTests {
  @Test("a bare command listens to multicast DNS and shows text") func bare() throws {
    let bare = try configuration([])
    #expect(bare.options.selection.protocols == [.mdns] && bare.options.selection.tunnels)
    #expect(
      bare.file == nil && bare.live.interfaces.isEmpty && bare.live.joins && !bare.live.usesSocket)
    #expect(
      !bare.live.isPromiscuous && !bare.isBounded && bare.write == nil && !bare.options.frames)
    #expect(bare.time == .local && bare.options.names && !bare.options.lint)
    guard case .text = bare.output else {
      Issue.record("not text")
      return
    }
  }

  @Test(
    "the form of output",
    arguments: [
      ([], "text"), (["--json"], "json"), (["--oneline"], "oneLine"),
      (["--fields=frame"], "fields"),
      (["-q"], "quiet"), (["-q", "--json"], "quiet"), (["-w", "-"], "quiet"),
      (["-w", "-", "--json"], "quiet"), (["-w", "f", "--json"], "json"),
    ])
  func output(_ words: [String], _ expected: String) throws {
    let output = try configuration(words).output
    let word =
      switch output {
      case .text: "text"
      case .oneLine: "oneLine"
      case .json: "json"
      case .fields: "fields"
      case .quiet: "quiet"
      }
    #expect(word == expected)
  }

  @Test("names are learned only where they are shown") func names() throws {
    #expect(try configuration(["--oneline"]).options.names)
    #expect(try !configuration(["--json"]).options.names)
    #expect(try !configuration(["--fields=source"]).options.names)
  }

  @Test(
    "protocols",
    arguments: [
      ("mdns", [NameProtocol.mdns]), ("llmnr", [.llmnr]), ("dns,mdns", [.mdns, .dns]),
      ("all", [.mdns, .llmnr, .dns]), ("llmnr,all", [.mdns, .llmnr, .dns]),
    ])
  func protocols(_ word: String, _ expected: [NameProtocol]) throws {
    #expect(try configuration(["--protocol", word]).options.selection.protocols == expected)
  }

  @Test("types are mnemonics in any case or numbers") func types() throws {
    let selection = try configuration(["--type=ptr,TYPE65280,type1,Any"]).options.selection
    #expect(selection.types == [.ptr, .init(rawValue: 65280), .a, .any])
    let error = try #require(throws: UsageError.self) { try configuration(["--type=PTRR"]) }
    #expect(error.message.contains("'PTRR'"))
    #expect(throws: UsageError.self) { try configuration(["--type=TYPE65536"]) }
    let hostile = try #require(throws: UsageError.self) { try configuration(["--type=\u{1B}[m"]) }
    #expect(!hostile.description.unicodeScalars.contains("\u{1B}"))
  }

  @Test("kinds, and both families named are no restriction") func kindsAndFamilies() throws {
    #expect(
      try configuration(["--kind=goodbye,query"]).options.selection.kinds == [.query, .goodbye])
    let both = try configuration(["-46"]).options.selection
    #expect(!both.onlyIPv4 && !both.onlyIPv6)
    #expect(try configuration(["-4"]).options.selection.onlyIPv4)
    #expect(try configuration(["-6"]).options.selection.onlyIPv6)
  }

  @Test(
    "a host is an address, with or without the zone that output shows, a MAC, or a name",
    arguments: [
      ("192.0.2.7", "192.0.2.7"), ("fe80::1", "fe80::1"), ("FE80::1%eth0", "fe80::1"),
      ("02:00:00:00:00:07", "02:00:00:00:00:07"), ("02-00-00-00-00-07", "02:00:00:00:00:07"),
      ("printer", "name printer"), ("printer.local", "name printer.local"), ("%", "name %"),
      ("50%off", "name 50%off"), ("192.0.2", "name 192.0.2"),
    ])
  func hosts(_ typed: String, _ expected: String) throws {
    let text =
      switch try #require(configuration(["--host", typed]).options.selection.hosts.first) {
      case .address(let address): address.description
      case .mac(let mac): mac.description
      case .name(let name): "name \(name)"
      }
    #expect(text == expected)
  }

  @Test("limits make a run bounded; no limit is none") func limits() throws {
    let counted = try configuration(["-c", "3"])
    #expect(counted.isBounded && counted.options.count == 3)
    let timed = try configuration(["--duration=250ms", "--timeout=none"])
    #expect(timed.isBounded && timed.duration == .milliseconds(250) && timed.timeout == nil)
    #expect(try !configuration(["--timeout=3s"]).isBounded)
    #expect(try configuration(["--timeout=3s"]).timeout == .seconds(3))
  }

  @Test(
    "where frames are saved, and in which format",
    arguments: [
      ("a.pcapng", false), ("a.pcap", true), ("a.cap", true), ("a.dmp", true), ("a", false),
      ("-", false), ("a.pcap.old", false),
    ])
  func writing(_ path: String, _ isClassic: Bool) throws {
    let write = try #require(configuration(["-w", path, "--ring-size=1K", "--ring-files=2"]).write)
    #expect(write.isClassic == isClassic && write.path == path && !write.isPacketBuffered)
    #expect(write.ring == CaptureRing(fileSize: 1024, fileCount: 2))
    #expect(try configuration(["-w", path]).options.frames)
    #expect(try #require(configuration(["-Uw", path]).write).isPacketBuffered)
  }

  @Test(
    "a socket sees no frames, so nothing that needs them goes with it",
    arguments: [
      ["--socket", "-w", "f"], ["--socket", "--filter", "udp"],
    ])
  func sockets(_ words: [String]) {
    #expect(throws: UsageError.self) { try configuration(words) }
  }

  @Test("names of files and interfaces, sizes, and switches") func others() throws {
    let all = try configuration([
      "-i", "eth0", "-i", "eth1", "--promiscuous", "--no-join", "--snapshot-length=128",
      "--buffer-size=1M", "--filter=udp", "--netns=lab", "--lint", "--stats", "-l", "--no-tunnels",
      "--time=delta", "--color=always", "--name=a*", "--name=b",
    ])
    #expect(all.live.interfaces == ["eth0", "eth1"] && all.live.isPromiscuous && !all.live.joins)
    #expect(
      all.live.snapshotLength == 128 && all.live.bufferSize == 1 << 20
        && all.live.expression == "udp")
    #expect(all.namespace == "lab" && all.options.lint && all.options.statistics)
    #expect(all.isLineBuffered && !all.options.selection.tunnels && all.time == .delta)
    #expect(all.isColoured && all.options.selection.names == ["a*", "b"])
    #expect(try configuration(["-r", "-"]).file == "-")
    #expect(try !configuration(["--color=never"]).isColoured)
  }
}
