/// Why a text names no service type.
public struct ServiceTypeError: Error, Hashable, Sendable {
  /// What is wrong with it.
  public enum Reason: Hashable, Sendable {
    /// Nothing is there.
    case empty
    /// It is no domain name: an empty label, a label or name that is too long, a wrong escape.
    case notAName
    /// The service name has more than 15 characters.
    case tooLong(Int)
    /// The service name holds something else than letters, digits and hyphens.
    case badCharacter(String)
    /// The service name has no letter.
    case noLetter
    /// The service name begins or ends with a hyphen.
    case hyphenAtEnd
    /// The service name has two hyphens in a row.
    case doubleHyphen
    /// What follows the service name is neither `_tcp` nor `_udp`.
    case transport(String)
    /// The labels do not begin with underscores; the text as it was meant, perhaps.
    case underscore(suggestion: String)
    /// It names an instance of the type that is given.
    case instance(type: String)
    /// It is the name that lists all types (RFC 6763 section 9).
    case enumeration
    /// A subtype is empty, or is more than one label.
    case subtype(String)
    /// A subtype is named in both forms, before `_sub` and behind a comma.
    case twoForms
    /// There is a domain where none may be.
    case domain(String)
    /// There is more than one subtype where one may be.
    case severalSubtypes
  }

  /// What is wrong.
  public var reason: Reason
  /// The text as it was given.
  public var text: String

  /// Makes an error about `text`.
  public init(_ reason: Reason, _ text: String) {
    self.reason = reason
    self.text = text
  }
}

extension ServiceTypeError: CustomStringConvertible {
  /// A sentence without a full stop.
  public var description: String { "'\(text)' is no service type: \(explanation)" }

  /// What is wrong, without the text itself.
  public var explanation: String {
    switch reason {
    case .empty: "it is empty"
    case .notAName: "it is no domain name"
    case .tooLong(let count): "its name has \(count) characters, and 15 are allowed"
    case .badCharacter(let character):
      "its name holds '\(character)', and letters, digits and hyphens are allowed"
    case .noLetter: "its name has no letter"
    case .hyphenAtEnd: "its name begins or ends with a hyphen"
    case .doubleHyphen: "its name has two hyphens in a row"
    case .transport(let label): "'\(label)' is neither _tcp nor _udp"
    case .underscore(let suggestion): "both parts begin with an underscore, as in '\(suggestion)'"
    case .instance(let type): "it is the name of one service, whose type is '\(type)'"
    case .enumeration: "it is the list of all types, which is what you get without a type"
    case .subtype(let label): "the subtype '\(label)' is not a label of 1 to 63 bytes"
    case .twoForms: "a subtype stands either before '_sub' or behind a comma"
    case .domain(let domain): "the domain '\(domain)' is not wanted here"
    case .severalSubtypes: "only one subtype can be given here"
    }
  }
}
