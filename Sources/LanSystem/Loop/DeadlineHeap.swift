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
    var position: Int32 = -1
    var deadline: Int64 = 0
    var sequence: UInt64 = 0
    var value: Value?
  }
  private var slots: [Slot] = []
  private var free: [Int32] = []
  private var heap: [Int32] = []
  private var nextSequence: UInt64 = 0

  /// How many wait.
  var count: Int { heap.count }
  /// The next deadline, if any.
  var earliest: Int64? { heap.first.map { slots[Int($0)].deadline } }
  /// Larger than the sequence of everything that waits now.
  var horizon: UInt64 { nextSequence }

  mutating func insert(_ value: Value, at deadline: Int64) -> TimerToken {
    let index = free.popLast() ?? Int32(slots.count)
    if Int(index) == slots.count { slots.append(Slot()) }
    slots[Int(index)].deadline = deadline
    slots[Int(index)].sequence = nextSequence
    slots[Int(index)].value = value
    nextSequence += 1
    heap.append(index)
    place(index, at: heap.count - 1)
    siftUp(heap.count - 1)
    return TimerToken(slot: index, generation: slots[Int(index)].generation)
  }

  /// Takes a timer out; nil if it has fired or was removed before.
  @discardableResult mutating func remove(_ token: TimerToken) -> Value? {
    guard token.slot >= 0, Int(token.slot) < slots.count else { return nil }
    let slot = slots[Int(token.slot)]
    guard slot.generation == token.generation, slot.position >= 0 else { return nil }
    return removeSlot(at: Int(slot.position))
  }

  /// Takes out the earliest value that is due and was inserted before `horizon`.
  mutating func popDue(at now: Int64, before horizon: UInt64) -> Value? {
    guard let first = heap.first, slots[Int(first)].deadline <= now,
      slots[Int(first)].sequence < horizon
    else { return nil }
    return removeSlot(at: 0)
  }

  private mutating func removeSlot(at position: Int) -> Value? {
    let index = heap[position]
    let last = heap.removeLast()
    if position < heap.count {
      heap[position] = last
      place(last, at: position)
      siftDown(position)
      siftUp(position)
    }
    let value = slots[Int(index)].value
    slots[Int(index)].value = nil
    slots[Int(index)].position = -1
    slots[Int(index)].generation &+= 1
    free.append(index)
    return value
  }

  private mutating func place(_ index: Int32, at position: Int) {
    heap[position] = index
    slots[Int(index)].position = Int32(position)
  }

  private func isEarlier(_ left: Int, _ right: Int) -> Bool {
    let a = slots[Int(heap[left])]
    let b = slots[Int(heap[right])]
    return a.deadline != b.deadline ? a.deadline < b.deadline : a.sequence < b.sequence
  }

  private mutating func exchange(_ left: Int, _ right: Int) {
    let index = heap[left]
    place(heap[right], at: left)
    place(index, at: right)
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0, isEarlier(child, (child - 1) / 2) {
      exchange(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && isEarlier(child, first) { first = child }
      if first == parent { return }
      exchange(parent, first)
      parent = first
    }
  }
}
