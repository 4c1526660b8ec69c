/// Three stages over a stream of work on a few threads: in order, side by side, in order again.
///
/// Each worker has a context of its own and repeats: fill it (one at a time, in the order of the
/// stream), work on it (side by side), emit it (one at a time, in the order of filling). At most
/// `workers` contexts exist, so memory is bounded and a slow emitter holds the reader back.
public final class OrderedPipeline<Context, Failure: Error>: @unchecked Sendable {
  /// Fills a context with the next piece; false, or an error that it throws, ends the stream.
  public typealias Fill = (inout Context) throws(Failure) -> Bool
  /// Works on one piece, beside other workers.
  public typealias Work = (inout Context) -> Void
  /// Gives a finished piece away, in order; false ends the run, and so does what it throws.
  public typealias Emit = (inout Context) throws(Failure) -> Bool

  private let fill: Fill
  private let work: Work
  private let emit: Emit
  private let reading = Monitor()
  private let turn = Monitor()
  // Under `reading`.
  private var nextTicket = 0
  private var isAtEnd = false
  private var fillFailure: Failure?
  // Under `turn`.
  private var serving = 0
  private var isStopped = false
  private var emitFailure: Failure?

  /// A pipeline of three stages.
  ///
  /// - Parameters:
  ///   - fill: Never runs twice at once.
  ///   - work: Runs on every worker at once and may touch nothing but its context.
  ///   - emit: Never runs twice at once, in the order of filling.
  public init(fill: @escaping Fill, work: @escaping Work, emit: @escaping Emit) {
    self.fill = fill
    self.work = work
    self.emit = emit
  }

  /// Runs until the stream ends, `emit` says stop, or a stage fails.
  ///
  /// To be called once. The calling thread is one of the workers. If no further thread can be started it does the whole
  /// work alone.
  ///
  /// - Parameters:
  ///   - workers: How many contexts and threads, at least one.
  ///   - makeContext: Called once for each worker, on the calling thread.
  /// - Throws: What `emit` threw; else what `fill` threw, after all before it has been emitted.
  public func run(workers: Int, makeContext: () -> Context) throws(Failure) {
    var threads: [WorkerThread] = []
    for _ in 1..<max(workers, 1) {
      let box = ContextBox(makeContext())
      guard let thread = try? WorkerThread({ self.loop(&box.context) }) else { break }
      threads.append(thread)
    }
    var own = makeContext()
    loop(&own)
    for thread in threads { thread.join() }
    if let emitFailure { throw emitFailure }
    if let fillFailure { throw fillFailure }
  }

  private final class ContextBox: @unchecked Sendable {
    var context: Context
    init(_ context: Context) { self.context = context }
  }

  private func loop(_ context: inout Context) {
    while let ticket = fillNext(&context) {
      work(&context)
      guard waitForTurn(ticket) else { return }
      pass(emitting: &context)
    }
  }

  private func fillNext(_ context: inout Context) -> Int? {
    reading.lock()
    defer { reading.unlock() }
    if isAtEnd { return nil }
    do throws(Failure) {
      isAtEnd = try !fill(&context)
    } catch {
      fillFailure = error
      isAtEnd = true
    }
    if isAtEnd { return nil }
    nextTicket += 1
    return nextTicket - 1
  }

  private func waitForTurn(_ ticket: Int) -> Bool {
    turn.lock()
    defer { turn.unlock() }
    while serving != ticket, !isStopped { turn.wait() }
    return !isStopped
  }

  private func pass(emitting context: inout Context) {
    // Outside the lock: whoever has the turn is alone here, and others may queue meanwhile.
    var goesOn = false
    var failure: Failure?
    do throws(Failure) { goesOn = try emit(&context) } catch { failure = error }
    if !goesOn {
      reading.lock()
      isAtEnd = true
      reading.unlock()
    }
    turn.lock()
    serving += 1
    if !goesOn { isStopped = true }
    if let failure { emitFailure = failure }
    turn.wakeAll()
    turn.unlock()
  }
}
