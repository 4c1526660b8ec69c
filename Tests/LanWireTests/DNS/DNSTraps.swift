import LanWire

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
