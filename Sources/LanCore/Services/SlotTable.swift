/// Values under small numbers that are used again, each use with a serial of its own.
struct SlotTable<Value: Sendable>: Sendable {
  private var slots = MDNSPool<Value?>()
  private var serials: [UInt32] = []

  /// How many values there are.
  var count: Int { slots.count }

  /// Puts in a value; gives its number.
  mutating func insert(_ value: Value) -> Int32 {
    let id = slots.insert(value)
    if Int(id) == serials.count { serials.append(0) }
    return id
  }

  /// Takes out a value; its number will be used again, under another serial.
  @discardableResult
  mutating func remove(_ id: Int32) -> Value? {
    guard let value = slots[id] else { return nil }
    slots.remove(id, leaving: nil)
    serials[Int(id)] &+= 1
    return value
  }

  /// The value under a number that was given out.
  subscript(_ id: Int32) -> Value? {
    get { slots[id] }
    _modify { yield &slots[id] }
  }

  /// A reference that outlives the value.
  func reference(_ id: Int32) -> SlotReference { SlotReference(id: id, serial: serials[Int(id)]) }

  /// True if the reference means what is there now.
  func holds(_ reference: SlotReference) -> Bool {
    serials[Int(reference.id)] == reference.serial && slots[reference.id] != nil
  }

  /// All values with their numbers.
  var live: some Sequence<(Int32, Value)> {
    (0..<slots.bound).lazy.compactMap { [slots] id in slots[id].map { (id, $0) } }
  }
}

/// A number of a `SlotTable` and which of its uses is meant.
struct SlotReference: Hashable, Sendable {
  var id: Int32
  var serial: UInt32
}
