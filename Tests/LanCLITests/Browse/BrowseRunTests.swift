import LanCore
import LanSystem
import LanWire
import Testing

@testable import LanCLI

private typealias Samples = BrowseSamples

/// A source that tells what it was given, all at once, when it starts.
private final class ScriptedSource: BrowseSource {
  private let events: [ServiceEvent]
  private let ending: BrowseSourceEnd?
  private(set) var toldCount = 0
  private(set) var isStopped = false

  init(_ events: [ServiceEvent], ending: BrowseSourceEnd? = nil) {
    self.events = events
    self.ending = ending
  }

  func start(_ listener: BrowseListener) throws {
    for event in events where !isStopped {
      toldCount += 1
      listener.event(event)
    }
    if !isStopped, let ending { listener.end(ending) }
  }

  func stop() { isStopped = true }
  var wallTime: Int64? { Samples.time }
  var elapsed: Int64 { 0 }
  func interfaceName(_ index: UInt32) -> String? { "v\(index)" }
}

/// How a quiet run with these options and events ends.
private func status(
  _ words: String..., events: [ServiceEvent], ending: BrowseSourceEnd? = nil
) throws -> LanCLI.ExitStatus {
  let configuration = try Samples.configure(["-q"] + words)
  return BrowseRun(configuration) { _, _ in ScriptedSource(events, ending: ending) }.run()
}

@Suite("a run of browse") struct BrowseRunTests {
  private let found: [ServiceEvent] = [.added(Samples.resolved()), .batchEnded]

  @Test("--once ends at the first complete list, 0 with something in it and 1 without")
  func once() throws {
    #expect(try status("--once", events: found + [.settled]) == .success)
    #expect(try status("--once", events: [.settled]) == .negative)
  }

  @Test("--expect ends before anything else is told") func expect() throws {
    let source = ScriptedSource(found + [.settled])
    let configuration = try Samples.configure(["-q", "--expect", "deck"])
    #expect(BrowseRun(configuration) { _, _ in source }.run() == .success)
    #expect(source.isStopped)
    #expect(try status("--expect", "Other", events: found + [.settled]) == .negative)
  }

  @Test("--timeout is 3 with nothing and 0 with something, --duration 1 and 0") func limits() throws
  {
    #expect(try status("--timeout", "1ms", events: []) == .timedOut)
    #expect(try status("--timeout", "1ms", events: found) == .success)
    #expect(try status("--duration", "1ms", events: []) == .negative)
    #expect(try status("--duration", "1ms", events: found) == .success)
  }

  @Test("a capture is read to its end for 0, broken for 2, whatever was found") func file() throws {
    #expect(try status("-r", "x", events: [], ending: .complete) == .success)
    #expect(try status("-r", "x", events: found, ending: .failed("cut")) == .undetermined)
    #expect(try status("-r", "x", "--expect", "a", events: found, ending: .complete) == .negative)
  }

  @Test("a source that cannot begin is 2") func failure() throws {
    struct Refusal: Error, CustomStringConvertible { let description = "port 5353 is held" }
    let configuration = try Samples.configure(["-q"])
    #expect(BrowseRun(configuration) { _, _ in throw Refusal() }.run() == .undetermined)
  }
}
