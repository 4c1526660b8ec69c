import LanCore

/// Where the events of a run come from: the network, a capture file, DNS servers, or a test.
protocol BrowseSource: AnyObject {
  /// Begins; one that follows the network tells on the loop from then on, one that reads a file
  /// has told everything when it returns.
  ///
  /// - Throws: When it cannot begin.
  func start(_ listener: BrowseListener) throws

  /// Ends; no event comes afterwards.
  func stop()

  /// When what is told just now happened, nanoseconds since 1970; nil where nobody knows.
  var wallTime: Int64? { get }

  /// Nanoseconds since it began, by the clock of what it tells.
  var elapsed: Int64 { get }

  /// The name of a link.
  func interfaceName(_ index: UInt32) -> String?
}

/// What a source tells.
struct BrowseListener {
  /// Something happened.
  var event: (ServiceEvent) -> Void
  /// Something is amiss, and does not end the run; a line for people.
  var complaint: (String) -> Void
  /// The source ended by itself, for this reason.
  var end: (BrowseSourceEnd) -> Void
}

/// Why a source ended by itself.
enum BrowseSourceEnd: Hashable {
  /// Everything has been read.
  case complete
  /// `--timeout` has passed before that.
  case timedOut
  /// It broke off; a line for people.
  case failed(String)
  /// A signal ended it.
  case interrupted(Int32)
}
