import LanWire

/// Questions and known answers into packets.
extension MDNSQuerier {
  /// Octets of a UDP payload that a link carries over both versions of IP in one frame.
  static func payload(_ mtu: Int) -> Int {
    min(max(mtu, 560), DNSLimits.multicastMessageOctets) - 48
  }

  /// Sends what is to be asked on a link: as many questions in a packet as fit, and behind them
  /// what we know already (RFC 6762 sections 5.3 and 7.1).
  mutating func ask(_ position: Int, _ now: Int64) {
    let asks = links[position].asks
    links[position].asks = []
    for ask in asks { cache.setAsked(false, ask.set) }
    writer.limit = Self.payload(links[position].link.mtu)
    var next = 0
    while next < asks.count {
      writer.begin()
      let first = next
      while next < asks.count, add(asks[next], position, now) { next += 1 }
      // A question always fits into an empty packet; should it not, it is left out.
      if next == first {
        next += 1
        continue
      }
      for ask in asks[first..<next] { addKnown(ask.set, position, now) }
      send(position, hasQuestions: writer.header.questionCount > 0, now)
    }
    for ask in asks { noteAsked(ask.set, now) }
  }

  private mutating func add(
    _ ask: (set: Int32, wantsUnicast: Bool), _ position: Int, _ now: Int64
  ) -> Bool {
    let question = question(of: ask.set)
    let isAdded = try? writer.add(
      DNSQuestion(
        name: question.name, type: question.type, wantsUnicastResponse: ask.wantsUnicast))
    guard isAdded ?? false else { return false }
    if ask.wantsUnicast { links[position].askedUnicast = now }
    return true
  }

  /// Adds the known answers of a set: shared records with more than half of their time left.
  ///
  /// What does not fit goes into packets without question, and all but the last say that more
  /// comes (RFC 6762 section 7.2).
  private mutating func addKnown(_ set: Int32, _ position: Int, _ now: Int64) {
    let (name, type) = (cache.sets[set].name, cache.sets[set].type)
    var part = type == .any ? cache.names[name].firstSet : set
    while part >= 0 {
      var id = cache.sets[part].oldest
      while id >= 0 {
        if cache.records[id].isKnown(at: now) { addKnown(record: id, position, now) }
        id = cache.records[id].newer
      }
      part = type == .any ? cache.sets[part].sibling : -1
    }
  }

  private mutating func addKnown(record id: Int32, _ position: Int, _ now: Int64) {
    let record = cache.records[id]
    let set = cache.sets[record.set]
    let known = DNSRecord(
      name: cache.names[set.name].name,
      ttl: UInt32(clamping: (record.expires - now) / 1_000_000_000),
      data: DNSRecordData(set.type, uncompressed: record.bytes))
    guard let fits = try? writer.add(known, to: .answer), !fits else { return }
    writer.flags = DNSHeader.truncatedFlag
    send(position, hasQuestions: writer.header.questionCount > 0, now)
    writer.begin()
    _ = try? writer.add(known, to: .answer)
  }

  private mutating func send(_ position: Int, hasQuestions: Bool, _ now: Int64) {
    let link = links[position].link
    let bytes = writer.finish()
    if hasQuestions { links[position].remember(bytes, at: now) }
    output.packets.append(
      MDNSPacket(bytes: bytes, interfaceIndex: link.index, families: link.families))
  }
}
