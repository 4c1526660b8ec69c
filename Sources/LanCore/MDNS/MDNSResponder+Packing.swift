import LanWire

/// Records into packets.
extension MDNSResponder {
  static let responseFlags = DNSHeader.responseFlag | DNSHeader.authoritativeFlag
  /// Octets of a message that is larger than a frame: 9,000 with the headers of IPv6 and UDP
  /// (RFC 6762 section 17).
  static let largest = DNSLimits.multicastMessageOctets - 48

  /// Octets of a message that a link carries in one frame over each version of IP in use.
  func payload(_ z: Int) -> Int {
    payload(z, isIPv6: zones[z].state.link.families.contains(.ipv6))
  }

  /// Octets of a message that a link carries in one frame over a version of IP.
  func payload(_ z: Int, isIPv6: Bool) -> Int {
    min(max(zones[z].state.link.mtu, 560), DNSLimits.multicastMessageOctets) - (isIPv6 ? 48 : 28)
  }

  /// Ends a packet and sends it to the groups.
  mutating func finishMulticast(_ z: Int, _ now: Int64) {
    let link = zones[z].state.link
    let bytes = writer.finish()
    zones[z].state.remember(bytes, at: now)
    output.packets.append(
      MDNSPacket(bytes: bytes, interfaceIndex: link.index, families: link.families))
  }

  // MARK: Probes

  /// Sends probes for names: the questions, and all records that are proposed (RFC 6762 sections
  /// 8.1 and 8.2); as many names in a packet as fit.
  mutating func sendProbes(_ numbers: [Int32], _ z: Int, _ now: Int64) {
    var start = 0
    while start < numbers.count {
      var end = probesThatFit(numbers, from: start, z)
      // A single name gets a larger packet where it must.
      while end > start + 1, !writeProbe(numbers[start..<end], z, limit: payload(z)) {
        end = start + (end - start) / 2
      }
      if end == start + 1, !writeProbe(numbers[start..<end], z, limit: payload(z)) {
        _ = writeProbe(numbers[start..<end], z, limit: Self.largest)
      }
      finishMulticast(z, now)
      start = end
    }
  }

  /// Behind the last name that fits for certain: each is written once, at most.
  private func probesThatFit(_ numbers: [Int32], from start: Int, _ z: Int) -> Int {
    var room = payload(z) - DNSLimits.headerOctets
    var end = start
    while end < numbers.count {
      let claim = zones[z].claims[numbers[end]]
      room -= zones[z].owners[claim.owner].name.wire.count + 4
      // The owner's name is a pointer from its second time on.
      for set in claim.sets { for bytes in zones[z].sets[set].bytes { room -= 12 + bytes.count } }
      guard room >= 0 else { break }
      end += 1
    }
    return max(end, start + 1)
  }

  private mutating func writeProbe(
    _ numbers: ArraySlice<Int32>, _ z: Int, limit: Int
  ) -> Bool {
    writer.compression = .multicast
    writer.limit = limit
    writer.begin()
    for number in numbers {
      let question = DNSQuestion(
        name: zones[z].owners[zones[z].claims[number].owner].name, type: .any,
        wantsUnicastResponse: configuration.mayAskForUnicast)
      guard (try? writer.add(question)) ?? false else { return false }
    }
    for number in numbers {
      let claim = zones[z].claims[number]
      for set in claim.sets {
        for data in zones[z].sets[set].data {
          let record = DNSRecord(
            name: zones[z].owners[claim.owner].name, ttl: zones[z].sets[set].ttl, data: data)
          guard (try? writer.add(record, to: .authority)) ?? false else { return false }
        }
      }
    }
    return true
  }

  // MARK: Responses

  /// Multicasts sets as answers, with what they bring along; as many in a packet as fit.
  mutating func sendResponse(_ sets: [Int32], _ z: Int, _ now: Int64) {
    var start = 0
    while start < sets.count {
      writer.limit = payload(z)
      let end = writeAnswers(sets, from: start, z, .multicast)
      guard end > start else {
        sendLarge(sets[start], z, now)
        start += 1
        continue
      }
      let additionals = writeAdditionals(
        sets[start..<end], z, .multicast, notSince: now - Self.second)
      finishMulticast(z, now)
      for set in sets[start..<end] { noteMulticast(set, z, now) }
      for set in additionals { noteMulticast(set, z, now) }
      start = end
    }
  }

  /// Begins a response and writes whole sets from `start` on; gives the first that did not fit.
  mutating func writeAnswers(
    _ sets: [Int32], from start: Int, _ z: Int, _ style: MDNSPacketStyle
  ) -> Int {
    beginResponse(style)
    var end = start
    while end < sets.count, writeSet(sets[end], z, style, .answer) { end += 1 }
    guard end < sets.count, end > start else { return end }
    // A part of the last one may stand there: once more without it.
    beginResponse(style)
    for set in sets[start..<end] { _ = writeSet(set, z, style, .answer) }
    return end
  }

