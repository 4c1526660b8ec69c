/// Compares the program's events for one capture with the facts about it.
///
/// Each difference is one line: frame, field, what the facts say, what the program said.
struct GoldenComparison {
  let golden: Golden
  let events: [JSON]
  private(set) var differences: [String] = []

  init(_ golden: Golden, _ events: [JSON]) {
    self.golden = golden
    self.events = events
    compareFrames()
    for message in events.messages {
      guard let frame = message["frame"]?.integer, let packet = golden.packets[frame] else {
        continue
      }
      var comparison = PacketComparison(frame: frame, packet: packet, message: message)
      comparison.run(isCut: golden.name.contains("snaplen"))
      differences += comparison.differences
    }
  }

  private mutating func compareFrames() {
    let total = events.last?["frames"]?.integer
    if total != golden.facts["frames"]?.integer {
      differences.append("summary frames: \(golden.facts["frames"] ?? .null) | \(total ?? -1)")
    }
    let ours = Set(events.messages.compactMap { $0["frame"]?.integer })
    // A datagram without a byte is listed by its comment alone: told or not, both are right.
    let certain = Set(golden.packets.filter { $0.value["proto"] != nil }.keys)
    for frame in certain.subtracting(ours).sorted() {
      differences.append("frame \(frame): a message is missing")
    }
    // The reference does not look into datagrams whose headers are no good, or that are empty.
    let bad = Set((golden.facts["malformed_frames"]?.list ?? []).compactMap(\.integer))
    for message in events.messages {
      guard let frame = message["frame"]?.integer, golden.packets[frame] == nil else { continue }
      let isNothing = message["length"]?.integer == 0 || bad.contains(frame)
      if message.event == "malformed", isNothing { continue }
      differences.append("frame \(frame): a message that is not there")
    }
    if ours.count != events.messages.count { differences.append("a frame has two messages") }
  }
}

/// Compares one message with the facts about its packet.
struct PacketComparison {
  let frame: Int
  let packet: JSON
  let message: JSON
  private(set) var differences: [String] = []

  init(frame: Int, packet: JSON, message: JSON) {
    self.frame = frame
    self.packet = packet
    self.message = message
  }

  private var isMalformed: Bool { packet["malformed"]?.bool == true }
  /// The second decoder's complaint, where it has one.
  private var complaint: String? { packet["own"]?["error"]?.text }

  mutating func run(isCut: Bool) {
    guard packet["proto"] != nil else { return }
    compareEvent()
    compareAddressing()
    if !isCut, !isMalformed { expect("length", packet["len"]?.integer, message["length"]?.integer) }
    guard (packet["len"]?.integer ?? 0) >= 12 else { return }
    compareHeader()
    compareSections()
  }

  private mutating func compareEvent() {
    if message.event == "malformed" {
      if message["reason"]?.text?.isEmpty != false { note("reason", "a text", "none") }
      if message["offset"]?.integer == nil { note("offset", "a number", "none") }
    }
    if isMalformed {
      expect("event", "malformed", message.event)
    } else if complaint == nil {
      expect("event", "message", message.event)
    }
  }

  private mutating func compareAddressing() {
    expect("protocol", packet["proto"]?.text, message["protocol"]?.text)
    expect("source", packet["src"]?.text, message["source"]?.text.map(withoutZone))
    expect("destination", packet["dst"]?.text, message["destination"]?.text.map(withoutZone))
    expect("sourcePort", packet["sport"]?.integer, message["sourcePort"]?.integer)
    expect("destinationPort", packet["dport"]?.integer, message["destinationPort"]?.integer)
    expect("hopLimit", packet["ip_ttl"]?.integer, message["hopLimit"]?.integer)
    compareTags()
    compareTime()
    // Inside a tunnel the reference tells one of several pairs, so only plain frames count.
    guard packet["tunnel"] == nil else { return }
    if let source = packet["eth_src"]?.text {
      expect("sourceMac", source, message["sourceMac"]?.text)
    }
    if let destination = packet["eth_dst"]?.text {
      expect("destinationMac", destination, message["destinationMac"]?.text ?? destination)
    }
  }

  /// The reference keeps the tags of IEEE 802.1ad, which stand outside, under another name.
  private mutating func compareTags() {
    let theirs = (packet["vlan"]?.list ?? []).compactMap(\.integer)
    let ours = (message["vlan"]?.list ?? []).compactMap(\.integer)
    if Array(ours.suffix(theirs.count)) != theirs { note("vlan", theirs, ours) }
    if theirs.isEmpty, !ours.isEmpty { note("vlan", theirs, ours) }
  }

  private mutating func compareTime() {
    // The reference shows 0 for a packet block without a time.
    guard let theirs = packet["ts"]?.text, message["time"] != nil || theirs != "0.000000000" else {
      return
    }
    expect("time", carried(theirs), message["time"]?.text.flatMap(epochSeconds))
  }

  private mutating func compareHeader() {
    expect("id", packet["id"]?.integer, message["id"]?.integer)
    expect("opcode", packet["opcode"]?.integer, message["opcode"]?.integer)
    expect("rcode", packet["rcode"]?.integer, message["rcode"]?.integer)
    let authoritative = packet["proto"]?.text == "llmnr" ? "conflict" : "authoritative"
    expect(authoritative, packet["aa"]?.integer == 1, message[authoritative]?.bool ?? false)
    expect("truncated", packet["tc"]?.integer == 1, message["truncated"]?.bool ?? false)
    let responses = ["response", "announcement", "goodbye"]
    let kind = message["kind"]?.text ?? "none"
    if responses.contains(kind) != (packet["qr"]?.integer == 1) {
      note("kind", packet["qr"]?.integer == 1 ? "a response" : "a query", kind)
    }
  }

