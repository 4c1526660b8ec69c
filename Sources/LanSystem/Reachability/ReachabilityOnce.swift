public import LanCore

extension ReachabilityMonitor {
  /// The verdicts at one moment, and what probes found.
  public struct Snapshot: Sendable {
    /// A report about each target, in their order.
    public var reports: [ReachabilityReport] = []
    /// What probes found.
    public var verifications: [ProbeReport] = []
    /// What is known of the host.
    public var facts = ReachabilityFacts()
    /// What was amiss.
    public var diagnostics: [ReachabilityDiagnostic] = []
  }

  /// Judges all targets once, without listening for events.
  ///
  /// It blocks while names are resolved and probes are under way.
  ///
  /// - Throws: `ReachabilityError`.
  public static func evaluateOnce(
    _ configuration: Configuration
  ) throws(ReachabilityError) -> Snapshot {
    var configuration = configuration
    configuration.timing.settle = 0
    configuration.timing.firstResolution = .max
    configuration.polls = false
    let driver: ReachabilityDriver
    do throws(NetlinkError) {
      driver = ReachabilityDriver(
        configuration.machine(at: MonotonicClock.now), try NetlinkSocket())
    } catch {
      throw .netlink(error)
    }
    var snapshot = Snapshot()
    driver.onDemand = { [unowned driver] demand in
      switch demand {
      case .tell(.report(let report)): snapshot.reports.append(report)
      case .tell(.diagnostic(let diagnostic)): snapshot.diagnostics.append(diagnostic)
      case .tell: break
      case .resolve(let name):
        driver.machine.resolved(
          name, NameResolver.resolveNow(name), at: MonotonicClock.now)
      }
    }
    do throws(NetlinkError) { try driver.start() } catch { throw .netlink(error) }
    driver.run()
    snapshot.facts = driver.machine.facts
    snapshot.reports.sort { $0.target < $1.target }
    return snapshot
  }
}
