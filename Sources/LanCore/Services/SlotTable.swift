/// Values under small numbers that are used again.
struct SlotTable<Value: Sendable>: Sendable {
  private var slots: [Value?] = []
  private var serials: [UInt32] = []
  private var free: [Int32] = []

  /// How many values there are.
  var count: Int { slots.count - free.count }

  /// Puts in a value; gives its number.
  mutating func insert(_ value: Value) -> Int32 {
    if let id = free.popLast() {
      slots[Int(id)] = value
      return id
    }
    slots.append(value)
    serials.append(0)
    return Int32(truncatingIfNeeded: slots.count - 1)
  }

  /// Takes out a value; its number will be used again, under another serial.
  @discardableResult
  mutating func remove(_ id: Int32) -> Value? {
    guard let value = slots[Int(id)] else { return nil }
    slots[Int(id)] = nil
    serials[Int(id)] &+= 1
    free.append(id)
    return value
  }

  /// The value under a number that was given out.
  subscript(_ id: Int32) -> Value? {
    get { slots[Int(id)] }
    _modify { yield &slots[Int(id)] }
  }

  /// A reference that outlives the value.
  func reference(_ id: Int32) -> SlotReference { SlotReference(id: id, serial: serials[Int(id)]) }

  /// True if the reference means what is there now.
  func holds(_ reference: SlotReference) -> Bool {
    serials[Int(reference.id)] == reference.serial && slots[Int(reference.id)] != nil
  }

  /// All values with their numbers.
  var live: some Sequence<(Int32, Value)> {
    slots.indices.lazy.compactMap { [slots] index in
      slots[index].map { (Int32(truncatingIfNeeded: index), $0) }
    }
  }
}

/// A number of a `SlotTable` and which of its uses is meant.
struct SlotReference: Hashable, Sendable {
  var id: Int32
  var serial: UInt32
}
