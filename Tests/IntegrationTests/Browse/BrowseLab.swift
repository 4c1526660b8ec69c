import Foundation
import TestKit
import Testing

/// All tests of `lantool browse` in namespaces, one at a time.
@Suite("browse in namespaces", .serialized, .enabled(if: RecipeLab.isPossible, RecipeLab.missing))
enum BrowseInNamespaces {}

extension RecipeLab {
  /// Runs `lantool browse` in the own namespace to its end.
  func browse(_ arguments: [String], timeout: Double = 40) async throws -> Run {
    try await runLantool(["browse", "--netns", own] + arguments, timeout: timeout)
  }

  /// Starts `lantool browse --json`, following.
  func browsing(_ arguments: String...) throws -> Follower {
    Follower(try Child([lantoolPath, "browse", "--netns", own, "--json"] + arguments), in: self)
  }

  /// Starts it and waits until it listens on an interface: until it has sent its first question.
  ///
  /// For tests whose peers speak unasked and once.
  func listening(_ arguments: String..., on interface: String = "v1") async throws -> Follower {
    let tap = try await Tap(in: peer, interface)
    let follower = Follower(
      try Child([lantoolPath, "browse", "--netns", own, "--json"] + arguments), in: self)
    let asked = try await tap.child.wait(timeout: 10) { $0.outputSoFar.contains("\n") }
    try #require(asked, "it asks nothing: \(follower.child.errorsSoFar)")
    return follower
  }

  /// Drops and doubles datagrams of multicast DNS on the way to and from v0, in percent.
  func disturb(loss: Int, copies: Int) async throws {
    try await sh(
      """
      nft -f - <<N
      table netdev disturb {
        chain come { type filter hook ingress device "v0" priority 0;
          udp dport 5353 numgen random mod 100 < \(loss) drop; }
        chain go { type filter hook egress device "v0" priority 0;
          udp dport 5353 numgen random mod 100 < \(loss) drop; }
      }
      N
      there nft -f - <<N
      table netdev disturb {
        chain go { type filter hook egress device "v1" priority 0;
          udp dport 5353 meta mark != 0x1ab numgen random mod 100 < \(copies) \
            meta mark set 0x1ab dup to "v1"; }
      }
      N
      """)
  }

  /// What comes from the peer is lost from now on, while the link stays up.
  func cut() async throws {
    try await sh(
      """
      nft 'table netdev cut { chain c { type filter hook ingress device "v0" priority 0; drop; }; }'
      """)
  }
}

/// A `tcpdump` of multicast DNS that prints a line a packet.
final class Tap: Sendable {
  let child: Child

  /// Starts it and waits until it captures.
  init(in namespace: String, _ interface: String) async throws {
    child = try Child([
      "ip", "netns", "exec", namespace, "tcpdump", "-lnn", "--immediate-mode", "-i", interface,
      "udp port 5353",
    ])
    let captures = try await child.wait(timeout: 10) { $0.errorsSoFar.contains("listening on") }
    try #require(captures, "\(child.errorsSoFar)")
  }

  deinit { child.signal(SIGKILL) }

  /// The lines about packets from one of these sources.
  func lines(from sources: [String]) -> [String] {
    child.outputSoFar.split(separator: "\n").map(String.init).filter { line in
      sources.contains { line.contains(" \($0).5353 >") }
    }
  }
}

/// What a run of `browse` has told, brought together.
struct BrowsedList {
  /// The services that are there, by name and interface.
  private(set) var services: [String: JSON] = [:]
  /// Events that do not fit: added twice, updated or removed without being there.
  private(set) var faults: [String] = []

  init(_ records: [JSON]) { for record in records { take(record) } }

  private mutating func take(_ record: JSON) {
    guard let event = record.event, let name = record["serviceName"]?.text else { return }
    let key = "\(name.asciiLowercased)%\(record["interface"]?.text ?? "")"
    let isKnown = services[key] != nil
    switch event {
    case "added":
      if isKnown { faults.append("added again: \(key)") }
      services[key] = record
    case "updated":
      if !isKnown { faults.append("updated, not added: \(key)") }
      services[key] = record
    case "removed":
      if !isKnown { faults.append("removed, not added: \(key)") }
      services[key] = nil
    default: break
    }
  }

  /// The instance names, sorted.
  var instances: [String] { services.values.compactMap { $0["instance"]?.text }.sorted() }

  /// The services without what differs from run to run.
  var facts: [ServiceFacts] { services.values.map(ServiceFacts.init).sorted() }
}

extension String {
  /// With small ASCII letters; the names of DNS fold no other ones.
  var asciiLowercased: String {
    String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }
}

/// What has to agree about a service, whoever tells it.
struct ServiceFacts: Hashable, Comparable {
  var instance: String
  var type: String
  var host: String
  var port: Int
  var txt: JSON
  var addresses: [String]

  init(
    _ instance: String, _ type: String, _ host: String, _ port: Int, _ txt: JSON,
    _ addresses: [String]
  ) {
    self.instance = instance
    self.type = type
    self.host = host
    self.port = port
    self.txt = txt
    self.addresses = addresses.sorted()
  }

  init(_ record: JSON) {
    self.init(
      record["instance"]?.text ?? "", record["type"]?.text ?? "", record["host"]?.text ?? "",
      record["port"]?.integer ?? -1, record["txt"] ?? .null,
      record["addresses"]?.list.compactMap(\.text) ?? [])
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.instance, left.type) < (right.instance, right.type)
  }

  /// What the farm offers under a number.
  static func farm(_ number: Int, hosts: Int, type: String = "_http._tcp") -> ServiceFacts {
    let host = number % hosts
    return ServiceFacts(
      "Farm Service \(number)", type, "farm-host-\(host).local", 1024 + number % 60_000,
      .object(["id": .text("\(number)")]),
      ["10.77.\(100 + host / 250).\(host % 250 + 1)", "fd77::f:\(String(host, radix: 16))"])
  }
}

/// Checks lines against the schema of `browse`.
func expectBrowseSchema(_ lines: Data) async throws {
  let schema = Repository.top.appending(path: "schema/lantool.browse.schema.json").path
  let checker = Repository.top.appending(path: "schema/check.py").path
  let check = try await runCommand(["python3", checker, schema], stdin: lines, timeout: 60)
  #expect(check.status == 0, "\(check.errors)\(check.output.prefix(2_000))")
}
