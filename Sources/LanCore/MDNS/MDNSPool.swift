/// Things under small numbers, which are given again after `remove`.
struct MDNSPool<Element: Sendable>: Sendable {
  private var elements: [Element] = []
  private var free: [Int32] = []

  /// How many are in use.
  var count: Int { elements.count - free.count }
  /// Every number that was ever given is below this.
  var bound: Int32 { Int32(truncatingIfNeeded: elements.count) }

  /// The thing under a number that `insert` gave.
  subscript(id: Int32) -> Element {
    _read { yield elements[Int(id)] }
    _modify { yield &elements[Int(id)] }
  }

  mutating func insert(_ element: Element) -> Int32 {
    if let id = free.popLast() {
      elements[Int(id)] = element
      return id
    }
    elements.append(element)
    return Int32(truncatingIfNeeded: elements.count - 1)
  }

  /// Lets go of a number; `blank` takes the place, so that memory is released.
  mutating func remove(_ id: Int32, leaving blank: Element) {
    elements[Int(id)] = blank
    free.append(id)
  }
}
