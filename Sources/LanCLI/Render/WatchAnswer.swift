import LanCore
import LanSystem
import LanWire

/// What a probe of `--verify` found, for output.
struct WatchAnswer: Hashable {
  let report: ProbeReport

  init(_ report: ProbeReport) { self.report = report }

  /// True if the target itself answered as expected.
  var isVerified: Bool { report.isVerified }

  /// The probe as `--verify` names it.
  private var method: String {
    switch report.probe {
    case .neighbour: "neighbour"
    case .icmp: "icmp"
    case .tcp(let port): "tcp:\(port)"
    case .http(let probe): "http://\(probe.host):\(probe.port)\(probe.path)"
    }
  }

  /// Writes `,"verified":…,"verification":{…}`.
  func appendJSON(to out: inout OutputBuffer) {
    out.appendJSON("verified", isVerified)
    out.append(",\"verification\":{\"method\":")
    out.appendJSON(string: method)
    switch report.outcome {
    case .connectivity(let connectivity): out.appendJSON("connectivity", connectivity.rawValue)
    case .failure(let failure): out.appendJSON("error", failure.text)
    }
    if let address = report.address { out.appendJSON("address", "\(address)") }
    if !report.detail.isEmpty { out.appendJSON("detail", report.detail) }
    out.appendJSON("elapsedMicroseconds", report.elapsed / 1_000)
    out.append("}")
  }

  /// A few words for people.
  var text: String {
    let words =
      switch report.outcome {
      case .connectivity(.full): MessageCatalog.text("verified")
      case .connectivity(.portal): MessageCatalog.text("a captive portal answered")
      case .connectivity(.limited): MessageCatalog.text("answered, but not as wanted")
      case .connectivity(.none): MessageCatalog.text("no answer")
      case .failure(let failure): failure.text
      }
    let microseconds = report.elapsed / 1_000
    let address = report.address.map { " \($0)" } ?? ""
    let detail = report.detail.isEmpty ? "" : ", \(report.detail)"
    let tenths = microseconds % 1_000 / 100
    return "\(words): \(method)\(address)\(detail), \(microseconds / 1_000).\(tenths) ms"
  }
}

extension ProbeReport.Failure {
  /// Why the probe could not be made, in a few words.
  var text: String {
    switch self {
    case .permissionDenied(let remedy): "not permitted; \(remedy)"
    case .noDestination: "there is no address to send it to"
    case .unresolved(let why): "the name cannot be resolved: \(why)"
    case .system(let error): error.description
    }
  }
}
