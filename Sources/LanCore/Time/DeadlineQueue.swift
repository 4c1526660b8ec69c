/// Deadlines of things that have a small number as their id, earliest first; equal ones in the
/// order they were set.
///
/// A binary heap that knows where each id stands, so that a deadline can be moved or taken out in
/// logarithmic time. Ids are reused by the caller and index a table: keep them dense.
package struct DeadlineQueue: Sendable {
  private struct Item {
    var deadline: Int64
    var id: Int32
    var order: UInt32
  }
  private var items: [Item] = []
  /// Where an id stands in `items`; -1 for one that doesn't wait.
  private var positions: [Int32] = []
  private var nextOrder: UInt32 = 0

  /// An empty queue.
  package init() {}

  /// How many wait.
  package var count: Int { items.count }
  /// The next deadline, if any.
  package var earliest: Int64? { items.first?.deadline }
  /// Who is next, if anybody.
  package var first: Int32? { items.first?.id }

  /// When `id` is due; nil if it doesn't wait.
  package func deadline(of id: Int32) -> Int64? {
    let position = position(of: id)
    return position < 0 ? nil : items[position].deadline
  }

  /// Who is next, if that is due.
  package func firstDue(at now: Int64) -> Int32? {
    guard let item = items.first, item.deadline <= now else { return nil }
    return item.id
  }

  /// Lets `id` wait until `deadline`, whether or not it waited before.
  package mutating func set(_ id: Int32, at deadline: Int64) {
    guard id >= 0 else { return }
    nextOrder &+= 1
    let item = Item(deadline: deadline, id: id, order: nextOrder)
    var position = position(of: id)
    if position < 0 {
      while positions.count <= Int(id) { positions.append(-1) }
      position = items.count
      items.append(item)
      positions[Int(id)] = Int32(position)
    } else {
      items[position] = item
    }
    siftDown(siftUp(position))
  }

  /// Takes `id` out; nothing happens if it doesn't wait.
  package mutating func remove(_ id: Int32) {
    let position = position(of: id)
    guard position >= 0 else { return }
    positions[Int(id)] = -1
    let last = items.removeLast()
    guard position < items.count else { return }
    items[position] = last
    positions[Int(last.id)] = Int32(position)
    siftDown(siftUp(position))
  }

  private func position(of id: Int32) -> Int {
    id >= 0 && Int(id) < positions.count ? Int(positions[Int(id)]) : -1
  }

  private static func isEarlier(_ a: Item, _ b: Item) -> Bool {
    a.deadline != b.deadline
      ? a.deadline < b.deadline : Int32(bitPattern: a.order &- b.order) < 0
  }

  private mutating func place(_ item: Item, at position: Int) {
    items[position] = item
    positions[Int(item.id)] = Int32(position)
  }

  private mutating func siftUp(_ start: Int) -> Int {
    let item = items[start]
    var child = start
    while child > 0, Self.isEarlier(item, items[(child - 1) / 2]) {
      place(items[(child - 1) / 2], at: child)
      child = (child - 1) / 2
    }
    place(item, at: child)
    return child
  }

  private mutating func siftDown(_ start: Int) {
    let item = items[start]
    var parent = start
    while true {
      var child = 2 * parent + 1
      guard child < items.count else { break }
      if child + 1 < items.count, Self.isEarlier(items[child + 1], items[child]) { child += 1 }
      guard Self.isEarlier(items[child], item) else { break }
      place(items[child], at: parent)
      parent = child
    }
    place(item, at: parent)
  }
}
