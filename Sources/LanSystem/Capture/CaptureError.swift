/// Why a capture could not start, or why it ended early.
public enum CaptureError: Error, Hashable, Sendable {
  /// libpcap is not installed, or too old; with the loader's words.
  case libraryMissing(detail: String)
  /// The process lacks the right to capture; the remedy says how to get it.
  case permissionDenied(interface: String, remedy: String)
  /// There is no interface of that name; with those that exist.
  case noSuchInterface(interface: String, available: [String])
  /// The interface is switched off.
  case interfaceDown(interface: String)
  /// The interface exists, but nothing can be captured on it.
  case notCapturable(interface: String, detail: String)
  /// The interface went away while the capture ran.
  case interfaceGone(interface: String)
  /// The filter expression is wrong, or asks for what the link type lacks; with libpcap's words.
  case badFilter(expression: String, detail: String)
  /// Something else failed; with libpcap's words.
  case failed(interface: String, detail: String)
}

extension CaptureError: CustomStringConvertible {
  /// What failed, on what, why, and what to do, in one line.
  public var description: String {
    switch self {
    case .libraryMissing(let detail):
      "cannot load libpcap (\(detail)); install it with 'apt-get install libpcap0.8'"
    case .permissionDenied(let interface, let remedy):
      "cannot capture on \(interface): permission denied; \(remedy)"
    case .noSuchInterface(let interface, let available):
      "cannot capture on \(interface): no such interface"
        + (available.isEmpty ? "" : "; there are \(available.joined(separator: ", "))")
    case .interfaceDown(let interface):
      "cannot capture on \(interface): it is down; "
        + "switch it on with 'ip link set \(interface) up'"
    case .notCapturable(let interface, let detail): "cannot capture on \(interface): \(detail)"
    case .interfaceGone(let interface): "capture on \(interface) ended: the interface went away"
    case .badFilter(let expression, let detail): "bad filter '\(expression)': \(detail)"
    case .failed(let interface, let detail): "capture on \(interface) failed: \(detail)"
    }
  }
}
