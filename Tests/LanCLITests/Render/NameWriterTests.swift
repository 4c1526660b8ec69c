import LanSystem
import LanWire
import TestKit
import Testing

@testable import LanCLI

@Suite("Names that are written once") struct NameWriterTests {
  /// A message of random names that lead into each other, and where they start.
  private func message(_ generator: inout SeededGenerator) -> (bytes: [UInt8], names: [Int]) {
    var bytes = [UInt8](repeating: 0, count: 12)
    var labels: [Int] = []
    var names: [Int] = []
    for _ in 0..<40 {
      names.append(bytes.count)
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        labels.append(bytes.count)
        let count = Int.random(in: 1...6, using: &generator)
        bytes.append(UInt8(count))
        for _ in 0..<count {
          let plain = UInt8.random(in: 0x61...0x7A, using: &generator)
          let odd: [UInt8] = [0x2E, 0x5C, 0x22, 0x1B, 0xC3, 0xA9, 0xFF]
          bytes.append(
            Int.random(in: 0..<4, using: &generator) == 0
              ? odd[Int.random(in: 0..<odd.count, using: &generator)] : plain)
        }
      }
      if let target = labels.randomElement(using: &generator), Bool.random(using: &generator) {
        bytes += DNSBytes.pointer(target)
      } else {
        bytes.append(0)
      }
    }
    names += labels
    return (bytes, names)
  }

  @Test(
    "copies equal names that are written afresh",
    arguments: [
      EscapeStyle.jsonLabel, .textLabel,
    ])
  func copies(_ style: EscapeStyle) {
    var generator = SeededGenerator(seed: 41)
    var shared = NameWriter(style)
    var failures = 0
    var out = OutputBuffer(capacity: 1)
    for round in 0..<300 {
      let (bytes, names) = message(&generator)
      shared.begin()
      if round % 3 == 0 { out.removeAll() }
      for _ in 0..<120 {
        let name = names[Int.random(in: 0..<names.count, using: &generator)]
        guard (try? DNSNameScan(bytes.span, at: name)) != nil else { continue }
        let start = out.count
        shared.append(name, bytes.span, to: &out)
        let written = out.withBytes { all in (start..<all.count).map { all[$0] } }
        var fresh = OutputBuffer(capacity: 1)
        var writer = NameWriter(style)
        writer.begin()
        writer.append(name, bytes.span, to: &fresh)
        let expected = fresh.withBytes { all in all.indices.map { all[$0] } }
        if written != expected { failures += 1 }
        if style == .jsonLabel {
          var text: [UInt8] = []
          DNSNameText.append(bytes.span, at: name, to: &text)
          let json = text.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] }
          if written != json { failures += 1 }
        }
        out.append("|")
      }
    }
    #expect(failures == 0)
  }
}
