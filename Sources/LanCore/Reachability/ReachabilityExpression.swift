/// A condition on a verdict, as `--wait` takes it: `reachable and ipv6 and not transient`.
///
/// Grammar, words in any case:
///
///     expression = conjunction *("or" conjunction)
///     conjunction = negation *("and" negation)
///     negation = ["not"] ("(" expression ")" / term)
///     term = word / key "=" value
///
/// `&&`, `||` and `!` mean the same as the words. A verdict that is not known fulfils neither a
/// condition nor its opposite.
public indirect enum ReachabilityExpression: Hashable, Sendable {
  /// Both hold.
  case and(ReachabilityExpression, ReachabilityExpression)
  /// One of them holds.
  case or(ReachabilityExpression, ReachabilityExpression)
  /// It does not hold.
  case not(ReachabilityExpression)
  /// Packets can leave: the status is one of the two reachable ones.
  case reachable
  /// They can leave by this family.
  case family(isIPv6: Bool)
  /// The flag is set.
  case flag(ReachabilityFlags)
  /// The status is this.
  case status(ReachabilityStatus)
  /// This stands between the flags and traffic.
  case connection(ReachabilityConnection)
  /// The way goes over such a link.
  case medium(Medium)
  /// The way goes over the interface of this name.
  case interface(String)
  /// The first hop is in this state.
  case nextHop(NextHopState)
  /// Only a part of the ways works.
  case partial

  /// Why a text is no condition, and at which byte.
  public struct ParseError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
      /// Nothing there.
      case empty
      /// It ends where a term should be.
      case endsEarly
      /// A word that means nothing.
      case unknownWord(String)
      /// Something behind the end of the condition.
      case unexpected(String)
      /// A parenthesis that is not closed.
      case unclosed
      /// Longer or deeper than any sensible condition.
      case tooComplex
    }

    /// What is wrong.
    public var reason: Reason
    /// The byte at which it is.
    public var offset: Int

    /// An error at a byte.
    public init(reason: Reason, offset: Int) {
      self.reason = reason
      self.offset = offset
    }
  }

  /// The condition that `text` says.
  ///
  /// - Throws: `ParseError` with the byte where `text` stops being one.
  public init(parsing text: String) throws(ParseError) {
    var parser = try ReachabilityExpressionParser(text)
    self = try parser.parse()
  }

  /// True if the verdict fulfils the condition; nil if it is not known.
  public func holds(_ verdict: Verdict) -> Bool? {
    switch self {
    case .not(let inner): return inner.holds(verdict).map { !$0 }
    case .and(let left, let right):
      let (a, b) = (left.holds(verdict), right.holds(verdict))
      if a == false || b == false { return false }
      return a == nil || b == nil ? nil : true
    case .or(let left, let right):
      let (a, b) = (left.holds(verdict), right.holds(verdict))
      if a == true || b == true { return true }
      return a == nil || b == nil ? nil : false
    case .status(let status): return verdict.status == status
    default: return verdict.status == .unknown ? nil : term(verdict)
    }
  }

  private func term(_ verdict: Verdict) -> Bool {
    switch self {
    case .reachable: verdict.status.isReachable
    case .family(let isIPv6):
      (isIPv6 ? verdict.ipv6 : verdict.ipv4)?.isReachable ?? false
    case .flag(let flag): verdict.flags.contains(flag)
    case .connection(let connection): verdict.connection == connection
    case .medium(let medium): verdict.best.medium == medium
    case .interface(let name): verdict.best.interface?.name == name
    case .nextHop(let state): verdict.best.nextHop == state
    case .partial: verdict.best.isPartial
    case .and, .or, .not, .status: false
    }
  }

  /// The words that stand for a term each, with what they mean; for help texts and completions.
  public static let words: [(word: String, term: ReachabilityExpression)] = {
    var words: [(String, ReachabilityExpression)] = [
      ("reachable", .reachable), ("ipv4", .family(isIPv6: false)),
      ("ipv6", .family(isIPv6: true)), ("partial", .partial),
      ("transient", .flag(.transientConnection)), ("local", .flag(.isLocalAddress)),
      ("direct", .flag(.isDirect)), ("wwan", .flag(.isWWAN)),
    ]
    words += ReachabilityFlags.all.dropFirst().map { ($0.name, .flag($0.flag)) }
    words += ReachabilityStatus.allCases.map { ($0.word, .status($0)) }
    words += ReachabilityConnection.allCases.map { ($0.rawValue, .connection($0)) }
    words += Medium.allCases.filter { $0 != .unknown }.map { ($0.rawValue, .medium($0)) }
    return words
  }()
}
