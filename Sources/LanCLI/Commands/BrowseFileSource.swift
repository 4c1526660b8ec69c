import LanCore
import LanSystem

/// A capture file, browsed by the capture's own clock.
final class BrowseFileSource: BrowseSource {
  private let path: String
  private let timeout: Duration?
  private let recording: ServiceBrowserRecording

  init(_ configuration: BrowseConfiguration) {
    path = configuration.file ?? "-"
    timeout = configuration.timeout
    recording = ServiceBrowserRecording(
      configuration.search, interfaces: configuration.interfaces, families: configuration.families,
      duration: configuration.duration?.wholeNanoseconds)
  }

  func start(_ listener: BrowseListener) throws {
    let input: CaptureFileInput
    do throws(FileError) {
      input = try CaptureFileInput(path, isInterruptible: path == "-")
    } catch {
      throw BrowseFileFault(description: "cannot open \(error)")
    }
    let deadline = timeout.map { MonotonicClock.now + $0.wholeNanoseconds }
    var failure: String?
    do {
      try recording.read(input, until: deadline) { event, _ in listener.event(event) }
    } catch let error as FileError {
      failure = "cannot read \(error)"
    } catch {
      failure = "\(input.name): \(error)"
    }
    if let end = end(input, failure) { listener.end(end) }
  }

  /// Why the run is over; nil if whoever listens has ended it.
  private func end(_ input: CaptureFileInput, _ failure: String?) -> BrowseSourceEnd? {
    if recording.isStopped { return nil }
    SniffFileReader.complain(
      ofLinkTypes: recording.unsupported, in: input.name, by: BrowseCommand.complain)
    if let signal = input.interruption { return .interrupted(signal) }
    if let failure { return .failed(failure) }
    if recording.isTimedOut { return .timedOut }
    return recording.hasOnlyForeignLinks ? .failed("no frame could be decoded") : .complete
  }

  func stop() { recording.stop() }

  var wallTime: Int64? { recording.time }

  var elapsed: Int64 { recording.elapsed }

  func interfaceName(_ index: UInt32) -> String? { recording.interfaceName(index) }
}

/// Why a capture file cannot be browsed.
private struct BrowseFileFault: Error, CustomStringConvertible {
  let description: String
}
