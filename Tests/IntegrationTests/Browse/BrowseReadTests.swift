import Foundation
import TestKit
import Testing

/// `browse --read`: the same engine over a capture.
@Suite("browse --read") struct BrowseReadTests {
  @Test("a capture is browsed by its own clock, and its end is no failure") func whole()
    async throws
  {
    let start = ContinuousClock.now
    let run = try await runLantool(
      ["browse", "--json", "--read", fixture("syn-rfc6762-faults.pcapng")])
    #expect(run.status == 0, "\(run.errors)")
    // It lasts six minutes.
    #expect(ContinuousClock.now - start < .seconds(60))
    let records = try run.objects()
    #expect(BrowsedList(records).faults == [])
    #expect(!records.events("added").isEmpty && records.last?.event == "summary")
    // Times are the frames' own: this capture was made in the past, and it lasts.
    let times = records.compactMap { $0["time"]?.text }
    #expect(times == times.sorted() && times.count == records.count)
    try await expectBrowseSchema(run.stdout)
  }

  @Test("a capture that ends inside a record lists what stands before, and says so with 2")
  func cut() async throws {
    let run = try await runLantool(
      ["browse", "--json", "--read", fixture("syn-fmt-cut-record.pcap")])
    #expect(run.status == 2 && !run.errors.isEmpty)
    let whole = try await runLantool(
      ["browse", "--json", "--read", fixture("syn-fmt-us-be.pcap")])
    #expect(whole.status == 0)
    let list = BrowsedList(try run.objects())
    #expect(!list.services.isEmpty)
    #expect(Set(list.instances).isSubset(of: BrowsedList(try whole.objects()).instances))
    let missing = try await runLantool(["browse", "--read", "/nonexistent.pcap"])
    #expect(missing.status == 2 && missing.errors.contains("/nonexistent.pcap"))
  }

  @Test("standard input reads as the file does") func standardInput() async throws {
    let file = fixture("syn-ipv4.pcap")
    let named = try await runLantool(["browse", "--json", "--read", file])
    let piped = try await runLantool(
      ["browse", "--json", "--read", "-"], stdin: try Data(contentsOf: URL(filePath: file)))
    #expect(named.output == piped.output && !named.output.isEmpty)
  }

  @Test("--timeout ends a pipe that has no end: 3 with nothing, else 0") func endlessPipe()
    async throws
  {
    let words = [lantoolPath, "browse", "--read", "-", "--timeout"]
    let silent = try Child(words + ["300ms"], isInteractive: true)
    #expect(try await silent.finish(timeout: 20).status == 3)
    let script = "f=$1; shift; exec \"$@\" < <({ cat \"$f\"; exec sleep 5; } 2>/dev/null)"
    let child = try Child(
      ["bash", "-c", script, "bash", fixture("syn-ipv4.pcap")] + words + ["1s", "--json"])
    let found = try await child.finish(timeout: 20)
    #expect(found.status == 0 && found.output.contains("_smb._tcp"), "\(found.errors)")
  }

  @Test(
    "it lists the instances that an independent dissector found in answers, and no other",
    .enabled(if: Repository.shared != nil, "\(Repository.sharedMissing)"),
    arguments: Golden.names.filter { $0.hasPrefix("syn-") })
  func golden(_ name: String) async throws {
    let golden = try await Golden(name)
    let run = try await runLantool(["browse", "--json", "--read", golden.capture])
    let told = Set(
      try run.objects().events("added").compactMap { $0["serviceName"]?.text?.lowercased() })
    let found = golden.instances
    #expect(told.subtracting(found) == [], "told, but not in an answer")
    // Where nothing is wrong with a capture, all of them.
    if !golden.isBroken, !name.contains("traps"), !name.contains("faults") {
      #expect(found.subtracting(told) == [], "in an answer, but not told")
    }
  }
}

extension Golden {
  /// The targets of PTR records of service types in the answers of multicast DNS responses.
  var instances: Set<String> {
    var result: Set<String> = []
    for packet in packets.values
    where packet["proto"]?.text == "mdns" && packet["qr"]?.integer == 1
      && packet["sport"]?.integer == 5353
    {
      for record in (packet["an"]?.list ?? []) + (packet["ar"]?.list ?? [])
      where record["type"]?.integer == 12 && (record["ttl"]?.integer ?? 0) > 0 {
        guard let owner = record["name"]?.text?.lowercased(), let target = record["ptr"]?.text,
          owner.wholeMatch(of: /(_[^.]+\._sub\.)?_[a-z0-9-]+\._(tcp|udp)\.local/) != nil
        else { continue }
        result.insert(target.lowercased())
      }
    }
    return result
  }
}
