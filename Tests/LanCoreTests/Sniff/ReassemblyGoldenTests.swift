import Foundation
import LanCore
import LanWire
import TestKit
import Testing

/// What the golden files and our decoder say about one message, in the same words.
private struct Message: Hashable, CustomStringConvertible {
  var facts: [String]
  var description: String { facts.joined(separator: " ") }
}

/// Frames of which the golden says something else on purpose: their UDP length is shorter than
/// the packet, and the golden gives the packet's length.
private let lengthDiffers: Set<String> = ["syn-udp-odd.pcap#3"]

/// Frames with an IEEE 802.1ad tag, which the golden leaves out of its list.
private let outerTags: [String: [Int]] = ["syn-eth-tags.pcap#5": [200]]

@Suite("Datagrams equal the golden files")
struct ReassemblyGoldenTests {
  static let names: [String] = {
    guard let folder = Repository.shared?.appending(path: "captures/open") else { return [] }
    let all = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (all ?? []).filter { !$0.hasSuffix(".bin") }.sorted()
  }()

  @Test(
    "every message of a capture is found, with its addresses, ports, tags and length",
    .enabled(if: Repository.shared != nil, Comment(rawValue: Repository.sharedMissing)),
    arguments: names)
  func equalsGolden(_ name: String) throws {
    let folder = try #require(Repository.shared).appending(path: "captures")
    let file = [UInt8](try Data(contentsOf: folder.appending(path: "open/\(name)")))
    let golden = try Self.golden(folder, name)
    let expected = try Self.expected(golden, name)
    let found = Self.found(CaptureFile(file, chunk: 4096), name, golden)
    #expect(found == expected)
    let frames = try #require(golden["frames"] as? Int)
    #expect(CaptureFile(file).frames.last?.packet.frame ?? 0 == frames)
  }

  private static func golden(_ folder: URL, _ name: String) throws -> [String: Any] {
    let plain = folder.appending(path: "golden/\(name).json")
    var data = try? Data(contentsOf: plain)
    if data == nil {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["gzip", "-dc", plain.path + ".gz"]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      data = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
    }
    let object = try JSONSerialization.jsonObject(with: #require(data))
    return try #require(object as? [String: Any])
  }

  private static func packets(_ golden: [String: Any]) -> [[String: Any]] {
    (golden["packets"] as? [[String: Any]] ?? []).filter {
      $0["proto"] != nil && $0["inside_icmp"] == nil
    }
  }

  private static func expected(_ golden: [String: Any], _ name: String) throws -> [Message] {
    try packets(golden).map { packet in
      let number = try #require(packet["n"] as? Int)
      var facts = ["\(number)"]
      facts.append("\(nanoseconds(packet["ts"] as? String ?? ""))")
      for key in ["src", "dst", "ip_ttl", "sport", "dport"] {
        facts.append("\(try #require(packet[key]))")
      }
      let outer = outerTags["\(name)#\(number)"] ?? []
      facts.append("vlan \(outer + (packet["vlan"] as? [Int] ?? []))")
      let kinds = (packet["tunnel"] as? [String] ?? []).filter {
        ["gre", "vxlan", "geneve", "gtp"].contains($0)
      }
      facts.append("tunnel \(kinds)")
      facts.append(contentsOf: macs(packet["eth_src"], packet["eth_dst"]))
      facts.append(packet["comment"] as? String ?? "")
      if !lengthDiffers.contains("\(name)#\(number)") {
        facts.append("length \(packet["len"] as? Int ?? -1)")
      }
      return Message(facts: facts)
    }
  }

  private static func macs(_ source: Any?, _ destination: Any?) -> [String] {
    guard let source, let destination else { return [] }
    return ["\(source)", "\(destination)"]
  }

  /// The golden's seconds and fraction as nanoseconds.
  ///
  /// It prints seconds as signed 32 bits and fractions
  /// above a second as they are. Frames without a time have 0 there.
  private static func nanoseconds(_ text: String) -> Int64 {
    let parts = text.split(separator: ".")
    guard parts.count == 2, let seconds = Int64(parts[0]), let rest = Int64(parts[1]) else {
      return -1
    }
    return (seconds < 0 ? seconds + 1 << 32 : seconds) * 1_000_000_000 + rest
  }

  private static func found(
    _ file: CaptureFile, _ name: String, _ golden: [String: Any]
  ) -> [Message] {
    let packets = Self.packets(golden)
    let withMAC = Set(packets.filter { $0["eth_src"] != nil }.compactMap { $0["n"] as? Int })
    var assembler = PacketAssembler()
    var events = FrameEvents()
    var messages: [Message] = []
    for frame in file.frames {
      let packet = frame.packet
      assembler.decode(
        frame.bytes.span, linkType: packet.linkType, originalLength: packet.originalLength,
        fcsLength: packet.fcsLength, at: packet.time, into: &events)
      for case .datagram(let datagram) in events.events {
        let ports: Set = [datagram.sourcePort, datagram.destinationPort]
        guard !ports.isDisjoint(with: [53, 5353, 5355]), !datagram.payload.isEmpty else {
          continue
        }
        var facts = ["\(packet.frame)", "\(packet.time?.nanoseconds ?? 0)"]
        facts += ["\(datagram.source)", "\(datagram.destination)", "\(datagram.hopLimit)"]
        facts += ["\(datagram.sourcePort)", "\(datagram.destinationPort)"]
        let tags = datagram.link.vlan
        facts.append("vlan \((0..<Int(tags.count)).map { Int(tags[$0]) })")
        let tunnels = (0..<Int(datagram.tunnels.count)).compactMap {
          events.tunnel($0, of: datagram.tunnels)?.kind.rawValue
        }
        facts.append(
          "tunnel \(tunnels.filter { ["gre", "vxlan", "geneve", "gtp"].contains($0) })")
        if withMAC.contains(packet.frame) {
          facts.append(datagram.link.sourceMAC.map { "\($0)" } ?? "none")
          facts.append(datagram.link.destinationMAC.map { "\($0)" } ?? "none")
        }
        facts.append(frame.comments.joined(separator: " | "))
        if !lengthDiffers.contains("\(name)#\(packet.frame)") {
          facts.append("length \(datagram.payload.count)")
        }
        messages.append(Message(facts: facts))
      }
    }
    return messages
  }
}
