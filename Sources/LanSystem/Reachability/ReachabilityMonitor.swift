public import LanCore
import LanWire

/// Follows whether targets can be reached, by what the kernel tells, and says why.
///
/// Everything happens on the reactor's thread: `start`, `stop` and the properties belong there too.
/// Nothing is sent to anybody unless a `probe` is asked for. The first verdict about each target is
/// told at once (that about a name as soon as the resolver answered, or after a second without
/// one); `changes` begins with the present ones.
public final class ReachabilityMonitor {
  /// Called with everything that the monitor tells, on the reactor's thread.
  public var onEvent: ((ReachabilityEvent) -> Void)?
  /// Gets the same.
  public weak var delegate: (any ReachabilityMonitorDelegate)?
  /// What to follow.
  public let configuration: Configuration

  private let reactor: Reactor
  private(set) var session: (any ReachabilitySession)?
  private var told: [Int: ReachabilityReport] = [:]
  private var reportStreams = EventStreams<ReachabilityReport>()
  private var eventStreams = EventStreams<ReachabilityEvent>()

  /// A monitor that does nothing yet.
  ///
  /// - Parameters:
  ///   - configuration: What to follow.
  ///   - reactor: The loop that everything happens on.
  public init(_ configuration: Configuration = Configuration(), on reactor: Reactor) {
    self.configuration = configuration
    self.reactor = reactor
  }

  /// Begins to follow; what is known at once is told before this returns.
  ///
  /// A monitor that runs already begins anew.
  ///
  /// - Throws: `ReachabilityError` where the kernel cannot be asked, or a recording not be read or
  ///   written.
  public func start() throws(ReachabilityError) {
    session?.stop()
    told = [:]
    let session = try makeSession()
    self.session = session
    do throws(ReachabilityError) {
      try session.start()
    } catch {
      self.session = nil
      throw error
    }
  }

  private func makeSession() throws(ReachabilityError) -> any ReachabilitySession {
    let emit: (ReachabilityEvent) -> Void = { [weak self] in self?.tell($0) }
    return switch configuration.source {
    case .kernel: try LiveSession(configuration, reactor, emit)
    case .recording(let path): try ReplaySession(path, configuration, reactor, emit)
    }
  }

  /// Ends everything, closes a recording and ends the streams; the last verdicts stay.
  ///
  /// - Throws: `ReachabilityError.recording` when the recording could not be written to its end.
  public func stop() throws(ReachabilityError) {
    let session = session
    self.session = nil
    reportStreams.finish()
    eventStreams.finish()
    session?.stop()
    do throws(FileError) { try session?.closeRecording() } catch { throw .recording(error) }
  }

  /// Judges everything anew, resolves names anew and sends probes anew.
  public func refresh() { session?.refresh() }

  /// The last report about each target, by its number.
  public var reports: [Int: ReachabilityReport] { told }

  /// What is known of the host: links, addresses, radios and so on.
  public var facts: ReachabilityFacts {
    session?.driver.machine.facts ?? ReachabilityFacts()
  }

  /// How many verdicts were judged: the work that changes caused.
  public var evaluationCount: Int { session?.driver.machine.evaluationCount ?? 0 }

  /// The DNS servers, as the resolver's configuration names them now.
  public var nameServers: [NameServer] {
    ResolverConfiguration.nameServers(path: configuration.resolverPath)
  }

  /// The reports: first the present ones, then each change.
  ///
  /// A consumer that falls behind loses the oldest of 1,024 and one more for each target.
  public var changes: AsyncStream<ReachabilityReport> {
    let known = told.sorted { $0.key < $1.key }.map(\.value)
    return reportStreams.add(after: known, limit: 1_024 + configuration.targets.count)
  }

  /// Everything from now on.
  ///
  /// A consumer that falls behind loses the oldest of 4,096.
  public var events: AsyncStream<ReachabilityEvent> {
    eventStreams.add()
  }

  private func tell(_ event: ReachabilityEvent) {
    if case .report(let report) = event.content {
      told[report.target] = report
      reportStreams.tell(report)
      delegate?.reachabilityMonitor(self, didReport: report)
    } else {
      delegate?.reachabilityMonitor(self, didTell: event)
    }
    eventStreams.tell(event)
    onEvent?(event)
  }
}
