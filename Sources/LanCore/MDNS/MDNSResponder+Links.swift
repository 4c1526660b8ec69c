import LanWire

/// Links that come, change and go.
extension MDNSResponder {
  /// A link is used, or its addresses are different.
  ///
  /// On a new link, and on one that has none of its addresses any more, all names are probed for;
  /// where addresses were added or removed, they are announced. All addresses of `prefixes` are
  /// published, whatever `families` says.
  public mutating func setLink(_ link: MDNSLink, at now: Int64) {
    clock = max(clock, now)
    guard !link.families.isEmpty else { return removeLink(link.index, at: now) }
    guard let z = zone(of: link.index) else {
      zones.append(MDNSZone(link))
      let new = zones.count - 1
      for (id, publication) in publications.sorted(by: { $0.key < $1.key })
      where publication.covers(link.index) {
        place(id, new, now)
      }
      return
    }
    let old = zones[z].state.link
    zones[z].state.link = link
    let isMoved =
      !old.prefixes.isEmpty && !old.prefixes.contains { link.prefixes.contains($0) }
    if isMoved { restart(z, now) }
    for claim in zones[z].hosts.values.sorted() { refreshAddresses(claim, z, now) }
    if !isMoved, !link.families.isSubset(of: old.families) { announceAll(z, now) }
    finish(now)
  }

  /// A link is used no more.
  public mutating func removeLink(_ index: UInt32, at now: Int64) {
    clock = max(clock, now)
    guard let z = zone(of: index) else { return }
    zones.remove(at: z)
    replies.removeAll { $0.interfaceIndex == index }
    held.removeAll { $0.interfaceIndex == index }
  }

  /// Probes for all names of a link anew.
  private mutating func restart(_ z: Int, _ now: Int64) {
    for claim in zones[z].hosts.values.sorted() + zones[z].services.values.sorted() {
      begin(claim, z, now)
    }
  }

  /// Announces all that stands on a link.
  private mutating func announceAll(_ z: Int, _ now: Int64) {
    for claim in zones[z].services.values.sorted() + zones[z].hosts.values.sorted()
    where zones[z].claims[claim].isStanding {
      let one = zones[z].claims[claim]
      for set in one.dependents + one.sets where zones[z].sets[set].type != .nsec {
        announce(set, z, at: now)
      }
    }
  }
}
