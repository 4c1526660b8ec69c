import Foundation
import TestKit
import Testing

/// The program on a live interface, in network namespaces of the test's own.
@Suite("live capture", .serialized, .enabled(if: Lab.isPossible, Lab.missing))
struct LiveTests {
  private let lab: Lab
  private let folder: TemporaryFolder

  init() async throws {
    lab = try await Lab()
    folder = try TemporaryFolder()
  }

  @Test("SN-05: a message is shown within 200 ms", arguments: ["pipe", "terminal"])
  func delay(output: String) async throws {
    let child =
      if output == "pipe" {
        try lab.start(["sniff", "-i", "v0"])
      } else {
        try lab.start(command: ["script", "-qefc", "'\(lantoolPath)' sniff -i v0", "/dev/null"])
      }
    try await lab.warmUp(child)
    var delays: [Duration] = []
    for number in 1...5 {
      try await lab.send(lab.question(number))
      let sent = ContinuousClock.now
      let shown = try await child.wait(timeout: 3) { $0.outputSoFar.contains("warm-\(number)") }
      #expect(shown, "message \(number) was never shown")
      delays.append(ContinuousClock.now - sent)
    }
    // One late message may be the machine's doing; three of five are the program's.
    let median = delays.sorted()[2]
    print("SN-05 \(output): median delay \(median), longest \(delays.max() ?? .zero)")
    #expect(median < .milliseconds(200))
    child.signal(SIGTERM)
    _ = try await child.finish(timeout: 5)
  }

  @Test(
    "a sniffer that runs holds no more rights than it needs",
    arguments: [
      ([], "0000000000002000"), (["--socket"], "0000000000000000"),
      (["-w", "live.pcap"], "0000000000002002"),
    ])
  func rights(_ options: [String], _ expected: String) async throws {
    let words = options.map { $0 == "live.pcap" ? folder.path($0) : $0 }
    let child = try lab.start(["sniff", "-i", "v0"] + words)
    let listens = try await child.wait(timeout: 10) { $0.errorsSoFar.contains("listening on") }
    try #require(listens, "\(child.errorsSoFar)")
    // It says that it listens once it has given them up.
    let status = try String(contentsOfFile: "/proc/\(child.processID)/status", encoding: .utf8)
    for key in ["CapEff", "CapPrm"] { #expect(status.contains("\(key):\t\(expected)\n")) }
    #expect(status.contains("NoNewPrivs:\t1\n"))
    child.signal(SIGTERM)
    #expect(try await child.finish(timeout: 5).status == 0)
  }

  @Test("SN-11: with --packet-buffered the file grows by each packet and can be read meanwhile")
  func growingFile() async throws {
    let path = folder.path("live.pcap")
    let child = try lab.start(["sniff", "-i", "v0", "-w", path, "--packet-buffered", "-l"])
    try await warmUpFile(path, child)
    var size = fileSize(path)
    for number in 1...3 {
      try await lab.send(lab.question(number))
      let before = size
      let grew = try await child.wait(timeout: 3) { _ in fileSize(path) > before }
      #expect(grew, "packet \(number) is not in the file")
      size = fileSize(path)
      let events = try await runLantool(["sniff", "-r", path, "--json"]).objects()
      #expect(
        events.messages.last?["questions"]?.list.first?["name"]?.text == "warm-\(number).local")
    }
    child.signal(SIGINT)
    let run = try await child.finish(timeout: 5)
    #expect(run.status == 0)
  }

  @Test("SN-11: without --packet-buffered the file is complete after the end")
  func completeFile() async throws {
    let path = folder.path("live.pcap")
    let child = try lab.start(["sniff", "-i", "v0", "-w", path])
    try await lab.warmUp(child)
    for number in 1...3 { try await lab.send(lab.question(number)) }
    #expect(try await child.wait(timeout: 3) { $0.outputSoFar.contains("warm-3") })
    child.signal(SIGINT)
    #expect(try await child.finish(timeout: 5).status == 0)
    let read = try await runLantool(["sniff", "-r", path, "--json"])
    #expect(read.status == 0)
    let names = try read.objects().messages.compactMap {
      $0["questions"]?.list.first?["name"]?.text
    }
    #expect(Array(names.suffix(3)) == ["warm-1.local", "warm-2.local", "warm-3.local"])
  }

  @Test("a live message has its interface, addresses, MACs and time") func liveJSON() async throws {
    let child = try lab.start(["sniff", "-i", "v0", "--json"])
    try await lab.warmUp(child)
    child.signal(SIGINT)
    let run = try await child.finish(timeout: 5)
    #expect(run.status == 0)
    let message = try #require(try run.objects().messages.first)
    #expect(message["interface"]?.text == "v0")
    #expect(message["source"]?.text == "192.0.2.20")
    #expect(message["destination"]?.text == "224.0.0.251")
    #expect(message["hopLimit"]?.integer == 255)
    #expect(message["sourceMac"]?.text?.count == 17)
    #expect(message["time"]?.text != nil)
    let summary = try run.objects().last
    #expect(summary?.event == "summary" && summary?["dropped"]?.integer == 0)
  }

  @Test(
    "both groups are joined on the interface, and with --no-join none is", arguments: [true, false])
  func membership(joins: Bool) async throws {
    let child = try lab.start(["sniff", "-i", "v0"] + (joins ? [] : ["--no-join"]))
    try await lab.warmUp(child)
    let groups = try await runCommand(
      ["ip", "-n", lab.own, "maddress", "show", "dev", "v0"])
    #expect(groups.output.contains("224.0.0.251") == joins)
    #expect(groups.output.contains("ff02::fb") == joins)
    child.signal(SIGTERM)
    _ = try await child.finish(timeout: 5)
  }

  @Test("--socket shows messages to the group without the right to capture")
  func socket() async throws {
    let copy = try await folder.copyOfProgram()
    let child = try lab.start(
      command: [
        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", copy, "sniff", "--socket",
        "-i", "v0",
      ])
    try await lab.warmUp(child)
    child.signal(SIGINT)
    #expect(try await child.finish(timeout: 5).status == 0)
  }

  @Test("--count ends a live run, --timeout without a message gives 3") func ends() async throws {
    let counted = try lab.start(["sniff", "-i", "v0", "-c", "1"])
    for _ in 0..<20 where counted.isRunning {
      try await lab.send(lab.question(1))
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(try await counted.finish(timeout: 5).status == 0)
    let silent = try lab.start(["sniff", "-i", "v0", "--timeout", "300ms"])
    #expect(try await silent.finish(timeout: 5).status == 3)
  }

  @Test("a bounded run cut short dies by the signal") func cutShort() async throws {
    let child = try lab.start(["sniff", "-i", "v0", "--count", "100"])
    try await lab.warmUp(child)
    child.signal(SIGINT)
    #expect(try await child.finish(timeout: 5).status == 128 + SIGINT)
  }

  /// Sends questions until the file holds one.
  private func warmUpFile(_ path: String, _ child: Child) async throws {
    for _ in 0..<50 {
      try await lab.send(lab.question(0))
      if try await child.wait(timeout: 0.3, until: { _ in fileSize(path) > 24 }) { return }
    }
    Issue.record("the file stays empty: \(child.errorsSoFar)")
  }
}

private func fileSize(_ path: String) -> Int {
  let attributes = try? FileManager.default.attributesOfItem(atPath: path)
  return (attributes?[.size] as? Int) ?? 0
}
