import LanCore

/// Where the events of a run come from: the network, a capture file, DNS servers, or a test.
protocol BrowseSource: AnyObject {
  /// Begins; from then on `onEvent` is called on the loop, and `onEnd` once where it ends by
  /// itself, with the fault that ended it early.
  ///
  /// - Throws: When it cannot begin.
  func start(
    onEvent: @escaping (ServiceEvent) -> Void, onEnd: @escaping (String?) -> Void) throws

  /// Ends; no event comes afterwards.
  func stop()

  /// When what is told just now happened, nanoseconds since 1970; nil where nobody knows.
  var wallTime: Int64? { get }

  /// The name of a link.
  func interfaceName(_ index: UInt32) -> String?
}
