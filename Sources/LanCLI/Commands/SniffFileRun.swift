import LanCore
import LanSystem
import LanWire

/// `lantool sniff -r FILE`: reading and rendering on two threads, in order.
final class SniffFileRun {
  /// What one thread works on: a stretch of the file and what it renders to.
  final class Stretch {
    var bytes: [UInt8] = []
    var batch = SniffBatch()
    var renderer: SniffRenderer
    var out = OutputBuffer(capacity: 1 << 19)

    init(_ configuration: SniffConfiguration) { renderer = SniffRenderer(configuration) }

    func render() {
      let bytes = bytes
      renderer.append(batch, bytes.span, to: &out)
    }
  }

  private let configuration: SniffConfiguration
  private var reader: SniffFileReader
  private var writer: SniffFrameWriter?
  private var outputFailed = false

  init(_ configuration: SniffConfiguration) {
    self.configuration = configuration
    reader = SniffFileReader(configuration)
  }

  /// Reads the whole file and says how it went.
  func run() -> ExitStatus {
    do throws(FileError) {
      try reader.open()
      if let write = configuration.write { writer = try SniffFrameWriter(write) }
    } catch {
      SniffCommand.complain("cannot open \(error)")
      return .undetermined
    }
    readAll()
    finish()
    return status()
  }

  private func readAll() {
    let pipeline = OrderedPipeline<Stretch, Never>(
      fill: { self.reader.fill(&$0.bytes, &$0.batch) },
      work: { $0.render() },
      emit: { self.emit($0) })
    pipeline.run(workers: 2) { Stretch(configuration) }
  }

  private func emit(_ stretch: Stretch) -> Bool {
    defer { stretch.out.removeAll() }
    if stretch.out.count > 0, !SniffCommand.write(stretch.out) {
      outputFailed = true
      return false
    }
    guard var writer else { return true }
    defer { self.writer = writer }
    let bytes = stretch.bytes
    do throws(FileError) {
      for frame in stretch.batch.frames {
        try writer.write(bytes.span.extracting(frame.bytes), frame, reader.interfaceName)
      }
    } catch {
      outputFailed = true
      writer.complain(error)
      return false
    }
    return true
  }

  private func finish() {
    do throws(FileError) { try writer?.close() } catch {
      outputFailed = true
      writer?.complain(error)
    }
    if let failure = reader.failure { SniffCommand.complain(failure) }
    reader.complainOfLinkTypes()
    var analyzer = reader.analyzer
    let findings = analyzer.finishLint()
    let summary = SniffSummary(
      analyzer: analyzer, frames: reader.frames, findings: findings, dropped: reader.dropped,
      now: nil)
    var out = OutputBuffer()
    switch configuration.output {
    case .json: summary.appendJSON(to: &out)
    case .text, .oneLine:
      summary.appendText(TerminalStyle(isOn: configuration.isColoured), to: &out)
    case .fields, .quiet: break
    }
    if !outputFailed, out.count > 0, !SniffCommand.write(out) { outputFailed = true }
  }

  private func status() -> ExitStatus {
    if outputFailed || reader.failure != nil || reader.hasOnlyForeignLinks
      || writer?.hasRefused == true
    {
      return .undetermined
    }
    if reader.filterRefused { return .usage }
    if reader.isTimedOut, reader.analyzer.messages + reader.analyzer.malformed == 0 {
      return .timedOut
    }
    if let signal = reader.interruption, configuration.isBounded { SignalSource.die(by: signal) }
    return .success
  }
}
