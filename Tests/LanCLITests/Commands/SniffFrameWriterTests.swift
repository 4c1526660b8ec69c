import Foundation
import LanCore
import LanSystem
import LanWire
import TestKit
import Testing

@testable import LanCLI

@Suite("Saving frames") final class SniffFrameWriterTests {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "lantool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func writer(_ name: String, _ words: String...) throws -> SniffFrameWriter {
    let path = folder.appending(path: name).path
    return try SniffFrameWriter(try #require(configuration(["-w", path] + words).write))
  }

  private func frame(
    _ number: Int, interface: Int = 0, link: LinkType = .ethernet, length: Int, time: Int64? = 0
  ) -> SniffedFrame {
    SniffedFrame(
      bytes: 0..<length, number: number,
      time: time.map { CaptureTime(nanoseconds: $0, fractionDigits: 9) }, interface: interface,
      linkType: link, originalLength: length + 1)
  }

  private func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  private func read(_ file: URL) throws -> CaptureFile {
    let capture = CaptureFile([UInt8](try Data(contentsOf: file)))
    #expect(capture.error == nil)
    return capture
  }

  @Test("pcapng keeps interfaces, link types, times and lengths apart") func modern() throws {
    var writer = try writer("a.pcapng")
    let kinds: [(Int, LinkType, Int64?)] = [
      (3, .ethernet, 1_700_000_000_123_456_789), (4, .raw, 5), (3, .ethernet, 6), (3, .raw, 7),
      (4, .raw, 8), (9, .linuxSLL2, 9),
    ]
    for (number, kind) in kinds.enumerated() {
      let bytes = [UInt8](repeating: UInt8(number), count: 60 + number)
      try writer.write(
        bytes.span,
        frame(number, interface: kind.0, link: kind.1, length: bytes.count, time: kind.2)
      ) { $0 == 9 ? nil : "if\($0)" }
    }
    try writer.close()
    let capture = try read(folder.appending(path: "a.pcapng"))
    #expect(capture.interfaces.map(\.name) == ["if3", "if4", "if3", nil])
    #expect(capture.interfaces.map(\.linkType) == [.ethernet, .raw, .raw, .linuxSLL2])
    #expect(capture.frames.map(\.packet.interface) == [0, 1, 0, 2, 1, 3])
    #expect(capture.frames.map { $0.packet.time?.nanoseconds } == kinds.map(\.2))
    #expect(capture.frames.map(\.bytes.count) == Array(60..<66))
    #expect(capture.frames.map(\.packet.originalLength) == Array(61..<67))
    #expect(capture.frames.enumerated().allSatisfy { $1.bytes.first == UInt8($0) })
  }

  @Test(
    "each file of a ring stands for itself and keeps to its size",
    arguments: [
      "ring.pcapng", "ring.pcap",
    ])
  func ring(_ name: String) throws {
    var writer = try writer(name, "--ring-size=1K")
    let count = 60
    for number in 0..<count {
      let bytes = [UInt8](repeating: UInt8(number), count: 61 + number * 3)
      let kind = name.hasSuffix("ng") ? number % 3 : 0
      try writer.write(bytes.span, frame(number, interface: kind, length: bytes.count)) {
        "interface-\($0)"
      }
    }
    try writer.close()
    let files = try files()
    #expect(files.count > 5)
    var numbers: [UInt8] = []
    for file in files {
      let size = try #require(file.resourceValues(forKeys: [.fileSizeKey]).fileSize)
      #expect(size <= 1024, "\(file.lastPathComponent)")
      let capture = try read(file)
      #expect(!capture.frames.isEmpty)
      numbers += capture.frames.compactMap(\.bytes.first)
      for frame in capture.frames where name.hasSuffix("ng") {
        let expected = "interface-\(Int(frame.bytes[0]) % 3)"
        #expect(capture.interfaces[frame.packet.interface].name == expected)
      }
      #expect(Set(capture.interfaces.map(\.name)).count == capture.interfaces.count)
    }
    #expect(numbers == (0..<count).map { UInt8($0) })
  }

  @Test(
    "a frame that brings its interface along is counted with it",
    arguments: Array(stride(from: 200, to: 260, by: 4)))
  func newInterfaces(_ length: Int) throws {
    var writer = try writer("ring.pcapng", "--ring-size=1K")
    let bytes = [UInt8](repeating: 1, count: length)
    for number in 0..<6 {
      try writer.write(bytes.span, frame(number, interface: number, length: length)) {
        "interface-\($0)"
      }
    }
    try writer.close()
    for file in try files() {
      #expect(try #require(file.resourceValues(forKeys: [.fileSizeKey]).fileSize) <= 1024)
    }
  }

  @Test("a frame that is larger than a file of the ring gets one for itself") func large() throws {
    var writer = try writer("big.pcapng", "--ring-size=1K")
    for number in 0..<3 {
      let bytes = [UInt8](repeating: UInt8(number), count: 2_000)
      try writer.write(bytes.span, frame(number, length: bytes.count)) { _ in nil }
    }
    try writer.close()
    #expect(try files().map { try read($0).frames.count } == [1, 1, 1])
  }

  @Test("only the last files of a ring are kept") func kept() throws {
    var writer = try writer("few.pcap", "--ring-size=1K", "--ring-files=2")
    for number in 0..<30 {
      let bytes = [UInt8](repeating: UInt8(number), count: 200)
      try writer.write(bytes.span, frame(number, length: bytes.count)) { _ in nil }
    }
    try writer.close()
    let files = try files()
    #expect(files.count == 2)
    #expect(try read(files[1]).frames.last?.bytes.first == 29)
  }

  @Test("the older format keeps frames of the first link type only") func classic() throws {
    var writer = try writer("a.pcap")
    for (number, link) in [LinkType.raw, .ethernet, .raw, .linuxSLL].enumerated() {
      let bytes = [UInt8](repeating: UInt8(number), count: 40)
      try writer.write(
        bytes.span, frame(number, link: link, length: 40, time: 1_000_000_001)
      ) { _ in "eth0" }
    }
    try writer.close()
    let capture = try read(folder.appending(path: "a.pcap"))
    #expect(capture.frames.map(\.bytes.first) == [0, 2])
    #expect(capture.frames.allSatisfy { $0.packet.linkType == .raw })
    #expect(capture.frames[0].packet.time?.nanoseconds == 1_000_000_001)
  }

  @Test(
    "where nothing matched there is a capture without frames",
    arguments: [
      ("e.pcapng", []), ("e.pcap", []), ("e.pcap", ["--ring-size=1K"]),
      ("e.pcapng", ["--ring-size=1K"]),
    ])
  func empty(_ name: String, _ words: [String]) throws {
    let path = folder.appending(path: name).path
    var writer = try SniffFrameWriter(try #require(configuration(["-w", path] + words).write))
    try writer.close()
    let files = try files()
    #expect(files.count == 1)
    #expect(try Data(contentsOf: files[0]).count >= 24)
    #expect(try read(files[0]).frames.isEmpty)
  }

  @Test("frames can be read while the file grows, when asked for") func buffered() throws {
    var writer = try writer("live.pcapng", "-U")
    let bytes = [UInt8](repeating: 1, count: 60)
    try writer.write(bytes.span, frame(1, length: 60)) { _ in nil }
    #expect(try read(folder.appending(path: "live.pcapng")).frames.count == 1)
    try writer.close()
  }
}
