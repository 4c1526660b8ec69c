import LanWire

/// The questions that somebody is interested in, in the order of their beginning.
struct MDNSInterests: Sendable {
  struct Interest: Sendable {
    var question: MDNSQuestion
    var effort: MDNSEffort
    var count: Int
  }
  private(set) var all = MDNSPool<Interest>()
  /// Different questions for the service types that there are.
  private var typeLists = 0
  private var numbers: [MDNSQuestion: Int32] = [:]
  private static let blank = Interest(
    question: MDNSQuestion(.root, .any), effort: .passive, count: 0)

  /// The effort of a question; nil if nobody is interested.
  func effort(_ question: MDNSQuestion) -> MDNSEffort? { numbers[question].map { all[$0].effort } }

  /// Somebody asks which service types there are.
  var wantsTypes: Bool { typeLists > 0 }

  /// Adds an interest.
  ///
  /// - Returns: the effort before; nil for the first interest.
  mutating func add(_ question: MDNSQuestion, _ effort: MDNSEffort) -> MDNSEffort? {
    if let number = numbers[question] {
      let before = all[number].effort
      all[number].count += 1
      all[number].effort = before.joined(effort)
      return before
    }
    if Self.isTypeList(question) { typeLists += 1 }
    numbers[question] = all.insert(Interest(question: question, effort: effort, count: 1))
    return nil
  }

  /// Takes an interest back; true if it was the last one.
  mutating func remove(_ question: MDNSQuestion) -> Bool {
    guard let number = numbers[question] else { return false }
    all[number].count -= 1
    guard all[number].count == 0 else { return false }
    all.remove(number, leaving: Self.blank)
    numbers[question] = nil
    if Self.isTypeList(question) { typeLists -= 1 }
    return true
  }

  static func isTypeList(_ question: MDNSQuestion) -> Bool {
    question.type == .ptr && question.name.isServiceTypeList
  }

  /// The questions that concern a link.
  func questions(on interface: UInt32) -> [(question: MDNSQuestion, effort: MDNSEffort)] {
    (0..<all.bound).compactMap { number in
      let interest = all[number]
      guard interest.count > 0, interest.question.interfaceIndex ?? interface == interface
      else { return nil }
      return (interest.question, interest.effort)
    }
  }
}
