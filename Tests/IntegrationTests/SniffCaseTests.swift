import Foundation
import TestKit
import Testing

/// Faults reported in public against tools of this kind, each as a trial on a file of its own.
@Suite("reported faults")
struct SniffCaseTests {
  private static let question = "_witap2._tcp.local"
  private static let cookedQuery = """
    d4c3b2a1020004000000000000000000000004007100000000f15365e8030000500000005000000000040001000602
    0000000001000008004500004000010000ff1118a9c0000207e00000fb14e914e9002c000000000000000100000000
    0000075f776974617032045f746370056c6f63616c00000c8001
    """
  /// A file of one record up to that record's lengths, little-endian, microseconds, Ethernet.
  private static let head = "d4c3b2a1020004000000000000000000000004000100000000f15365e8030000"
  private static let lengths = "4e0000004e000000"
  private static let plainQuery = """
    01005e0000fb02000000000108004500004000010000ff1118a9c0000207e00000fb14e914e9002c000000000000\
    0001000000000000075f776974617032045f746370056c6f63616c00000c8001
    """

  private func sniff(_ hexadecimal: String, _ arguments: [String] = []) async throws -> Run {
    let folder = try TemporaryFolder()
    let path = try folder.write(hexadecimal: hexadecimal, to: "trial.pcap")
    return try await runLantool(["sniff", "-r", path, "--json"] + arguments)
  }

  private func expectQuery(_ run: Run, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let messages = try run.objects().messages
    #expect(messages.count == 1, sourceLocation: sourceLocation)
    #expect(messages.first?["kind"]?.text == "query", sourceLocation: sourceLocation)
    let name = messages.first?["questions"]?.list.first?["name"]?.text
    #expect(name == Self.question, sourceLocation: sourceLocation)
    #expect(run.status == 0, sourceLocation: sourceLocation)
  }

  @Test(
    "SN-01: a tagged frame is decoded, and a filter that misses it says so",
    arguments: ["", "vlan and udp port 5353", "udp port 5353"])
  func taggedFrame(filter: String) async throws {
    let run = try await sniff(
      """
      d4c3b2a1020004000000000000000000000004000100000000f15365e8030000520000005200000001005e0000fb02
      00000000018100001f08004500004000010000ff1118a9c0000207e00000fb14e914e9002c00000000000000010000
      00000000075f776974617032045f746370056c6f63616c00000c8001
      """, filter.isEmpty ? [] : ["--filter", filter])
    if filter == "udp port 5353", try run.objects().messages.isEmpty {
      #expect(run.errors.contains("tag") || run.errors.lowercased().contains("vlan"))
      return
    }
    try expectQuery(run)
    #expect(try run.objects().first?["vlan"] == .list([.integer(31)]))
  }

  @Test("SN-03: a cooked capture is decoded like Ethernet", arguments: ["", "src host 192.0.2.7"])
  func cookedCapture(filter: String) async throws {
    let run = try await sniff(Self.cookedQuery, filter.isEmpty ? [] : ["--filter", filter])
    try expectQuery(run)
    #expect(try run.objects().first?["source"]?.text == "192.0.2.7")
  }

  @Test("SN-03: an unknown link type is an error that names it, not an empty list")
  func unknownLinkType() async throws {
    // Link type 147 is the first of those reserved for private use.
    let run = try await sniff(
      Self.cookedQuery.replacing("71000000", with: "93000000", maxReplacements: 1))
    #expect(run.errors.contains("147"))
    #expect(run.status == 2)
  }

  @Test("SN-07: an IPv4 total length of 0 is taken from the capture")
  func offloadedLength() async throws {
    let offloaded = Self.plainQuery.replacing(
      "4500004000010000ff1118a9", with: "4500000000010000ff1118e9")
    let run = try await sniff(Self.head + Self.lengths + offloaded)
    try expectQuery(run)
  }

  @Test("SN-07: a TCP segment with total length 0 is a frame without a message")
  func offloadedSegment() async throws {
    let run = try await sniff(
      """
      d4c3b2a1020004000000000000000000000004000100000000f15365e8030000760000007600000002000000000202
      0000000001080045000000000140004006b6e7c0000207c00002089c401092000003e8000007d05018040000000000
      4141414141414141414141414141414141414141414141414141414141414141414141414141414141414141414141
      4141414141414141414141414141414141
      """)
    let events = try run.objects()
    #expect(events.count == 1 && run.status == 0)
    #expect(events.last?["frames"]?.integer == 1)
  }

  @Test("SN-09: a hop-by-hop header does not hide the message")
  func extensionHeader() async throws {
    let run = try await sniff(
      """
      d4c3b2a1020004000000000000000000000004000100000000f15365e80300006a0000006a00000002000000000202
      000000000186dd60000000003400ff20010db800000000000000000000000720010db8000000000000000000000008
      110001040000000014e914e9002c0000000000000001000000000000075f776974617032045f746370056c6f63616c
      00000c8001
      """)
    try expectQuery(run)
    let message = try run.objects().first
    #expect(message?["sourcePort"]?.integer == 5353)
    #expect(message?["destinationPort"]?.integer == 5353)
  }

  @Test("SN-09: a later fragment has no ports, whatever its bytes imitate")
  func laterFragment() async throws {
    let run = try await sniff(
      """
      d4c3b2a1020004000000000000000000000004000100000000f15365e8030000560000005600000002000000000202
      000000000186dd6000000000202cff20010db800000000000000000000000720010db8000000000000000000000008
      110005c80000123414e914e95a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a
      """)
    let events = try run.objects()
    #expect(events.messages.isEmpty)
    #expect(events.last?["frames"]?.integer == 1)
  }

  @Test("SN-13: an absurd record length is refused by name, without the memory for it")
  func absurdLength() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      hexadecimal: """
        d4c3b2a1020004000000000000000000000004000100000000f1536500000000ffffff7fffffff7f0000000000
        0000000000000000000000
        """, to: "huge.pcap")
    let meter = """
      import resource, subprocess, sys
      status = subprocess.run(sys.argv[1:]).returncode
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      sys.exit(status)
      """
    let run = try await runCommand(["python3", "-c", meter, lantoolPath, "sniff", "-q", "-r", path])
    #expect(run.status == 2)
    #expect(run.errors.contains("2147483647") || run.errors.lowercased().contains("7fffffff"))
    let kilobytes = try #require(Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kilobytes < 100 * 1024)
  }

  @Test("SN-15: byte order and resolution are those of the file's head")
  func fileHead() async throws {
    let big = try await sniff(
      "a1b2c3d400020004000000000000000000040000000000016553f100000003e80000004e0000004e"
        + Self.plainQuery)
    try expectQuery(big)
    #expect(try big.objects().first?["time"]?.text == "2023-11-14T22:13:20.001000Z")
    let fine = try await sniff(
      "4d3cb2a1" + Self.head.dropFirst(8) + Self.lengths + Self.plainQuery)
    try expectQuery(fine)
    #expect(try fine.objects().first?["time"]?.text == "2023-11-14T22:13:20.000001000Z")
    let unknown = try await sniff("11223344" + String(repeating: "00", count: 20))
    #expect(unknown.errors.contains("not a capture file"))
    #expect(unknown.status == 2)
  }
}
