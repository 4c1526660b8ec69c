import LanCore
import LanSystem

/// Runs the program of `--exec`: one at a time, and of each target only the latest change.
struct WatchHook {
  private let words: [String]
  private var child: Int32?
  private var order: [Int] = []
  private var waiting: [Int: [(name: String, value: String)]] = [:]

  init(_ words: [String]) { self.words = words }

  /// True while a program runs or waits for its turn.
  var isBusy: Bool { child != nil || !order.isEmpty }

  /// Takes a change of a target, given as variables.
  mutating func run(_ target: Int, _ variables: [(name: String, value: String)]) {
    if waiting.updateValue(variables, forKey: target) == nil { order.append(target) }
    startNext()
  }

  /// Looks whether the program has ended, and starts the next.
  mutating func childEnded() {
    guard let running = child else { return }
    do throws(SystemError) {
      guard let end = try ChildProcess.end(of: running) else { return }
      finished(end)
    } catch {
      child = nil
      WatchCommand.complain("\(error)")
    }
    startNext()
  }

  /// Waits for all that run or wait for their turn.
  mutating func drain() {
    while let running = child {
      do throws(SystemError) { finished(try ChildProcess.waitForEnd(of: running)) } catch {
        child = nil
      }
      startNext()
    }
  }

  private mutating func finished(_ end: ChildEnd) {
    child = nil
    switch end {
    case .status(0): break
    case .status(let number): WatchCommand.complain("'\(shown)' ended with status \(number)")
    case .signal(let number): WatchCommand.complain("'\(shown)' ended by signal \(number)")
    }
  }

  private mutating func startNext() {
    while child == nil, !order.isEmpty {
      let target = order.removeFirst()
      guard let variables = waiting.removeValue(forKey: target) else { continue }
      do throws(SystemError) {
        child = try ChildProcess.spawn(words: words, variables: variables)
      } catch {
        WatchCommand.complain("cannot run '\(shown)': \(error.reason)")
      }
    }
  }

  private var shown: String { printable(Array((words.first ?? "").utf8)) }

  /// The facts of a report as variables of an environment.
  static func variables(
    _ report: ReachabilityReport, target: String, time: String
  ) -> [(name: String, value: String)] {
    let (verdict, best) = (report.verdict, report.verdict.best)
    let zone = best.interface?.name
    func yes(_ way: WayVerdict?) -> String? { way.map { $0.isReachable ? "yes" : "no" } }
    let all: [(String, String?)] = [
      ("EVENT", report.isSnapshot ? "snapshot" : "change"), ("TARGET", target),
      ("STATUS", verdict.status.word), ("STATUS_CODE", "\(verdict.status.rawValue)"),
      ("CONNECTION", verdict.connection.rawValue), ("MEDIUM", best.medium.rawValue),
      ("FLAGS", best.flags.names.joined(separator: ",")),
      ("FLAGS_VALUE", "\(best.flags.rawValue)"), ("INTERFACE", zone),
      ("INTERFACE_INDEX", best.interface.map { "\($0.index)" }),
      ("SOURCE", best.source?.text(zone: zone)), ("GATEWAY", best.gateway?.text(zone: zone)),
      ("NEXT_HOP", best.nextHop.rawValue), ("IPV4", yes(verdict.ipv4)),
      ("IPV6", yes(verdict.ipv6)), ("REASON", best.reason?.rawValue),
      ("CAUSE", report.cause.word), ("PREVIOUS_STATUS", report.previous?.status.word),
      ("TIME", time),
    ]
    return all.compactMap { name, value in value.map { ("LANTOOL_\(name)", $0) } }
  }
}
