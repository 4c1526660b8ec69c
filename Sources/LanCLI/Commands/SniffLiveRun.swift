import LanCore
import LanSystem
import LanWire

/// `lantool sniff` on live interfaces: one thread, one loop.
final class SniffLiveRun {
  private let configuration: SniffConfiguration
  private var renderer: SniffRenderer
  private var out = OutputBuffer()
  private var writer: SniffFrameWriter?
  private var names: [Int: String] = [:]
  private var status = ExitStatus.success
  private var signal: Int32?
  private var isEnded = false
  private var reactor: Reactor?

  init(_ configuration: SniffConfiguration) {
    self.configuration = configuration
    renderer = SniffRenderer(configuration)
  }

  /// Listens until a limit or a signal and says how it went.
  func run() -> ExitStatus {
    do {
      let reactor = try Reactor()
      self.reactor = reactor
      let signals = try SignalSource(SignalSource.ending, on: reactor) { [unowned self] in
        interrupt($0)
      }
      let sniffer = PacketSniffer(
        configuration.live, options: configuration.options, on: reactor)
      sniffer.onBatch = { [unowned self, unowned sniffer] in show($0, $1, sniffer) }
      sniffer.onDiagnostic = { [unowned self] in report($0) }
      let heard = try sniffer.start()
      // The device is open: files are made only now, so that a refusal leaves none behind.
      if let write = configuration.write { writer = try SniffFrameWriter(write) }
      try giveUpRights()
      announce(heard)
      scheduleEnd(on: reactor, sniffer)
      if !isEnded { try reactor.run() }
      finish(sniffer)
      // From here a signal has its old effect.
      signals.cancel()
    } catch {
      return failed(error)
    }
    if let signal, configuration.isBounded { SignalSource.die(by: signal) }
    return status
  }

  /// Keeps of root's rights what later interfaces and files need; the user stays the same.
  private func giveUpRights() throws(SystemError) {
    var kept: Set<Capability> = []
    if !configuration.live.usesSocket { kept.insert(.netRaw) }
    if configuration.write != nil { kept.insert(.dacOverride) }
    try Privilege.keepOnly(kept)
  }

  private func stop() {
    isEnded = true
    reactor?.stop()
  }

  private func interrupt(_ number: Int32) {
    if signal != nil { SignalSource.die(by: number) }
    signal = number
    stop()
  }

  private func report(_ diagnostic: SnifferDiagnostic) {
    SniffCommand.complain("\(diagnostic)")
    if case .interfaceEnded(_, left: 0) = diagnostic {
      status = .undetermined
      stop()
    }
  }

  private func announce(_ names: [String]) {
    if case .quiet = configuration.output, configuration.write == nil { return }
    let how = configuration.live.usesSocket ? " with a UDP socket: multicast only" : ""
    SniffCommand.complain("listening on \(names.joined(separator: ", "))\(how)")
  }

  private func scheduleEnd(on reactor: Reactor, _ sniffer: PacketSniffer) {
    if let duration = configuration.duration {
      _ = reactor.schedule(after: duration) { [unowned self] in stop() }
    }
    if let timeout = configuration.timeout {
      _ = reactor.schedule(after: timeout) { [unowned self, unowned sniffer] in
        if sniffer.analyzer.messages + sniffer.analyzer.malformed == 0 { status = .timedOut }
        stop()
      }
    }
  }

  // MARK: Messages

  private func show(
    _ batch: borrowing SniffBatch, _ bytes: Span<UInt8>, _ sniffer: PacketSniffer
  ) {
    guard !isEnded else { return }
    for (index, name) in sniffer.interfaceNames where names[index] != name {
      names[index] = name
      renderer.set(name, for: index)
    }
    renderer.append(batch, bytes, to: &out)
    let isWritten = out.count == 0 || SniffCommand.write(out)
    out.removeAll()
    guard isWritten else {
      status = .undetermined
      return stop()
    }
    if !batch.frames.isEmpty { save(batch, bytes) }
    if sniffer.analyzer.isFinished { stop() }
  }

  private func save(_ batch: borrowing SniffBatch, _ bytes: Span<UInt8>) {
    do throws(FileError) {
      for frame in batch.frames {
        try writer?.write(bytes.extracting(frame.bytes), frame) { names[$0] }
      }
    } catch {
      writer?.complain(error)
      status = .undetermined
      stop()
    }
  }

  // MARK: End

  private func finish(_ sniffer: PacketSniffer) {
    let statistics = sniffer.stop()
    do throws(FileError) { try writer?.close() } catch {
      writer?.complain(error)
      status = .undetermined
    }
    if writer?.hasRefused == true { status = .undetermined }
    let findings = sniffer.finishLint()
    let summary = SniffSummary(
      analyzer: sniffer.analyzer, frames: sniffer.frames, findings: findings,
      dropped: statistics.dropped, now: WallClock.now)
    switch configuration.output {
    case .json: summary.appendJSON(to: &out)
    case .text, .oneLine:
      summary.appendText(TerminalStyle(isOn: configuration.isColoured), to: &out)
    case .fields, .quiet: break
    }
    if out.count > 0 { _ = SniffCommand.write(out) }
    if case .json = configuration.output { return }
    if case .quiet = configuration.output, configuration.write == nil { return }
    SniffCommand.complain(summary.line)
  }

  private func failed(_ error: any Error) -> ExitStatus {
    switch error {
    case let error as CaptureError:
      switch error {
      case .permissionDenied:
        SniffCommand.complain(
          "\(error), or add --socket (no privilege needed, multicast only)")
        return .notPermitted
      case .badFilter:
        SniffCommand.complain("\(error)")
        return .usage
      default: SniffCommand.complain("\(error)")
      }
    case let error as FileError: SniffCommand.complain("cannot write \(error)")
    default: SniffCommand.complain("\(error)")
    }
    return .undetermined
  }
}
