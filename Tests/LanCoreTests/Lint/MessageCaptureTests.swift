import Foundation
import LanCore
import TestKit
import Testing

@Suite struct MessageCaptureTests {
  private static let messageRules = Set(MessageRuleTests.cases.map(\.id))

  @Test func everyStagedFaultThatOneMessageShowsIsFound() throws {
    let capture = MessageCapture(
      try Repository.bytes("Tests/Fixtures/pcap/syn-rfc6762-faults.pcapng"))
    try #require(capture.datagrams.count == 169)
    let messages = capture.lint().messages
    var staged = 0
    for (datagram, findings) in zip(capture.datagrams, messages)
    where datagram.comment.hasPrefix("fault:") {
      let id = String(datagram.comment.dropFirst(6))
      guard Self.messageRules.contains(id) else { continue }
      staged += 1
      #expect(
        findings.contains { $0.rule.id == id }, "frame \(datagram.envelope.frame) should show \(id)"
      )
    }
    #expect(staged >= 35)
  }

  @Test func framesWithoutAStagedFaultShowNoError() throws {
    let capture = MessageCapture(
      try Repository.bytes("Tests/Fixtures/pcap/syn-rfc6762-faults.pcapng"))
    let messages = capture.lint().messages
    for (datagram, findings) in zip(capture.datagrams, messages)
    where datagram.comment.hasPrefix("ok") {
      let errors = findings.filter { $0.severity == .error }
      #expect(errors.isEmpty, "frame \(datagram.envelope.frame): \(errors.map(\.text))")
    }
  }

  @Test(.enabled(if: Repository.shared != nil, "\(Repository.sharedMissing)"))
  func realCapturesAreJudgedAndCounted() throws {
    let shared = try #require(Repository.shared)
    let folder = shared.appending(path: "captures/open")
    var counts: [String: (messages: Int, files: Set<String>)] = [:]
    var total = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where name.contains(".pcap") && !name.hasPrefix("syn-") {
      let capture = MessageCapture([UInt8](try Data(contentsOf: folder.appending(path: name))))
      total += capture.datagrams.count
      for finding in capture.lint().messages.joined() {
        counts[finding.rule.id, default: (0, [])].messages += 1
        counts[finding.rule.id]?.files.insert(name)
        if ProcessInfo.processInfo.environment["LINT_TEXTS"] != nil {
          print(name, finding.frames, finding.severity, finding.rule.id, finding.text)
        }
      }
    }
    print("messages judged: \(total)")
    for (id, count) in counts.sorted(by: { $0.key < $1.key }) {
      print("\(id): \(count.messages) messages in \(count.files.count) files")
    }
    #expect(total > 400)
    #expect(counts["ip-ttl"] != nil)
  }
}
