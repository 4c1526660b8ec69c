import Foundation
import Glibc
import LanCore
import LanWire
import TestKit
import Testing

@testable import LanSystem

/// A folder that goes with the test.
private final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "lantool-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws -> String {
    let file = "\(path)/\(name)"
    let parent = (file as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    return file
  }
}

@Suite(.serialized)
struct ReachabilitySeamTests {
  private func link(_ index: UInt32, _ name: String) -> LinkState {
    LinkState(index: index, name: name, flags: [.up, .lowerUp])
  }

  @Test("files of sysfs are believed only where they are about the same link")
  func files() throws {
    let folder = try Folder()
    for (name, index) in [("wlan0", 3), ("wwan0", 4)] {
      _ = try folder.write("class/net/\(name)/ifindex", "\(index)\n")
      _ = try folder.write(
        "class/net/\(name)/uevent", "DEVTYPE=\(name.dropLast())\nIFINDEX=\(index)\n")
    }
    _ = try folder.write("class/net/wlan0/phy80211/rfkill2/soft", "0\n")
    let files = DeviceFiles(root: folder.path)
    let wlan = link(3, "wlan0")
    #expect(
      DeviceFiles.facts(wlan, files.read(wlan) ?? [:])
        == DeviceFacts(type: "wlan", hasWirelessPhy: true, radio: 2))
    let modem = link(4, "wwan0")
    #expect(DeviceFiles.facts(modem, files.read(modem) ?? [:]) == DeviceFacts(type: "wwan"))
    #expect(files.read(link(5, "wlan0")) == nil)
    #expect(files.read(link(9, "eth9")) == nil)
    #expect(!DeviceFiles.mayTell(of: link(9, "../../etc")))
  }

  @Test("the servers behind systemd-resolved's stub are the real ones")
  func nameServers() throws {
    let folder = try Folder()
    let stub = try folder.write("stub", "# a comment\nnameserver 127.0.0.53\noptions edns0\n")
    let real = try folder.write(
      "real",
      "nameserver 192.0.2.53\nnameserver\t2001:db8::53\nnameserver fe80::1%eth0\nnameserver x")
    let servers = ResolverConfiguration.nameServers(path: stub, behindStub: real)
    #expect(
      servers == [
        NameServer(try #require(IPAddress(parsing: "192.0.2.53"))),
        NameServer(try #require(IPAddress(parsing: "2001:db8::53"))),
        NameServer(try #require(IPAddress(parsing: "fe80::1")), zone: "eth0"),
      ])
    #expect(ResolverConfiguration.nameServers(path: stub, behindStub: "/no/such").count == 1)
    #expect(ResolverConfiguration.nameServers(path: "/no/such", behindStub: real).isEmpty)
  }

  @Test(
    "what the radio switches do is known at the start and from then on",
    .enabled(if: Lab.isPossible, "\(Lab.skipped)"))
  func radio() throws {
    let lab = try NetlinkLab(
      """
      ip -n $ns tuntap add mode tun name wwan0
      ip -n $ns addr add 192.0.2.10/24 dev wwan0; ip -n $ns link set wwan0 up
      ip -n $ns route add default dev wwan0
      """)
    let folder = try Folder()
    let pipe = "\(folder.path)/rfkill"
    #expect(mkfifo(pipe, 0o600) == 0)
    let writer = open(pipe, O_RDWR | O_NONBLOCK)
    defer { close(writer) }
    func send(_ isBlocked: UInt8, _ operation: UInt8) {
      let event: [UInt8] = [7, 0, 0, 0, 5, operation, isBlocked, 0]
      #expect(write(writer, event, 8) == 8)
    }
    send(0, 0)
    nonisolated(unsafe) let sender = send
    try lab.inside {
      var configuration = try ReachabilityMonitor.Configuration(["default"])
      configuration.rfkillPath = pipe
      let run = try MonitorRun(configuration)
      #expect(run.monitor.facts.radios?.map(\.isSoftBlocked) == [false])
      sender(1, 2)
      #expect(run.run { run.monitor.facts.radios?.map(\.isSoftBlocked) == [true] })
    }
  }

  @Test("names are found, are not there, or cannot be told")
  func names() throws {
    guard case .addresses(let addresses) = NameResolver.resolveNow("localhost") else {
      Issue.record("localhost has no address")
      return
    }
    #expect(addresses.allSatisfy { $0.isLoopback })
    let old = NameResolution.addresses(
      ["192.0.2.1", "192.0.2.2"].compactMap { IPAddress(parsing: $0) })
    let new = NameResolution.addresses(
      ["192.0.2.2", "192.0.2.1"].compactMap { IPAddress(parsing: $0) })
    #expect(new.inOrder(of: old) == old)
    #expect(NameResolution.notFound.inOrder(of: old) == .notFound)
  }

  @Test("facts beside netlink come out of a recording as they went in")
  func notes() throws {
    let answers: [NameResolution] = [
      .addresses([try #require(IPAddress(parsing: "192.0.2.1"))]), .notFound, .failed("try again"),
    ]
    for answer in answers {
      let note = try #require(RecordedFacts.note("a.example", answer))
      let read = RecordedFacts.resolution(try #require(NetlinkNote(comment: note.comment)))
      #expect(read?.name == "a.example" && read?.1 == answer)
    }
    let event: [UInt8] = [7, 0, 0, 0, 5, 2, 1, 0]
    let note = RecordedFacts.note(radio: event)
    #expect(note.text == "0700000005020100")
    #expect(RecordedFacts.radios(note) == [RadioDevice.message(event)])
  }

  @Test(
    "a recording plays back to the same verdicts", .enabled(if: Lab.isPossible, "\(Lab.skipped)"))
  func replay() throws {
    let lab = try NetlinkLab(NetlinkLab.routed)
    let folder = try Folder()
    let file = "\(folder.path)/recording.pcapng"
    let targets = ["default", "192.0.2.20", "localhost", "198.51.100.1"]
    nonisolated(unsafe) let shared = lab
    try lab.inside {
      var configuration = try ReachabilityMonitor.Configuration(targets)
      configuration.recording = file
      configuration.tellsKernelEvents = true
      let run = try MonitorRun(configuration)
      #expect(run.settles(2) { $0.verdict.status.isReachable })
      for step in [
        "link set v1 down", "link set v1 up", "route del default via 192.0.2.1",
        "route add default via 192.0.2.1 dev v0", "addr del 192.0.2.10/24 dev v0",
      ] {
        #expect(shared.ip(step))
        run.run(for: .milliseconds(200))
      }
      try run.monitor.stop()
      configuration.recording = nil
      configuration.source = .recording(file)
      let again = try MonitorRun(configuration)
      #expect(
        again.run {
          again.events.contains { if case .ended = $0.content { true } else { false } }
        })
      func words(_ run: MonitorRun) -> [String] {
        run.reports.map { RecordedFacts.note($0).comment }
      }
      #expect(words(again).count > 8)
      #expect(words(again) == words(run))
      #expect(again.kernelEvents == run.kernelEvents)
      let once = try ReachabilityMonitor.evaluateOnce(configuration)
      #expect(once.reports.map(\.target) == [0, 1, 2, 3])
      #expect(once.reports.allSatisfy { $0.verdict.status.isReachable })
    }
  }
}
