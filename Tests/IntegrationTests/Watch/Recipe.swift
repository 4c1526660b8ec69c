import Foundation
import TestKit
import Testing

/// A state of a namespace and what `watch --once` has to say about a target in it.
struct Recipe: Sendable, CustomTestStringConvertible {
  let name: String
  let setup: String
  let arguments: [String]
  let expected: Expected

  var testDescription: String { name }

  /// `arguments` are separated by blanks; the last one is the target.
  init(_ name: String, _ setup: String, _ arguments: String, _ expected: Expected) {
    self.name = name
    self.setup = setup
    self.arguments = arguments.split(separator: " ").map(String.init)
    self.expected = expected
  }

  /// Makes the namespace, asks once, compares.
  func run() async throws {
    let lab = try await RecipeLab(setup)
    let run = try await lab.watch(["--once", "--json"] + arguments)
    let record = try #require(
      try run.objects().events("snapshot").first, "status \(run.status): \(run.errors)")
    #expect(expected.differences(record) == [], "\(name)")
    #expect(run.status == expected.exitStatus, "\(name): \(run.errors)")
    if run.status != expected.exitStatus || expected.differences(record) != [] {
      print("\(name): \(brief(record))")
    }
  }
}

/// SCNetworkReachability's flags.
enum Flag: Int, CaseIterable {
  case transientConnection = 0x1
  case reachable = 0x2
  case connectionRequired = 0x4
  case connectionOnTraffic = 0x8
  case interventionRequired = 0x10
  case connectionOnDemand = 0x20
  case isLocalAddress = 0x10000
  case isDirect = 0x20000
  case isWWAN = 0x40000
}

/// Stands for a member that must not be there.
let absent = "(absent)"

/// What a record has to say.
struct Expected: Sendable {
  var flags: Set<Flag>
  var status: String
  var connection: String
  var medium: String
  var reason: String?
  /// Members by their path (`families.ipv4.reason`) with their text, or `absent`.
  var members: [String: String] = [:]
  /// Words that `why` has to hold.
  var why: [String] = []

  var exitStatus: Int32 {
    if status.hasPrefix("reachable") { return 0 }
    return status == "unknown" ? 2 : 1
  }

  /// Packets can leave at once.
  static func up(_ flags: Flag..., medium: String = "ethernet", by interface: String? = nil) -> Self
  {
    let all = Set(flags).union([.reachable])
    var expected = Expected(
      flags: all, status: all.contains(.isWWAN) ? "reachableViaWWAN" : "reachableViaWiFi",
      connection: "notNeeded", medium: medium)
    if let interface { expected.members["interface"] = interface }
    return expected
  }

  /// Nothing can leave.
  static func down(_ reason: String, medium: String = "unknown") -> Self {
    Expected(
      flags: [], status: "notReachable", connection: "notNeeded", medium: medium, reason: reason)
  }

  /// The link waits; `status` is the seed's rule for these flags.
  static func waiting(
    _ connection: String, _ flags: Flag..., medium: String, status: String,
    reason: String? = nil
  ) -> Self {
    Expected(
      flags: Set(flags).union([.reachable, .connectionRequired]), status: status,
      connection: connection, medium: medium, reason: reason)
  }

  /// The same with members that have to have these values.
  func with(_ members: [String: String]) -> Self {
    var result = self
    result.members.merge(members) { $1 }
    return result
  }

  /// The same with facts that `why` has to name.
  func because(_ words: String...) -> Self {
    var result = self
    result.why += words
    return result
  }

  /// What the record says otherwise; a line each.
  func differences(_ record: JSON) -> [String] {
    var result: [String] = []
    func compare(_ what: String, _ expected: String?, _ got: String?) {
      if expected != got {
        result.append("\(what): expected \(expected ?? "none"), got \(got ?? "none")")
      }
    }
    let names = record["flags"]?.list.compactMap(\.text) ?? []
    compare("flags", flags.map { "\($0)" }.sorted().description, names.sorted().description)
    let value = flags.reduce(0) { $0 | $1.rawValue }
    compare("flagsValue", String(value), record["flagsValue"]?.integer.map { String($0) })
    compare("status", status, record["status"]?.text)
    let codes = ["unknown": -1, "notReachable": 0, "reachableViaWWAN": 1, "reachableViaWiFi": 2]
    compare(
      "statusCode", codes[status].map { String($0) },
      record["statusCode"]?.integer.map { String($0) }
    )
    compare("connection", connection, record["connection"]?.text)
    compare("medium", medium, record["medium"]?.text)
    compare("reason", reason, record["reason"]?.text)
    for (path, expected) in members.sorted(by: { $0.key < $1.key }) {
      compare(path, expected, record.member(path) ?? absent)
    }
    let facts = Set(record["why"]?.list.compactMap { $0["fact"]?.text } ?? [])
    for word in why where !facts.contains(word) {
      result.append("why: no \(word) among \(facts.sorted())")
    }
    return result
  }
}

extension JSON {
  /// The text, number, truth or list of texts under a path with dots.
  func member(_ path: String) -> String? {
    var value: JSON? = self
    for key in path.split(separator: ".") { value = value?[String(key)] }
    return switch value {
    case .text(let text)?: text
    case .integer(let number)?: String(number)
    case .bool(let flag)?: String(flag)
    case .list(let list)?: list.compactMap(\.text).joined(separator: " ")
    default: nil
    }
  }

  /// The evidence under `key` of the fact `word`.
  func evidence(_ word: String, _ key: String) -> String? {
    self["why"]?.list.first { $0["fact"]?.text == word }?.member(key)
  }
}
