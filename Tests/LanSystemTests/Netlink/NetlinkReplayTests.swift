import Foundation
import Glibc
import LanWire
import TestKit
import Testing

@testable import LanSystem

@Suite(
  "A recording of netlink is a test of its own",
  .enabled(if: Lab.isPossible, Comment(rawValue: Lab.skipped)))
struct NetlinkReplayTests {
  /// Records a default route that is replaced by a refusal, with a note and an event.
  private func record(_ path: String) throws {
    let lab = try NetlinkLab(NetlinkSocketTests.script)
    let name = lab.name
    try lab.inside {
      let recorder = try NetlinkRecorder(path, application: "lantool test")
      let socket = try NetlinkSocket(recorder: recorder)
      let events = try NetlinkEventSource(groups: NetlinkGroup.routes, recorder: recorder)
      recorder.note(NetlinkNote(.sysfs, "class/net/v0/uevent", "INTERFACE=v0\nIFINDEX=2\n"))
      _ = try socket.links()
      let lookups = [
        RouteLookup(.v4(IPv4Address(bits: 0xC612_0001))),
        RouteLookup(.v4(IPv4Address(bits: 0xCB00_7101)), matchesFIB: true),
      ]
      try socket.lookUp(lookups) { _, _ in }
      Lab.shell("ip -n \(name) route replace unreachable default")
      #expect(events.receive { _, _ in }.messages == 1)
      try socket.lookUp(lookups) { _, _ in }
      recorder.note(NetlinkNote(.verdict, "default", "not reachable"))
      try recorder.close()
    }
  }

  private func temporaryPath() -> String {
    FileManager.default.temporaryDirectory
      .appending(path: "lantool-netlink-\(getpid())-\(UUID().uuidString).pcapng").path
  }

  @Test("a replay answers as the kernel did before and after each event")
  func replay() throws {
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try record(path)
    let replay = try NetlinkReplay(path)
    let lookup = RouteLookup(.v4(IPv4Address(bits: 0xC612_0001)))
    var items: [NetlinkReplay.Item] = []
    var answers: [Int32] = []
    var last: Int64 = 0
    while let (time, item) = replay.advance() {
      #expect(time >= last)
      last = time
      items.append(item)
      if case .asked = item {
        #expect(
          try replay.links().values.map(\.name)
            == ["lo", "v0", "v1", "br0"].sorted { a, b in
              let order = ["lo", "v1", "v0", "br0"]
              return order.firstIndex(of: a) ?? 0 < order.firstIndex(of: b) ?? 0
            })
        // Asked more often than the recorded program did.
        for _ in 0..<3 {
          switch try replay.lookUp(lookup) {
          case .refused(let error): answers.append(error.errno)
          case .route, .malformed: answers.append(0)
          }
        }
      }
    }
    #expect(items.first == .note(.init(.sysfs, "class/net/v0/uevent", "INTERFACE=v0\nIFINDEX=2\n")))
    #expect(items.last == .note(.init(.verdict, "default", "not reachable")))
    let events = items.filter { if case .events(.route, _) = $0 { true } else { false } }
    #expect(events.count == 1)
    #expect(answers == [0, 0, 0, 0, 0, 0, EHOSTUNREACH, EHOSTUNREACH, EHOSTUNREACH])
    #expect(throws: NetlinkError.notRecorded(.getRule)) { try replay.rules(.ipv4) }
  }

  @Test("a recording that was cut anywhere is replayed up to there, or refused with a reason")
  func cut() throws {
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try record(path)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    for length in stride(from: 0, to: bytes.count, by: 7) {
      guard let replay = try? NetlinkReplay(Array(bytes.prefix(length))) else { continue }
      while replay.advance() != nil { _ = try? replay.links() }
    }
    #expect(throws: NetlinkReplayError.self) { try NetlinkReplay([UInt8]()) }
  }

  @Test("other tools see rtnetlink in a recording, and the facts as comments")
  func dissected() throws {
    guard Lab.shell("command -v tshark") else {
      print("skipped: tshark is not installed")
      return
    }
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try record(path)
    let text = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: text) }
    Lab.shell(
      """
      tshark -r \(path) -T fields -e frame.protocols -e netlink-route.nltype -e netlink.hdr_pid \
      -e _ws.malformed -e frame.comment > \(text)
      """)
    let lines = try String(contentsOfFile: text, encoding: .utf8)
    #expect(lines.contains("netlink-route") && !lines.contains("Malformed"))
    #expect(lines.contains("lantool 1 sysfs class/net/v0/uevent"))
    #expect(lines.contains("lantool 1 verdict default"))
    // RTM_GETLINK, RTM_NEWLINK, RTM_GETROUTE, RTM_NEWROUTE.
    for type in ["18", "16", "26", "24"] { #expect(lines.contains(type)) }
  }
}
