import Foundation
import LanWire
import TestKit
import Testing

@Suite("Real captures")
struct DNSCaptureTests {
  @Test("a staged LAN's messages are the same after writing and reading")
  func synthesized() throws {
    var count = 0
    for message in try DNSTrapTests.fixture("syn-rfc6762-faults.pcapng") {
      let (read, problem) = DNSMessage.lenient(message.bytes.span)
      guard problem == nil else { continue }
      try expectSameAfterWriting(read)
      count += 1
    }
    #expect(count > 150)
  }

  @Test(
    "captured messages are the same after writing and reading",
    .enabled(if: Repository.shared != nil, Comment(rawValue: Repository.sharedMissing)))
  func captured() throws {
    let folder = try #require(Repository.shared).appending(path: "captures/open")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    var sound = 0
    var smaller = 0
    for message in try files.flatMap(capturedMessages) {
      let (read, problem) = DNSMessage.lenient(message.bytes.span)
      if let problem {
        #expect(problem.offset <= message.bytes.count, "\(message)")
        continue
      }
      sound += 1
      for compression in [DNSCompression.none, .unicast, .multicast] {
        let bytes = try read.encoded(compression: compression)
        #expect(try readMessage(bytes) == read, "\(message)")
        if compression == .multicast, bytes.count <= message.bytes.count { smaller += 1 }
      }
    }
    print("\(sound) captured messages, \(smaller) written in no more bytes than captured")
    #expect(sound > 900)
    #expect(smaller * 100 > sound * 97)
  }
}
