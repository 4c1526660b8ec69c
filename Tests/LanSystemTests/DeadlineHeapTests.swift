import Testing

@testable import LanSystem

@Suite("DeadlineHeap") struct DeadlineHeapTests {
  @Test("whatever is inserted and removed comes out in order of deadline") func order() {
    var heap = DeadlineHeap<Int>()
    var random = SystemRandomNumberGenerator()
    var alive: [(TimerToken, Int64)] = []
    for value in 0..<500 {
      let deadline = Int64.random(in: 0..<100, using: &random)
      alive.append((heap.insert(value, at: deadline), deadline))
      if value % 3 == 0 {
        let victim = alive.remove(at: Int.random(in: 0..<alive.count, using: &random))
        #expect(heap.remove(victim.0) != nil)
        #expect(heap.remove(victim.0) == nil)
      }
    }
    var drained: [Int64] = []
    while let earliest = heap.earliest {
      drained.append(earliest)
      #expect(heap.popDue(at: earliest, before: heap.horizon) != nil)
    }
    #expect(drained == alive.map(\.1).sorted())
    #expect(heap.count == 0)
  }

  @Test("nothing is due before its deadline") func notYet() {
    var heap = DeadlineHeap<Int>()
    _ = heap.insert(1, at: 10)
    #expect(heap.popDue(at: 9, before: heap.horizon) == nil)
    #expect(heap.popDue(at: 10, before: heap.horizon) == 1)
  }

  @Test("32-bit counters are carried on past their end") func wrap() {
    var counter = WrappingCounter()
    counter.update(.max)
    counter.update(4)
    #expect(counter.total == 1 << 32 + 4)
  }
}
