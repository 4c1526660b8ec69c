import _Concurrency

/// Everybody who reads the events of one source, each by a stream of its own.
struct EventStreams<Event: Sendable> {
  private var continuations: [AsyncStream<Event>.Continuation] = []

  /// True if nobody reads.
  var isEmpty: Bool { continuations.isEmpty }

  /// A stream of `known` and of what is told from now on.
  ///
  /// A consumer that falls behind loses the oldest of `limit` and one more for each of `known`.
  mutating func add(after known: [Event] = [], limit: Int = 4_096) -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(limit + known.count))
    for event in known { continuation.yield(event) }
    continuations.append(continuation)
    return stream
  }

  /// Gives everybody an event.
  mutating func tell(_ event: Event) {
    if continuations.isEmpty { return }
    continuations.removeAll {
      // The consumer went: nobody else ends a stream before `finish`.
      if case .terminated = $0.yield(event) { true } else { false }
    }
  }

  /// Ends all streams.
  mutating func finish() {
    for continuation in continuations { continuation.finish() }
    continuations = []
  }
}
