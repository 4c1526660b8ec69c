/// Things that fall due in the order in which they were put in.
struct ArrivalQueue<Element: Sendable>: Sendable {
  private var entries: [(due: Int64, element: Element)] = []
  private var head = 0

  /// When the first one is due.
  var first: Int64? { head < entries.count ? entries[head].due : nil }

  /// Puts in something that is not due before what was put in earlier.
  mutating func append(_ element: Element, due: Int64) { entries.append((due, element)) }

  /// Takes out the first one if it is due.
  mutating func popDue(at now: Int64) -> Element? {
    guard head < entries.count, entries[head].due <= now else { return nil }
    defer { advance() }
    return entries[head].element
  }

  /// Drops from the front what is of no interest any more.
  mutating func trim(while isStale: (Element) -> Bool) {
    while head < entries.count, isStale(entries[head].element) { advance() }
  }

  private mutating func advance() {
    head += 1
    if head == entries.count {
      entries.removeAll(keepingCapacity: entries.count <= 64)
      head = 0
    } else if head >= 1_024, head * 2 >= entries.count {
      entries.removeFirst(head)
      head = 0
    }
  }
}
