import LanCore

/// Names one scheduled timer; stays harmless after it has fired or was cancelled.
public struct TimerToken: Hashable, Sendable {
  let slot: Int32
  let generation: UInt32
}

/// Deadlines with a value each, earliest first; equal ones in the order they came.
///
/// Slots are reused under a new generation, so that an old token never touches a new timer.
struct DeadlineHeap<Value> {
  private struct Slot {
    var generation: UInt32 = 0
    var sequence: UInt64 = 0
    var value: Value?
  }
  private var slots: [Slot] = []
  private var free: [Int32] = []
  private var queue = DeadlineQueue()
  private var nextSequence: UInt64 = 0

  /// How many wait.
  var count: Int { queue.count }
  /// The next deadline, if any.
  var earliest: Int64? { queue.earliest }
  /// Larger than the sequence of everything that waits now.
  var horizon: UInt64 { nextSequence }

  mutating func insert(_ value: Value, at deadline: Int64) -> TimerToken {
    let index = free.popLast() ?? Int32(slots.count)
    if Int(index) == slots.count { slots.append(Slot()) }
    slots[Int(index)].sequence = nextSequence
    slots[Int(index)].value = value
    nextSequence += 1
    queue.set(index, at: deadline)
    return TimerToken(slot: index, generation: slots[Int(index)].generation)
  }

  /// Takes a timer out; nil if it has fired or was removed before.
  @discardableResult mutating func remove(_ token: TimerToken) -> Value? {
    guard token.slot >= 0, Int(token.slot) < slots.count,
      slots[Int(token.slot)].generation == token.generation,
      queue.deadline(of: token.slot) != nil
    else { return nil }
    return removeSlot(token.slot)
  }

  /// Takes out the earliest value that is due and was inserted before `horizon`.
  mutating func popDue(at now: Int64, before horizon: UInt64) -> Value? {
    guard let first = queue.firstDue(at: now), slots[Int(first)].sequence < horizon else {
      return nil
    }
    return removeSlot(first)
  }

  private mutating func removeSlot(_ index: Int32) -> Value? {
    queue.remove(index)
    let value = slots[Int(index)].value
    slots[Int(index)].value = nil
    slots[Int(index)].generation &+= 1
    free.append(index)
    return value
  }
}
