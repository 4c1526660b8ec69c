import Foundation
import LanWire
import TestKit
import Testing

@Suite("Messages built to break parsers")
struct DNSTrapTests {
  static func fixture(_ name: String) throws -> [CapturedMessage] {
    try capturedMessages(Repository.top.appending(path: "Tests/Fixtures/dns/" + name))
  }

  static let messages: [String: [UInt8]] = {
    let found = (try? fixture("syn-dns-traps.pcapng")) ?? []
    return Dictionary(
      found.map { (String($0.comment.dropFirst("trap:".count)), $0.bytes) },
      uniquingKeysWith: { first, _ in first })
  }()

  private func answers(_ comment: String) throws -> [DNSRecord] {
    let bytes = try #require(Self.messages[comment])
    return DNSMessage.lenient(bytes.span).message.answers
  }

  @Test("each is read as far as it goes, with the reason and the place", arguments: DNSTrap.all)
  func trap(trap: DNSTrap) throws {
    let bytes = try #require(Self.messages[trap.comment])
    var index = DNSMessageIndex()
    let view = index.read(bytes.span)
    #expect(view.problem == trap.reason.map { WireError($0, at: trap.offset) })
    let counts = [
      view.questionCount, view.answerCount, view.authorityCount, view.additionalCount,
    ]
    #expect(counts.map(Int.init) == trap.counts)
    #expect(index.records.count { $0.problem != nil } == trap.unreadable)
    #expect(view.hasForwardPointer == trap.hasForwardPointer)
    #expect(view.trailingBytes == trap.trailing)
    if let problem = view.problem {
      #expect(throws: problem) { try readMessage(bytes) }
    } else {
      try expectSameAfterWriting(readMessage(bytes))
    }
  }

  @Test("no trap of the file is left out")
  func complete() {
    #expect(Set(DNSTrap.all.map(\.comment)) == Set(Self.messages.keys))
    #expect(DNSTrap.all.count == 74)
  }

  @Test("NFC and NFD are two names, two cases are one")
  func names() throws {
    let forms = try answers("name: UTF-8, NFC and NFD forms of one word")
    #expect(forms[0].name != forms[1].name)
    let cases = try answers("name: same name in two cases")
    #expect(cases[0].name == cases[1].name)
    #expect(cases[0].name.description == "MiXeD.LOCAL")
    let odd = try answers("name: dot, backslash, space and NUL inside labels")
    #expect(odd[0].name.description == "a\\.b\\\\c d\\000e.local")
    let control = try answers("name: control characters CR LF ESC")
    #expect(control[0].name.description == "evil\\027[31m\\013\\010x.local")
    let bytes = try answers("name: bytes that are not UTF-8")
    #expect(bytes[0].name.description == "\\255\\254\\128caf\\233.local")
  }

  @Test("unreadable and unknown data keeps its bytes")
  func bytesKept() throws {
    #expect(try answers("rdata: A of 3 bytes")[0].data == .unknown(.a, [10, 0, 0]))
    #expect(try answers("rdata: A of 5 bytes")[0].data == .unknown(.a, [10, 0, 0, 1, 2]))
    #expect(
      try answers("type: unknown 65280 with rdata")[0].data
        == .unknown(DNSRecordType(rawValue: 65280), Array(0...8)))
    #expect(
      try answers("txt: string runs past rdata")[0].data
        == .unknown(.txt, [9] + Array("short".utf8)))
    #expect(try answers("rdata: zero length for A, PTR, SRV, TXT")[3].data == .txt([]))
  }

  @Test("NSEC bitmaps of odd shape give the types that they name")
  func bitmaps() throws {
    func types(_ comment: String) throws -> [UInt16] {
      guard case .nsec(_, let types) = try answers(comment)[0].data else { return [] }
      return types.map(\.rawValue)
    }
    #expect(try types("nsec: bitmap block 0 length 0") == [])
    #expect(try types("nsec: no bitmap at all") == [])
    #expect(try types("nsec: blocks 0 and 1") == [1, 256])
    #expect(try types("nsec: blocks out of order") == [1, 256])
    #expect(try types("nsec: compressed next name") == [1, 28])
    #expect(try types("nsec: bitmap block 0 length 33").last == 249)
  }

  @Test("types that hold names and strings are typed")
  func rareTypes() throws {
    let records = try answers("type: HINFO, NULL, NAPTR, CAA, HTTPS, LOC, SSHFP")
    #expect(
      records.map(\.type.description) == [
        "HINFO", "NULL", "NAPTR", "CAA", "HTTPS", "LOC", "SSHFP",
      ])
    let unknown = records.filter { if case .unknown = $0.data { true } else { false } }
    #expect(unknown.map(\.type.description) == ["NULL", "LOC"])
    #expect(records[0].data == .hinfo(cpu: Array("ARM".utf8), os: Array("LINUX".utf8)))
  }

  @Test("the top bit of the class and large TTLs are kept")
  func classes() throws {
    let records = try answers("class: CH, NONE, ANY, 0 with and without the top bit")
    #expect(records.map(\.dnsClass.description).prefix(3) == ["CH", "NONE", "ANY"])
    #expect(records.map(\.cacheFlush).contains(true))
    #expect(try answers("ttl: 0, 1, 2^31, 2^32-1").map(\.ttl) == [0, 1, 1 << 31, .max])
    let bytes = try #require(Self.messages["question: QU, class ANY, both"])
    let questions = try readMessage(bytes).questions
    #expect(questions.map(\.wantsUnicastResponse) == [true, false, true])
    #expect(questions.map(\.dnsClass) == [.in, .any, .any])
  }

  @Test("TXT attributes of odd shape are told apart")
  func text() throws {
    let record = try answers(
      "txt: keys without value, empty value, missing key, duplicate key, binary value")[0]
    guard case .txt(let strings) = record.data else {
      Issue.record("no TXT")
      return
    }
    let text = DNSText(strings)
    #expect(
      text.entries.map { String(decoding: $0.key, as: UTF8.self) } == [
        "flag", "empty", "k", "bin", "eq",
      ])
    #expect(text.entry("flag")?.value == nil)
    #expect(text.entry("empty")?.value == [])
    #expect(text.entry("k")?.value == Array("1".utf8))
    #expect(text.entry("bin")?.value == [0, 0xFF, 0x80])
    #expect(text.isLossy)
  }
}

/// Writes a message in every way and reads it back.
func expectSameAfterWriting(
  _ message: DNSMessage, _ location: SourceLocation = #_sourceLocation
) throws {
  for compression in [DNSCompression.none, .unicast, .multicast] {
    let bytes: [UInt8]
    do {
      bytes = try message.encoded(compression: compression)
    } catch {
      // Names may take more room uncompressed than a message has.
      #expect(compression != .multicast, sourceLocation: location)
      continue
    }
    let again = try readMessage(bytes)
    #expect(again == message, sourceLocation: location)
  }
}
