import LanWire
import TestKit
import Testing

@testable import LanCore

@Suite("Querier: limits and cost") struct CacheLimitTests {
  @Test("what nobody asked for is kept up to a limit; what ends first makes room") func unasked()
    throws
  {
    var bench = QuerierBench { $0.unaskedLimit = 100 }
    for number in 1...1_000 {
      try bench.hear(
        SampleMessage.address("h\(number).local", ttl: UInt32(100 + (number * 7) % 1_000)))
    }
    #expect(bench.querier.cache.records.count == 100)
    #expect(bench.diagnostics.count == 1)
    var shortest = UInt32.max
    for number in 1...1_000 {
      for answer in bench.querier.answers(try DNSName("h\(number).local"), .a) {
        shortest = min(shortest, answer.ttl)
      }
    }
    #expect(shortest == 1_000)
    bench.run(2_000)
    try bench.hear(SampleMessage.address("late.local"))
    #expect(bench.querier.cache.records.count == 1)
    #expect(bench.querier.cache.names.count == 1)
  }

  @Test("a full cache refuses new answers, keeps the old ones, and says so once") func full() throws
  {
    var bench = QuerierBench { $0.recordLimit = 50 }
    try bench.start(MDNSSample.type, .ptr)
    for number in 0..<100 { try bench.hear(MDNSSample.pointer("s\(number)")) }
    #expect(bench.news().map(kind) == [String](repeating: "added", count: 50))
    #expect(bench.diagnostics.count == 1)
    for number in 0..<20 { try bench.hear(MDNSSample.pointer("s\(number)", ttl: 0)) }
    bench.run(2)
    _ = bench.news()
    for number in 60..<100 { try bench.hear(MDNSSample.pointer("s\(number)")) }
    #expect(bench.news().count == 20)
    #expect(bench.diagnostics.count == 2)
  }

  @Test("octets are limited too") func octets() throws {
    var bench = QuerierBench { $0.byteLimit = 100_000 }
    try bench.start(MDNSSample.type, .ptr)
    for number in 0..<2_000 { try bench.hear(MDNSSample.pointer("s\(number)")) }
    #expect(bench.querier.cache.bytes <= 100_000)
    #expect(bench.news().count > 200)
    #expect(bench.diagnostics.count == 1)
  }

  @Test("what is asked for takes the room of what is not") func priority() throws {
    var bench = QuerierBench { $0.recordLimit = 50 }
    for number in 0..<50 { try bench.hear(SampleMessage.address("h\(number).local")) }
    try bench.start(MDNSSample.type, .ptr)
    for number in 0..<50 { try bench.hear(MDNSSample.pointer("s\(number)")) }
    #expect(bench.news().count == 50)
  }

  @Test("a name has a limited number of types that nobody asked for") func types() throws {
    var bench = QuerierBench()
    for number: UInt16 in 300..<1_000 {
      try bench.hear(
        SampleMessage.record(
          "h.local", .unknown(DNSRecordType(rawValue: number), [1, 2, 3])))
    }
    #expect(bench.querier.cache.records.count == 64)
  }

  @Test("a record of a set of 10,000 costs as much as one of ten") func setSize() throws {
    var bench = QuerierBench()
    try bench.start(MDNSSample.type, .ptr)
    bench.run(0.2)
    let packets = try (0..<500).map { packet in
      try SampleMessage.response(
        (0..<20).map { try MDNSSample.pointer("s\(packet * 20 + $0)") })
    }
    for packet in packets { bench.take(packet) }
    #expect(bench.news().count == 10_000)
    let before = bench.querier.work
    for packet in packets { bench.take(packet) }
    #expect(bench.querier.work - before == 10_000)
    #expect(bench.news().isEmpty)
    bench.take(try SampleMessage.query([MDNSSample.type], known: [MDNSSample.pointer("s77")]))
    #expect(bench.querier.work - before <= 10_002)
  }

  @Test("32,000 records take no more than 10 MB by the cache's own account") func memory() throws {
    var bench = QuerierBench { $0.unaskedLimit = 40_000 }
    for number in 0..<8_000 {
      let instance = "instance \(number)"
      try bench.hear(
        MDNSSample.pointer(instance), MDNSSample.service(instance, host: "host-\(number).local"),
        SampleMessage.record("\(instance)._t._tcp.local", flush: true, .txt([[65, 61, 66]])),
        SampleMessage.address("host-\(number).local"))
    }
    #expect(bench.querier.cache.records.count == 32_000)
    #expect(bench.querier.cache.bytes < 10_000_000)
  }

  @Test("when all is over nothing is left") func nothingLeft() throws {
    var bench = QuerierBench()
    for number in 0..<300 {
      try bench.start("s\(number)._t._tcp.local", .srv)
      try bench.hear(MDNSSample.service("s\(number)"), MDNSSample.pointer("s\(number)", ttl: 60))
    }
    bench.run(200)
    for number in 0..<300 { try bench.stop("s\(number)._t._tcp.local", .srv) }
    bench.querier.deadlineReached(at: bench.now)
    #expect(bench.querier.cache.records.count == 0)
    #expect(bench.querier.cache.sets.count == 0)
    #expect(bench.querier.cache.names.count == 0)
    #expect(bench.querier.cache.bytes == 0)
    #expect(bench.querier.series.count == 0)
    #expect(bench.querier.nextDeadline == nil)
  }
}

@Suite("DeadlineQueue") struct DeadlineQueueTests {
  @Test("whatever is set, moved and removed comes out in order") func order() {
    var queue = DeadlineQueue()
    var model: [Int32: Int64] = [:]
    var random = SeededGenerator(seed: 5)
    for _ in 0..<5_000 {
      let id = Int32.random(in: 0..<300, using: &random)
      if Bool.random(using: &random) {
        let deadline = Int64.random(in: 0..<1_000, using: &random)
        queue.set(id, at: deadline)
        model[id] = deadline
      } else {
        queue.remove(id)
        model[id] = nil
      }
      #expect(queue.earliest == model.values.min())
      #expect(queue.deadline(of: id) == model[id])
    }
    var drained: [Int64] = []
    while let id = queue.first, let deadline = queue.earliest {
      #expect(model[id] == deadline)
      drained.append(deadline)
      queue.remove(id)
    }
    #expect(drained == model.values.sorted())
  }

  @Test("equal deadlines come in the order they were set") func fifo() {
    var queue = DeadlineQueue()
    for id: Int32 in 0..<100 { queue.set(id, at: 7) }
    var order: [Int32] = []
    while let id = queue.firstDue(at: 7) {
      order.append(id)
      queue.remove(id)
    }
    #expect(order == Array(0..<100))
    #expect(queue.firstDue(at: 7) == nil)
  }
}