  private mutating func compareSections() {
    // The reference decodes a name that breaks a rule its own way, so nothing is known then.
    if complaint != nil, message.event == "malformed", !isMalformed { return }
    let sections = [
      ("q", "questions"), ("an", "answers"), ("ns", "authorities"), ("ar", "additionals"),
    ]
    // An update's counts have other names in the reference, which then lists nothing.
    guard packet["opcode"]?.integer != 5 else { return }
    for (index, section) in sections.enumerated() {
      let theirs = known(packet[section.0]?.list ?? [], section: index)
      let ours = message[section.1]?.list ?? []
      if isMalformed ? ours.count < theirs.count : ours.count != theirs.count {
        note("\(section.1) count", theirs.count, ours.count)
      }
      for (number, pair) in zip(theirs, ours).enumerated() {
        let field = "\(section.1)[\(number)]"
        if index == 0 {
          compareQuestion(field, pair.0, pair.1)
        } else {
          compareRecord(field, pair.0, pair.1)
        }
      }
    }
  }

  /// What of the reference's list is sure: behind a bad record it may have read on at a wrong place.
  private func known(_ list: [JSON], section: Int) -> [JSON] {
    guard complaint != nil, isMalformed, let decoded = packet["own"]?["decoded"]?.list,
      section < decoded.count
    else { return list }
    return Array(list.prefix(decoded[section].integer ?? 0))
  }

  private mutating func compareQuestion(_ field: String, _ theirs: JSON, _ ours: JSON) {
    compareOwner(field, theirs, ours)
    if let bit = theirs["qu"]?.integer {
      expect(field + ".unicastResponse", bit == 1, ours["unicastResponse"]?.bool ?? false)
    }
  }

  private mutating func compareOwner(_ field: String, _ theirs: JSON, _ ours: JSON) {
    if let name = theirs["name"]?.text, !isPlaceholder(name) {
      expect(field + ".name", name, ours["name"]?.text.map(dissectorName(fromPresentation:)))
    }
    let type = ours["type"]?.text.flatMap(Mnemonics.type)
    expect(field + ".type", theirs["type"]?.integer, type)
    if let value = theirs["class"]?.integer {
      expect(field + ".class", value, ours["class"]?.text.flatMap(Mnemonics.class))
    }
  }

  private mutating func compareRecord(_ field: String, _ theirs: JSON, _ ours: JSON) {
    compareOwner(field, theirs, ours)
    if let ttl = theirs["ttl"]?.integer {
      expect(field + ".ttlSeconds", ttl, ours["ttlSeconds"]?.integer)
    }
    if let bit = theirs["cf"]?.integer {
      expect(field + ".cacheFlush", bit == 1, ours["cacheFlush"]?.bool ?? false)
    }
    // Record data that breaks its type's rule is hexadecimal here and a guess there.
    guard let data = ours["data"], data["hex"] == nil else { return }
    for (key, member) in [("a", "address"), ("aaaa", "address")] {
      if let value = theirs[key]?.text { expect(field + ".address", value, data[member]?.text) }
    }
    for (key, member) in [
      ("ptr", "name"), ("cname", "name"), ("target", "target"), ("next", "next"),
    ] {
      guard let value = theirs[key]?.text, !isPlaceholder(value) else { continue }
      expect("\(field).\(member)", value, data[member]?.text.map(dissectorName(fromPresentation:)))
    }
    if let value = theirs["port"]?.integer { expect(field + ".port", value, data["port"]?.integer) }
    if let value = theirs["udp_size"]?.integer {
      expect(field + ".udpPayloadSize", value, data["udpPayloadSize"]?.integer)
    }
    compareText(field, theirs, data)
  }

  private mutating func compareText(_ field: String, _ theirs: JSON, _ data: JSON) {
    let strings = (theirs["txt"]?.list ?? []).compactMap(\.text)
    // The reference escapes and cuts what is no printable text.
    guard !strings.isEmpty,
      !strings.contains(where: { $0.contains("\\") || $0.contains("\u{FFFD}") })
    else { return }
    for string in strings where !string.isEmpty && !string.hasPrefix("=") {
      let parts = string.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let key = String(parts[0])
      let same = strings.filter {
        $0.lowercased().split(separator: "=").first ?? "" == key.lowercased()
      }
      guard same.count == 1, let ours = data["txt"]?[key], ours["base64"] == nil else { continue }
      let value: JSON = parts.count == 1 ? .bool(true) : .text(String(parts[1]))
      expect("\(field).txt.\(key)", value, ours)
    }
    let keys = Set(
      strings.filter { !$0.isEmpty && !$0.hasPrefix("=") }.map {
        $0.split(separator: "=", omittingEmptySubsequences: false)[0].lowercased()
      })
    expect(field + ".txt keys", keys.count, data["txt"]?.members.count ?? 0)
  }

  private func isPlaceholder(_ name: String) -> Bool {
    name.hasPrefix("<") && name != "<Root>"
  }

  private mutating func expect<Value: Equatable>(_ field: String, _ theirs: Value?, _ ours: Value?)
  {
    guard theirs != ours else { return }
    note(field, theirs.map { "\($0)" } ?? "none", ours.map { "\($0)" } ?? "none")
  }

  private mutating func note(_ field: String, _ theirs: Any, _ ours: Any) {
    differences.append("frame \(frame) \(field): \(theirs) | \(ours)")
  }
}

private func withoutZone(_ address: String) -> String {
  String(address.prefix { $0 != "%" })
}
