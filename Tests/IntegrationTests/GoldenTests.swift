import Foundation
import TestKit
import Testing

/// Every capture of the shared folder, message by message, against an independent dissector's facts.
@Suite(
  "captures", .enabled(if: Repository.shared != nil, Comment(rawValue: Repository.sharedMissing)))
struct GoldenTests {
  @Test(
    "every message of a capture is what an independent dissector found", arguments: Golden.names)
  func messages(name: String) async throws {
    let golden = try await Golden(name)
    let run = try await runLantool(["sniff", "-r", golden.capture, "--json", "--protocol", "all"])
    let comparison = GoldenComparison(golden, try run.objects())
    #expect(comparison.differences.isEmpty, report(name, comparison.differences))
    // A damaged file is told, by name, behind all that could be read.
    #expect(run.status == (golden.isBroken ? 2 : 0), "\(name): \(run.errors)")
    #expect(!golden.isBroken || run.errors.contains(name), "\(name): \(run.errors)")
  }

  @Test("the default reads multicast DNS alone", arguments: Golden.names)
  func defaultProtocol(name: String) async throws {
    let golden = try await Golden(name)
    let events = try await runLantool(["sniff", "-r", golden.capture, "--json"]).objects()
    let expected = golden.packets.filter { $0.value["proto"]?.text == "mdns" }.count
    let told = events.messages.filter { golden.packets[$0["frame"]?.integer ?? 0]?["proto"] != nil }
    #expect(told.count == expected, "\(name)")
    #expect(told.allSatisfy { $0["protocol"]?.text == "mdns" }, "\(name)")
  }

  @Test("a capture cut anywhere gives what stands before the cut, and never a crash")
  func cutEverywhere() async throws {
    let folder = try TemporaryFolder()
    let whole = try Repository.bytes("Tests/Fixtures/pcap/syn-ng-mixed-links.pcapng")
    let all = try await runLantool(["sniff", "-r", fixture("syn-ng-mixed-links.pcapng"), "--json"])
    let complete = try all.objects().messages.map(\.frameAndID)
    for count in stride(from: 0, to: whole.count, by: 37) {
      let path = try folder.write(Array(whole[..<count]), to: "cut.pcapng")
      let run = try await runLantool(["sniff", "-r", path, "--json"])
      #expect([0, 2].contains(run.status), "cut at \(count): status \(run.status)")
      let messages = try run.objects().messages.map(\.frameAndID)
      #expect(Array(complete.prefix(messages.count)) == messages, "cut at \(count)")
    }
  }

  private func report(_ name: String, _ differences: [String]) -> Comment {
    let shown = differences.prefix(12).map { "\(name) \($0)" }
    let more = differences.count > 12 ? ["… and \(differences.count - 12) more"] : []
    return Comment(rawValue: (["theirs | ours"] + shown + more).joined(separator: "\n"))
  }
}

extension JSON {
  /// What tells one message of a run from another.
  fileprivate var frameAndID: [JSON?] { [self["frame"], self["id"], self["source"]] }
}
