import Foundation
import TestKit

/// What is known of one capture of the shared folder.
struct Golden: Sendable {
  /// The capture's file name.
  var name: String
  /// The capture's path.
  var capture: String
  /// The reference's facts as they stand in the file.
  var facts: JSON

  /// The reference's packets by frame number; quotes inside ICMP errors are no messages.
  var packets: [Int: JSON] {
    let told = (facts["packets"]?.list ?? []).filter { $0["inside_icmp"] == nil }
    return Dictionary(told.compactMap { packet in packet["n"]?.integer.map { ($0, packet) } }) {
      first, _ in first
    }
  }

  /// Whether the reference says that the file is damaged or cut short.
  var isBroken: Bool { facts["tshark_says"] != nil }

  /// The names of all captures of the shared folder that have facts; none where it is missing.
  static let names: [String] = {
    guard let folder = Repository.shared?.appending(path: "captures/open") else { return [] }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".pcap") || $0.hasSuffix(".pcapng") }.sorted()
  }()

  init(_ name: String) async throws {
    guard let shared = Repository.shared else { throw CocoaError(.fileNoSuchFile) }
    let plain = shared.appending(path: "captures/golden/\(name).json")
    self.name = name
    capture = shared.appending(path: "captures/open/\(name)").path
    if FileManager.default.fileExists(atPath: plain.path) {
      facts = try JSON(try Data(contentsOf: plain))
    } else {
      facts = try JSON(try await runCommand(["gzip", "-dc", plain.path + ".gz"]).stdout)
    }
  }
}