  private mutating func beginResponse(_ style: MDNSPacketStyle) {
    packetSerial &+= 1
    writer.compression = style.isLegacy ? .unicast : .multicast
    writer.begin(DNSHeader(id: style.id, flags: Self.responseFlags))
    for question in style.questions { _ = try? writer.add(question) }
  }

  /// Writes a set, unless it stands in the packet already; false when it does not fit whole.
  private mutating func writeSet(
    _ set: Int32, _ z: Int, _ style: MDNSPacketStyle, _ section: DNSSection
  ) -> Bool {
    if zones[z].sets[set].packet == packetSerial { return true }
    let one = zones[z].sets[set]
    let name = zones[z].owners[one.owner].name
    // Conventional resolvers expect no NSEC among answers.
    let section = style.isLegacy && one.type == .nsec ? .additional : section
    for data in one.data {
      let record = DNSRecord(
        name: name, cacheFlush: one.isUnique && !style.isLegacy,
        ttl: style.isLegacy ? min(one.ttl, MDNSPacketStyle.legacyTTL) : one.ttl, data: data)
      guard (try? writer.add(record, to: section)) ?? false else { return false }
    }
    zones[z].sets[set].packet = packetSerial
    return true
  }

  /// Sends a set that is larger than a frame: each record in a packet of its own.
  private mutating func sendLarge(_ set: Int32, _ z: Int, _ now: Int64) {
    let one = zones[z].sets[set]
    writer.limit = Self.largest
    for data in one.data {
      writer.begin(DNSHeader(flags: Self.responseFlags))
      let record = DNSRecord(
        name: zones[z].owners[one.owner].name, cacheFlush: one.isUnique, ttl: one.ttl, data: data)
      guard (try? writer.add(record, to: .answer)) ?? false else { continue }
      finishMulticast(z, now)
    }
    noteMulticast(set, z, now)
  }

  private mutating func noteMulticast(_ set: Int32, _ z: Int, _ now: Int64) {
    zones[z].sets[set].multicast = now
    zones[z].sets[set].isTold = true
  }

  // MARK: Additional records

  /// Adds what answers bring along (RFC 6762 section 6.2, RFC 6763 section 12), as far as it fits;
  /// gives the sets that were added.
  ///
  /// Sets that were multicast after `notSince` are left out.
  mutating func writeAdditionals(
    _ sets: ArraySlice<Int32>, _ z: Int, _ style: MDNSPacketStyle, notSince: Int64
  ) -> [Int32] {
    var added: [Int32] = []
    var queue = Array(sets)
    var position = 0
    while position < queue.count {
      for set in companions(queue[position], z) {
        let one = zones[z].sets[set]
        guard one.standing > 0, one.packet != packetSerial, one.multicast <= notSince else {
          continue
        }
        guard writer.count + size(set, z) <= writer.limit else { continue }
        guard writeSet(set, z, style, .additional) else { return added }
        added.append(set)
        queue.append(set)
      }
      position += 1
    }
    return added
  }

  /// Octets that a set takes at most.
  private func size(_ set: Int32, _ z: Int) -> Int {
    let one = zones[z].sets[set]
    let name = zones[z].owners[one.owner].name.wire.count
    return one.bytes.reduce(0) { $0 + name + 10 + $1.count }
  }

  /// What a set brings along: SRV and TXT of what it points to, the addresses of a target, the other
  /// family or what says that there is none.
  private func companions(_ set: Int32, _ z: Int) -> [Int32] {
    let one = zones[z].sets[set]
    switch one.data.first {
    case .ptr(let name):
      let owner = zones[z].owner(name)
      guard owner >= 0, zones[z].owners[owner].claim >= 0 else { return [] }
      return [.srv, .txt].map { zones[z].set(owner, $0) }.filter { $0 >= 0 }
        + addresses(owner, z)
    case .srv(_, _, _, let host): return addresses(zones[z].owner(host), z)
    case .a, .aaaa: return addresses(one.owner, z)
    default: return []
    }
  }

  /// The address sets of a name, and what says that a family has none.
  private func addresses(_ owner: Int32, _ z: Int) -> [Int32] {
    let found = [DNSRecordType.a, .aaaa].map { zones[z].set(owner, $0) }.filter { $0 >= 0 }
    guard found.count == 1 else { return found }
    return found + [zones[z].set(owner, .nsec)].filter { $0 >= 0 }
  }
}
