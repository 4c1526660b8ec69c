import Foundation
import LanWire
import TestKit
import Testing

/// What a message built to break parsers reads as.
struct DNSTrap: CustomStringConvertible {
  var comment: String
  var reason: WireError.Reason?
  var offset = 0
  /// Questions, answers, authority and additional records that can be read.
  var counts = [0, 0, 0, 0]
  /// Records whose data is not what their type demands.
  var unreadable = 0
  var hasForwardPointer = false
  var trailing = 0

  var description: String { comment }

  static func sound(
    _ comment: String, _ counts: [Int], unreadable: Int = 0, forward: Bool = false,
    trailing: Int = 0
  ) -> DNSTrap {
    DNSTrap(
      comment: comment, counts: counts, unreadable: unreadable, hasForwardPointer: forward,
      trailing: trailing)
  }

  static func bad(
    _ comment: String, _ reason: WireError.Reason, at offset: Int, _ counts: [Int] = [0, 0, 0, 0],
    unreadable: Int = 0
  ) -> DNSTrap {
    DNSTrap(
      comment: comment, reason: reason, offset: offset, counts: counts, unreadable: unreadable)
  }

  static let all: [DNSTrap] = [
    .bad("short: empty payload", .shortHeader, at: 0),
    .bad("short: 11 bytes", .shortHeader, at: 11),
    .sound("short: header only, all counts zero", [0, 0, 0, 0]),
    .bad("counts: 65535 of each, nothing behind", .nameUnterminated, at: 12),
    .sound(
      "counts: one answer announced, two present (trailing record)", [0, 1, 0, 0], trailing: 31),
    .bad("counts: three answers announced, one present", .nameUnterminated, at: 43, [0, 1, 0, 0]),
    .bad("pointer: to itself", .pointerLoop, at: 12),
    .bad("pointer: two pointing at each other", .pointerLoop, at: 12),
    .bad("pointer: loop through a label", .pointerLoop, at: 12),
    .sound("pointer: forward to a later, valid name", [2, 0, 0, 0], forward: true),
    .bad("pointer: past the end of the message", .pointerPastEnd, at: 12),
    .bad("pointer: into the header", .pointerIntoHeader, at: 12),
    .bad("pointer: cut after its first byte", .nameUnterminated, at: 12),
    .sound("pointer: chain of 120 backward pointers", [0, 2, 0, 0]),
    .sound("pointer: into the middle of a label", [2, 0, 0, 0]),
    .bad("label: type 01", .labelType, at: 12),
    .bad("label: type 10", .labelType, at: 12),
    .bad("label: longer than the message", .labelPastEnd, at: 12),
    .bad("name: no terminator", .nameUnterminated, at: 22),
    .sound("name: exactly 255 bytes", [1, 0, 0, 0]),
    .bad("name: 256 bytes", .nameTooLong, at: 204),
    .sound("name: 127 one-byte labels (255 bytes)", [1, 0, 0, 0]),
    .bad("name: 128 one-byte labels (257 bytes)", .nameTooLong, at: 266),
    .bad("name: grows past 255 only through a pointer", .nameTooLong, at: 204, [1, 0, 0, 0]),
    .sound("name: root as owner of an A record", [0, 1, 0, 0]),
    .sound("name: dot, backslash, space and NUL inside labels", [0, 1, 0, 0]),
    .sound("name: bytes that are not UTF-8", [0, 1, 0, 0]),
    .sound("name: control characters CR LF ESC", [0, 1, 0, 0]),
    .sound("name: UTF-8, NFC and NFD forms of one word", [0, 2, 0, 0]),
    .sound("name: same name in two cases", [0, 2, 0, 0]),
    .sound("rdata: A of 3 bytes", [0, 2, 0, 0], unreadable: 1),
    .sound("rdata: A of 5 bytes", [0, 2, 0, 0], unreadable: 1),
    .sound("rdata: AAAA of 4 bytes", [0, 2, 0, 0], unreadable: 1),
    .bad("rdata: length past the end", .rdataPastEnd, at: 37),
    .sound("rdata: zero length for A, PTR, SRV, TXT", [0, 5, 0, 0], unreadable: 3),
    .sound("rdata: PTR name ends before rdlength", [0, 2, 0, 0], unreadable: 1),
    .bad("rdata: PTR name runs past rdlength", .rdataOverrun, at: 39, [0, 1, 0, 0], unreadable: 1),
    .sound("rdata: SRV cut after the port", [0, 2, 0, 0], unreadable: 1),
    .sound("rdata: SRV with target root", [0, 1, 0, 0]),
    .sound("txt: one empty string (the legal empty TXT)", [0, 1, 0, 0]),
    .sound("txt: several empty strings", [0, 1, 0, 0]),
    .bad("txt: string runs past rdata", .rdataOverrun, at: 39, [0, 2, 0, 0], unreadable: 1),
    .sound(
      "txt: keys without value, empty value, missing key, duplicate key, binary value",
      [0, 1, 0, 0]),
    .sound("txt: 255-byte string", [0, 1, 0, 0]),
    .sound("txt: 8000 bytes of strings", [0, 1, 0, 0]),
    .sound("nsec: bitmap block 0 length 0", [0, 2, 0, 0]),
    .sound("nsec: bitmap block 0 length 33", [0, 2, 0, 0]),
    .bad(
      "nsec: bitmap length runs past rdata", .rdataOverrun, at: 56, [0, 2, 0, 0], unreadable: 1),
    .sound("nsec: blocks 0 and 1", [0, 1, 0, 0]),
    .sound("nsec: blocks out of order", [0, 1, 0, 0]),
    .sound("nsec: compressed next name", [0, 1, 0, 0]),
    .bad(
      "nsec: next name is a forward pointer, other records fine", .pointerPastEnd, at: 39,
      [0, 2, 0, 0], unreadable: 1),
    .sound("nsec: no bitmap at all", [0, 1, 0, 0]),
    .sound("opt: in the additional section, owner option", [1, 0, 0, 1]),
    .sound("opt: in the answer section", [0, 2, 0, 0]),
    .sound("opt: two of them", [1, 0, 0, 2]),
    .bad("opt: option longer than rdata", .rdataOverrun, at: 44, [1, 0, 0, 1], unreadable: 1),
    .sound("tsig: in the additional section", [1, 0, 0, 1]),
    .sound("type: unknown 65280 with rdata", [0, 2, 0, 0]),
    .sound("type: HINFO, NULL, NAPTR, CAA, HTTPS, LOC, SSHFP", [0, 7, 0, 0]),
    .sound("class: CH, NONE, ANY, 0 with and without the top bit", [0, 5, 0, 0]),
    .sound("question: QU, class ANY, both", [3, 0, 0, 0]),
    .sound("trailing: 7 bytes behind a whole message", [0, 1, 0, 0], trailing: 7),
    .sound("trailing: zero padding to 512", [0, 1, 0, 0], trailing: 469),
    .sound("ttl: 0, 1, 2^31, 2^32-1", [0, 4, 0, 0]),
    .sound("header: opcode 5 (update)", [1, 0, 0, 0]),
    .sound("header: opcode 15 and rcode 15", [0, 1, 0, 0]),
    .sound("header: every flag set", [0, 1, 0, 0]),
    .bad("text: JSON on port 5353", .labelType, at: 12),
    .bad("text: HTTP-like SSDP on port 5353", .labelType, at: 12),
    .bad("noise: 200 random bytes", .labelType, at: 12),
    .bad("noise: NAT-PMP reply", .pointerPastEnd, at: 12),
    .sound("big: 400 records", [0, 400, 0, 0]),
    .sound("big: 79 records that each expand to two 255-byte names", [0, 80, 0, 0]),
  ]
}

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
