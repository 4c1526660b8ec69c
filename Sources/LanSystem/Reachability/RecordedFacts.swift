import LanCore
import LanWire

/// How facts beside netlink stand in a recording.
enum RecordedFacts {
  /// The setting that stands in front of the first look-ups: the state was read up to here.
  static let beginning = NetlinkNote(.setting, "started", "")

  /// The answer of the resolver.
  static func note(_ name: String, _ resolution: NameResolution) -> NetlinkNote? {
    let text: String
    switch resolution {
    case .pending: return nil
    case .addresses(let addresses):
      text = addresses.map(\.description).joined(separator: "\n")
    case .notFound: text = "not-found"
    case .failed(let reason): text = "failed \(reason)"
    }
    return NetlinkNote(.setting, "name \(name)", text)
  }

  /// The name and the answer of the resolver in a note; nil for any other note.
  static func resolution(_ note: NetlinkNote) -> (name: String, NameResolution)? {
    guard note.kind == .setting, note.subject.hasPrefix("name ") else { return nil }
    let name = String(note.subject.dropFirst(5))
    if note.text == "not-found" { return (name, .notFound) }
    if note.text.hasPrefix("failed ") { return (name, .failed(String(note.text.dropFirst(7)))) }
    let addresses = note.text.split(separator: "\n").compactMap { IPAddress(parsing: String($0)) }
    return (name, addresses.isEmpty ? .notFound : .addresses(addresses))
  }

  /// Says that the overrun in front of it was one of a single kind of messages.
  static func note(_ loss: ReachabilityMachine.Loss) -> NetlinkNote {
    NetlinkNote(.setting, "loss", loss.rawValue)
  }

  /// The kind of messages in such a note; nil for any other note.
  static func loss(_ note: NetlinkNote) -> ReachabilityMachine.Loss? {
    guard note.kind == .setting, note.subject == "loss" else { return nil }
    return ReachabilityMachine.Loss(rawValue: note.text)
  }

  /// An event of the rfkill device.
  static func note(radio event: [UInt8]) -> NetlinkNote {
    let digits = Array("0123456789abcdef")
    let text = event.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
    return NetlinkNote(.rfkill, "", text)
  }

  /// The events of the rfkill device in a note; empty for any other note.
  static func radios(_ note: NetlinkNote) -> [KernelMessage] {
    guard note.kind == .rfkill else { return [] }
    return note.text.split(separator: "\n").compactMap { line in
      let digits = line.compactMap(\.hexDigitValue)
      var bytes: [UInt8] = []
      for index in stride(from: 0, to: digits.count - 1, by: 2) {
        bytes.append(UInt8(digits[index] << 4 | digits[index + 1]))
      }
      return RadioDevice.message(bytes)
    }
  }

  /// A verdict in one line, for people who read the recording and for tests that compare.
  static func note(_ report: ReachabilityReport) -> NetlinkNote {
    let verdict = report.verdict
    var words = [
      report.cause.word, "\(verdict.status)", "flags=\(verdict.flags.rawValue)",
      "medium=\(verdict.best.medium.rawValue)",
    ]
    if let interface = verdict.best.interface { words.append("interface=\(interface.name)") }
    if let reason = verdict.reason { words.append("reason=\(reason.rawValue)") }
    return NetlinkNote(.verdict, subject(report.question), words.joined(separator: " "))
  }

  private static func subject(_ question: ReachabilityQuestion) -> String {
    switch question.target {
    case .defaultPath: "default"
    case .host(let name): name
    case .address(let address, let zone): zone.map { "\(address)%\($0)" } ?? "\(address)"
    }
  }
}
