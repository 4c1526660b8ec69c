import Foundation
import LanCore
import LanWire
import TestKit
import Testing

@Suite struct HistoryCaptureTests {
  private static let ids = Set(LintRules.history.map(\.id))

  private func replay(_ name: String) throws -> (HistoryReplay, [CapturedDatagram]) {
    let capture = HistoryCapture(try Repository.bytes("Tests/Fixtures/pcap/\(name)"))
    var replay = HistoryReplay()
    replay.play(capture.datagrams)
    return (replay, capture.datagrams)
  }

  @Test(
    "every fault that takes several messages is found in its frame",
    arguments: [("syn-rfc6762-faults.pcapng", 169), ("syn-llmnr-poisoner.pcapng", 10)])
  func faults(file: String, frames: Int) throws {
    let (replay, datagrams) = try replay(file)
    #expect(datagrams.count == frames)
    // Frame 32 contradicts itself, which the message alone shows.
    for datagram in datagrams where datagram.comment.hasPrefix("fault:") {
      let id = String(datagram.comment.dropFirst(6))
      guard Self.ids.contains(id), id != "nsec-contradiction" else { continue }
      let frame = datagram.envelope.frame
      #expect(
        replay.findings.contains { $0.rule.id == id && $0.frames.contains(frame) },
        "frame \(frame): \(id)")
    }
  }

  @Test(
    "no sound frame completes the proof of an error",
    arguments: ["syn-rfc6762-faults.pcapng", "syn-llmnr-poisoner.pcapng"])
  func soundFrames(file: String) throws {
    let (replay, datagrams) = try replay(file)
    // The first answer for `wpad` is called sound, and is an error at once by the rule.
    let excepted = [2]
    let sound = Set(
      datagrams.filter { $0.comment.hasPrefix("ok") }.map(\.envelope.frame))
    for finding in replay.findings where finding.severity == .error {
      guard let last = finding.frames.last, sound.contains(last) else { continue }
      #expect(
        excepted.contains(last) && file.contains("poisoner"),
        "frame \(last): \(finding.rule.id): \(finding.text)")
    }
  }

  @Test(
    "findings in real captures are few and can be defended",
    .enabled(if: Repository.shared != nil, "\(Repository.sharedMissing)"))
  func realCaptures() throws {
    let folder = try #require(Repository.shared).appending(path: "captures/open")
    var totals: [String: Int] = [:]
    var messages = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where file.contains(".pcap") && !file.hasPrefix("syn-") && !file.contains("-raw-as-mdns") {
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: file)))
      var replay = HistoryReplay()
      replay.play(HistoryCapture(bytes).datagrams)
      messages += replay.messages
      for finding in replay.findings {
        totals["\(finding.severity) \(finding.rule.id)", default: 0] += 1
        if finding.severity == .error || getenv("ALLF") != nil {
          print(file, finding.frames, finding.rule.id, finding.text)
        }
      }
    }
    print(messages, "messages:", totals.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
    #expect(messages > 300)
    let errors = totals.filter { $0.key.hasPrefix("error") }.values.reduce(0, +)
    #expect(errors * 50 < messages)
  }
}
