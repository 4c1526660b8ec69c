import LanWire

extension ReachabilityMachine {
  /// Marks one target as to be judged.
  mutating func markOne(_ id: Int, _ cause: ChangeCause, at now: Int64) {
    guard targets[id] != nil else { return }
    if targets[id]?.cause == nil { targets[id]?.cause = cause }
    dirty.insert(id)
    schedule(at: now)
  }

  mutating func mark(_ ids: Set<Int>, _ cause: ChangeCause, at now: Int64) {
    for id in ids { markOne(id, cause, at: now) }
  }

  /// Marks all targets; costs nothing while they are marked already.
  mutating func markAll(_ cause: ChangeCause, at now: Int64) {
    guard !targets.isEmpty else { return }
    schedule(at: now)
    guard !hasMarkedAll else { return }
    hasMarkedAll = true
    for id in targets.keys {
      if targets[id]?.cause == nil { targets[id]?.cause = cause }
      dirty.insert(id)
    }
  }

  /// Marks the targets inside a prefix, once for each prefix between two rounds.
  mutating func markInside(_ prefix: IPPrefix, _ cause: ChangeCause, at now: Int64) {
    let ids = index.inside(prefix)
    guard !ids.isEmpty else { return }
    schedule(at: now)
    guard !hasMarkedAll, markedPrefixes.insert(prefix).inserted else { return }
    for (_, id) in ids { markOne(id, cause, at: now) }
  }

  /// The first mark after a calm is due at once; later ones wait for quiet, but not for ever.
  private mutating func schedule(at now: Int64) {
    let isCalm = lastMark.map { now - $0 >= timing.quiet } ?? true
    lastMark = now
    if let due = roundDue {
      if due > now { roundDue = min(later(now, timing.quiet), later(firstMark, timing.cap)) }
      return
    }
    firstMark = now
    roundDue = isCalm ? now : later(now, timing.quiet)
  }

  mutating func markExpired(at now: Int64) {
    guard let floor = expiryFloor, floor <= now else { return }
    for (id, target) in targets {
      guard let expiry = target.expiry, expiry <= now else { continue }
      targets[id]?.expiry = nil
      markOne(id, .timer, at: now)
      roundDue = now
    }
    expiryFloor = targets.values.lazy.compactMap(\.expiry).min()
  }

  mutating func setExpiry(_ expiry: Int64?, of id: Int) {
    targets[id]?.expiry = expiry
    if let expiry { expiryFloor = min(expiryFloor ?? .max, expiry) }
  }

  /// Looks everything up again, for what the kernel changes without a message.
  mutating func poll(at now: Int64) {
    guard let due = pollDue, due <= now, let distance = timing.poll else { return }
    pollDue = later(now, distance)
    guard !targets.isEmpty else { return }
    for id in targets.keys {
      if targets[id]?.cause == nil { targets[id]?.cause = .poll }
      dirty.insert(id)
    }
    roundDue = now
  }

  mutating func endNotices(at now: Int64) {
    for (notice, end) in noticeEnds where end <= now {
      noticeEnds[notice] = nil
      evaluator.facts.notices.removeAll { $0 == notice }
      mark(index.over(notice.interfaceIndex), .notice, at: now)
    }
  }
}
