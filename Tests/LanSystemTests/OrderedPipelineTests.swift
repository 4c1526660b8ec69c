import Glibc
import Synchronization
import Testing

@testable import LanSystem

private struct Broken: Error, Equatable { var where_: String }

@Suite("OrderedPipeline", .timeLimit(.minutes(1))) struct OrderedPipelineTests {
  private struct Context {
    var input = 0
    var output = 0
  }

  private func run(
    workers: Int, count: Int, failAt: Int? = nil, stopAfter: Int? = nil, emitFailsAt: Int? = nil
  ) -> (emitted: [Int], error: Broken?) {
    var next = 0
    var emitted: [Int] = []
    let pipeline = OrderedPipeline<Context, Broken>(
      fill: { context throws(Broken) in
        if next == failAt { throw Broken(where_: "fill") }
        guard next < count else { return false }
        context.input = next
        next += 1
        return true
      },
      work: { context in
        // Uneven work, so that later pieces are ready before earlier ones.
        var sum = 0
        for step in 0..<(context.input % 7 * 2000) { sum &+= step }
        context.output = context.input * 2 + (sum == -1 ? 1 : 0)
      },
      emit: { context throws(Broken) in
        if context.input == emitFailsAt { throw Broken(where_: "emit") }
        emitted.append(context.output)
        return emitted.count != stopAfter
      })
    do throws(Broken) {
      try pipeline.run(workers: workers) { Context() }
      return (emitted, nil)
    } catch {
      return (emitted, error)
    }
  }

  @Test("pieces come out in the order they went in", arguments: [1, 2, 3, 8])
  func order(workers: Int) {
    let result = run(workers: workers, count: 2000)
    #expect(result.emitted == (0..<2000).map { $0 * 2 })
    #expect(result.error == nil)
  }

  @Test("all before a broken piece is emitted, then the error is thrown", arguments: [1, 2, 4])
  func brokenInput(workers: Int) {
    let result = run(workers: workers, count: 2000, failAt: 777)
    #expect(result.emitted == (0..<777).map { $0 * 2 })
    #expect(result.error == Broken(where_: "fill"))
  }

  @Test("the output can end the run early", arguments: [1, 2, 4]) func early(workers: Int) {
    let result = run(workers: workers, count: 2000, stopAfter: 10)
    #expect(result.emitted.count == 10)
    #expect(result.error == nil)
  }

  @Test("a failing output ends the run with its error", arguments: [1, 2, 4])
  func brokenOutput(workers: Int) {
    let result = run(workers: workers, count: 2000, emitFailsAt: 5)
    #expect(result.emitted == [0, 2, 4, 6, 8])
    #expect(result.error == Broken(where_: "emit"))
  }

  @Test("an empty stream ends at once") func empty() {
    #expect(run(workers: 2, count: 0).emitted.isEmpty)
  }

  @Test("two workers work side by side") func parallel() {
    let inside = Atomic<Int>(0)
    let together = Atomic<Bool>(false)
    var left = 2
    let pipeline = OrderedPipeline<Int, Never>(
      fill: { _ in
        left -= 1
        return left >= 0
      },
      work: { _ in
        inside.add(1, ordering: .sequentiallyConsistent)
        // Ends as soon as the other one is here too; the bound is for the failing case.
        for _ in 0..<5000 {
          if inside.load(ordering: .sequentiallyConsistent) == 2 {
            together.store(true, ordering: .sequentiallyConsistent)
            break
          }
          usleep(1000)
        }
      },
      emit: { _ in true })
    pipeline.run(workers: 2) { 0 }
    let wereTogether = together.load(ordering: .sequentiallyConsistent)
    #expect(wereTogether)
  }
}
