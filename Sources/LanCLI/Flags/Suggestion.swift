/// Finds the word that a typing error was probably meant to be.
enum Suggestion {
  /// The closest of `words`; nil if none is close or several are equally so.
  static func closest(to typed: String, among words: [String]) -> String? {
    let limit = max(1, typed.utf8.count / 3)
    let rated = words.map { (word: $0, distance: distance(typed, $0)) }
    guard let best = rated.min(by: { $0.distance < $1.distance }), best.distance <= limit,
      rated.count(where: { $0.distance == best.distance }) == 1
    else { return nil }
    return best.word
  }

  /// How many insertions, deletions, replacements and swaps of neighbours lead from one to the other.
  static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first.utf8.prefix(64))
    let b = Array(second.utf8.prefix(64))
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
