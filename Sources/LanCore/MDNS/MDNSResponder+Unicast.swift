import LanWire

/// Packets to one asker.
extension MDNSResponder {
  /// Sends a reply: what of it stands still, and what that brings along.
  mutating func sendReply(_ reply: MDNSReply, _ z: Int, _ now: Int64) {
    let sets = reply.sets.compactMap { reference in
      zones[z].holds(reference) && zones[z].sets[reference.id].standing > 0 ? reference.id : nil
    }
    let style = reply.style
    var start = 0
    while start < sets.count {
      writer.limit = payload(z, isIPv6: reply.destination.address.isIPv6)
      var end = writeAnswers(sets, from: start, z, style)
      if end == start {
        writer.limit = Self.largest
        end = writeAnswers(Array(sets[...start]), from: start, z, style)
      }
      guard end > start else {
        start += 1
        continue
      }
      if style.isLegacy { writer.limit = max(MDNSPacketStyle.legacyOctets, writer.count) }
      _ = writeAdditionals(sets[start..<end], z, style, notSince: .max)
      output.packets.append(
        MDNSPacket(
          bytes: writer.finish(), interfaceIndex: zones[z].index, to: reply.destination))
      for set in sets[start..<end] { zones[z].sets[set].isTold = true }
      // A conventional resolver takes one answer.
      if style.isLegacy { return }
      start = end
    }
  }
}
