import LanSystem

/// Colours of text for people (ECMA-48 section 8.3.117); nothing at all when off.
struct TerminalStyle: Sendable {
  let isOn: Bool

  enum Tone { case plain, dim, bold, red, green, yellow, blue, magenta, cyan }

  @inline(__always) func begin(_ tone: Tone, to out: inout OutputBuffer) {
    guard isOn else { return }
    switch tone {
    case .plain: break
    case .dim: out.append("\u{1B}[2m")
    case .bold: out.append("\u{1B}[1m")
    case .red: out.append("\u{1B}[31m")
    case .green: out.append("\u{1B}[32m")
    case .yellow: out.append("\u{1B}[33m")
    case .blue: out.append("\u{1B}[34m")
    case .magenta: out.append("\u{1B}[35m")
    case .cyan: out.append("\u{1B}[36m")
    }
  }

  @inline(__always) func end(to out: inout OutputBuffer) {
    if isOn { out.append("\u{1B}[0m") }
  }
}
