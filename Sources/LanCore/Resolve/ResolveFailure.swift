/// Why a query has no answer.
public enum ResolveFailure: Error, Hashable, Sendable {
  /// There is no such name, or the name has no such record.
  case notFound
  /// The name is there and has no address of the wanted family.
  case noAddress
  /// Everybody was asked as often as is proper, and nobody answered.
  case noAnswer
  /// The name of the service is reserved and nothing runs there (RFC 6763 section 8).
  case placeholder
  /// The caller's time limit passed.
  case timeout
  /// The caller gave up.
  case cancelled
  /// There is no interface that multicast DNS can be spoken on.
  case noInterface
  /// The resolver or the system failed, in its own words.
  case failed(String)

  /// The word for programs.
  public var word: String {
    switch self {
    case .notFound: "notFound"
    case .noAddress: "noAddress"
    case .noAnswer: "noAnswer"
    case .placeholder: "placeholder"
    case .timeout: "timeout"
    case .cancelled: "cancelled"
    case .noInterface: "noInterface"
    case .failed: "resolverFailed"
    }
  }

  /// The number that NSNetService has for it.
  public var code: Int {
    switch self {
    case .notFound, .noAddress, .placeholder: -72_002
    case .noAnswer, .timeout: -72_007
    case .cancelled: -72_005
    case .noInterface: -72_006
    case .failed: -72_000
    }
  }

  /// True when nobody can say whether there is an answer.
  public var isUndetermined: Bool {
    switch self {
    case .noInterface, .failed: true
    default: false
    }
  }

  /// How much it tells: of several failures the greatest is shown.
  var weight: Int {
    switch self {
    case .cancelled: 0
    case .timeout: 1
    case .noInterface: 2
    case .noAnswer: 3
    case .failed: 4
    case .notFound: 5
    case .noAddress: 6
    case .placeholder: 7
    }
  }
}
