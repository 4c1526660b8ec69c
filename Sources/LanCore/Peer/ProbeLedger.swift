/// The probes that were issued and what became of each; whatever happens,
/// sent = received + lost + in flight.
///
/// A stream answers in its order: an answer belongs to the oldest probe that was sent, also where that
/// was given up, or it would be taken for the next one's.
package struct ProbeLedger: Hashable, Sendable {
  private enum State: UInt8 { case waiting, settled, skipped }

  private struct Entry: Hashable {
    var number = 0
    /// When it was issued: its time limit counts from here.
    var issued: Int64 = 0
    /// When its round trip began.
    var begun: Int64 = 0
    var state = State.waiting
  }

  /// An answer.
  package struct Answer: Hashable, Sendable {
    /// Which probe it is for.
    package var number: Int
    /// How long it took.
    package var elapsed: Int64
    /// The probe had been given up.
    package var isLate: Bool
  }

  /// The most that are remembered, given up or not.
  package static let capacity = 65_536

  /// Probes issued.
  package private(set) var sent = 0
  /// Probes answered well and in time.
  package private(set) var received = 0
  /// Probes given up, or answered with other bytes.
  package private(set) var lost = 0
  /// Probes that are neither.
  package var inFlight: Int { sent - received - lost }

  private let wait: Int64
  /// A ring whose room is a power of two; places count up for ever and are masked.
  private var ring = [Entry](repeating: Entry(), count: 16)
  private var head = 0
  private var unsent = 0
  private var expiry = 0
  private var tail = 0

  /// Nothing sent; a probe is given up after `wait`.
  package init(wait: Int64) { self.wait = wait }

  /// True if no more can be remembered.
  package var isFull: Bool { tail - head >= Self.capacity }
  /// True if a probe waits to be sent.
  package var hasUnsent: Bool { nextUnsent != nil }
  /// When the first probe is to be given up; nil for never.
  package var nextExpiry: Int64? {
    var place = max(expiry, head)
    while place < tail, self[place].state != .waiting { place += 1 }
    return place < tail ? ProbeTime.after(self[place].issued, wait) : nil
  }

  private subscript(place: Int) -> Entry {
    get { ring[place & (ring.count - 1)] }
    set { ring[place & (ring.count - 1)] = newValue }
  }

  // MARK: Issuing and sending

  /// Adds a probe whose time counts from `time`; gives its number, from 1.
  package mutating func issue(at time: Int64) -> Int {
    if tail - head == ring.count { grow() }
    sent += 1
    self[tail] = Entry(number: sent, issued: time, begun: time)
    tail += 1
    return sent
  }

  private mutating func grow() {
    var larger = [Entry](repeating: Entry(), count: ring.count * 2)
    for place in head..<tail { larger[place & (larger.count - 1)] = self[place] }
    ring = larger
  }

  /// The next probe to be sent; nil if none waits.
  package var nextUnsent: Int? {
    unsent < tail ? self[unsent].number : nil
  }

  /// What `nextUnsent` named is about to be sent.
  ///
  /// - Parameter time: When its round trip begins; nil for when it was issued.
  package mutating func sending(at time: Int64?) {
    guard unsent < tail else { return }
    if let time { self[unsent].begun = time }
    unsent += 1
    dropUnsent()
  }

  /// Leaves out those that were given up before they were sent: no answer will come for them.
  private mutating func dropUnsent() {
    while unsent < tail, self[unsent].state != .waiting {
      self[unsent].state = .skipped
      unsent += 1
    }
    dropSkipped()
  }

  // MARK: Settling

  /// The probe that the next byte of the peer belongs to; nil if none was sent.
  package var nextAnswer: Int? {
    head < unsent ? self[head].number : nil
  }

  /// The oldest probe that was sent has its answer.
  ///
  /// - Parameters:
  ///   - now: When the last of it came.
  ///   - isIntact: False counts it as lost.
  /// - Returns: Nil if no probe was sent.
  package mutating func answer(at now: Int64, isIntact: Bool = true) -> Answer? {
    guard head < unsent else { return nil }
    let entry = self[head]
    let isLate = entry.state != .waiting
    if !isLate { if isIntact { received += 1 } else { lost += 1 } }
    head += 1
    dropSkipped()
    let elapsed = ProbeTime.from(entry.begun, to: now)
    return Answer(number: entry.number, elapsed: elapsed, isLate: isLate)
  }

  /// Settles the probe `number` alone, which was sent; the order does not matter then.
  ///
  /// - Returns: False if it had been given up.
  package mutating func settle(_ number: Int, isReceived: Bool) -> Bool {
    for place in head..<tail where self[place].number == number {
      let isWaiting = self[place].state == .waiting
      self[place].state = .skipped
      dropSkipped()
      guard isWaiting else { return false }
      if isReceived { received += 1 } else { lost += 1 }
      return true
    }
    return false
  }

  /// Gives one probe up whose time has passed; nil when there are none left.
  package mutating func expire(at now: Int64) -> Int? {
    expiry = max(expiry, head)
    while expiry < tail {
      let entry = self[expiry]
      guard entry.state == .waiting else {
        expiry += 1
        continue
      }
      guard ProbeTime.after(entry.issued, wait) <= now else { return nil }
      self[expiry].state = .settled
      expiry += 1
      lost += 1
      dropUnsent()
      return entry.number
    }
    return nil
  }

  /// Gives one probe up that was sent over a connection that is gone; nil when there are none left.
  package mutating func loseSent() -> Int? {
    while head < unsent {
      let entry = self[head]
      head += 1
      guard entry.state == .waiting else { continue }
      lost += 1
      return entry.number
    }
    dropSkipped()
    return nil
  }

  /// Gives one probe up that was not sent; nil when there are none left.
  package mutating func loseUnsent() -> Int? {
    guard unsent < tail else { return nil }
    let number = self[unsent].number
    self[unsent].state = .settled
    lost += 1
    dropUnsent()
    return number
  }

  /// Forgets what was skipped and is the oldest.
  private mutating func dropSkipped() {
    while head < unsent, self[head].state == .skipped { head += 1 }
  }
}
