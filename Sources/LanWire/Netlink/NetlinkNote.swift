/// A fact that netlink does not carry, or a verdict, as the comment of a frame in a recording.
///
/// The comment's first line is `lantool 1 KIND SUBJECT`, the rest is the text; other tools show it
/// as it is. The frame is an empty message (NLMSG_NOOP), so that a recording holds all facts in the
/// order in which they were learnt.
public struct NetlinkNote: Hashable, Sendable {
  /// What a note is about.
  public enum Kind: String, Hashable, Sendable {
    /// The content of a file of sysfs; the subject is its path below the root of sysfs.
    case sysfs
    /// A line for each radio switch, in hexadecimal bytes of `struct rfkill_event`.
    case rfkill
    /// The evaluator's verdict; the subject is the target.
    case verdict
    /// Events were lost, so that everything was asked again.
    case overrun
    /// What the recording was made with; the subject is a name, the text its value.
    case setting
  }

  /// What it is about.
  public var kind: Kind
  /// What of that; without line breaks.
  public var subject: String
  /// The fact.
  public var text: String

  /// A note from its parts.
  public init(_ kind: Kind, _ subject: String, _ text: String) {
    self.kind = kind
    self.subject = subject
    self.text = text
  }

  private static let mark = "lantool 1 "

  /// Reads the comment of a frame; nil for a comment of somebody else.
  public init?(comment: String) {
    guard comment.hasPrefix(Self.mark) else { return nil }
    let lines = comment.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let words = lines[0].dropFirst(Self.mark.count)
      .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = words.first.flatMap({ Kind(rawValue: String($0)) }) else { return nil }
    self.init(
      kind, words.count > 1 ? String(words[1]) : "", lines.count > 1 ? String(lines[1]) : "")
  }

  /// The comment; a line break in the subject becomes a space.
  public var comment: String {
    let line = String(subject.map { $0.isNewline ? " " : $0 })
    return "\(Self.mark)\(kind.rawValue) \(line)\n\(text)"
  }
}
