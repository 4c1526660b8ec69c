import Foundation
import LanCore
import LanWire
import Synchronization
import TestKit

@testable import LanSystem

/// A network namespace whose loopback has DNS servers: a real one with the zone `example.org`, and
/// one that misbehaves.
///
/// The real one is Knot DNS at port 53, the other one `Tests/Lab/dns_misbehaving.py` at port 5300.
final class DNSLab {
  /// Why these labs cannot run here; nil where they can.
  static let obstacle: String? =
    Lab.obstacle
    ?? (FileManager.default.isExecutableFile(atPath: knotd) ? nil : "\(knotd) is not installed")
  static var isPossible: Bool { obstacle == nil }
  static let skipped = "\(obstacle ?? "")"
  private static let knotd = "/usr/sbin/knotd"

  static let server = SocketEndpoint(.v4(IPv4Address(bits: 0x7F00_0001)), port: 53)
  static let server6 = SocketEndpoint(.v6(IPv6Address(high: 0, low: 1)), port: 53)
  static let stub = SocketEndpoint(.v4(IPv4Address(bits: 0x7F00_0001)), port: 5_300)
  static let stub6 = SocketEndpoint(.v6(IPv6Address(high: 0, low: 1)), port: 5_300)

  let namespace: NetlinkLab
  private let folder: URL
  private var serial = 1

  init() throws {
    namespace = try NetlinkLab("")
    folder = FileManager.default.temporaryDirectory.appending(path: "dns-\(namespace.name)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    for name in ["knotd", "stub"] {
      Lab.shell("kill $(cat '\(folder.path)/\(name).pid'); rm -f '\(folder.path)/\(name).pid'")
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Starts the server with the records of a zone file, without its SOA and NS records.
  func serve(_ records: String) throws {
    try write(records)
    let configuration = """
      server:
          rundir: "\(folder.path)"
          listen: [ 127.0.0.1@53, ::1@53 ]
      database:
          storage: "\(folder.path)"
      template:
        - id: default
          storage: "\(folder.path)"
          journal-content: none
      zone:
        - domain: example.org
          file: "zone"
      """
    try configuration.write(
      to: folder.appending(path: "knot.conf"), atomically: true, encoding: .utf8)
    try start("knotd", "\(Self.knotd) -c '\(folder.path)/knot.conf'")
    try wait(for: Self.server, "example.org", .soa)
  }

  /// Replaces the zone's records while the server runs.
  func change(_ records: String) throws {
    try write(records)
    try namespace.run("kill -HUP $(cat '\(folder.path)/knotd.pid')")
  }

  /// Stops the server.
  func stopServer() throws {
    try namespace.run("kill $(cat '\(folder.path)/knotd.pid')")
  }

  /// Starts the server that misbehaves.
  func misbehave() throws {
    let script = Repository.top.appending(path: "Tests/Lab/dns_misbehaving.py").path
    try start("stub", "python3 '\(script)' 5300")
    try wait(for: Self.stub, "ready.test", .a)
    try wait(for: Self.stub6, "ready.test", .a)
  }

  /// What the stub was asked: lines of word, transport and `edns` or `plain`.
  var asked: [String] {
    let text = try? String(contentsOf: folder.appending(path: "stub.log"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  func inside(_ body: @escaping @Sendable () throws -> Void) throws {
    try namespace.inside(body)
  }

  private func write(_ records: String) throws {
    let head = """
      $ORIGIN example.org.
      $TTL 120
      @ SOA ns root \(serial) 3600 600 86400 30
      @ NS ns
      ns A 127.0.0.1

      """
    serial += 1
    try (head + records + "\n").write(
      to: folder.appending(path: "zone"), atomically: true, encoding: .utf8)
  }

  private func start(_ name: String, _ command: String) throws {
    try namespace.run(
      """
      ip netns exec $ns \(command) >'\(folder.path)/\(name).log' 2>&1 &
      echo $! >'\(folder.path)/\(name).pid'
      """)
  }

  private func wait(for server: SocketEndpoint, _ name: String, _ type: DNSRecordType) throws {
    let question = DNSQuestion(name: try DNSName(name), type: type)
    let isUp = Mutex(false)
    try inside {
      for _ in 0..<200 {
        let answer = UnicastExchange(servers: [server], timeouts: [1]).ask(question)
        if answer.message != nil { return isUp.withLock { $0 = true } }
        usleep(25_000)
      }
    }
    guard isUp.withLock({ $0 }) else { throw LabError(what: "\(server) does not answer") }
  }
}
