import Foundation
import Testing

@testable import LanSystem

@Suite("Capture files") struct CaptureFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "lantool-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }
  private func size(_ path: String) -> Int {
    (try? Data(contentsOf: URL(filePath: path)))?.count ?? -1
  }
  private func files() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  @Test("a missing file, a folder and a good file are told apart") func opening() throws {
    #expect(throws: FileError.notFound(path: path("none"))) {
      _ = try CaptureFileInput(path("none"))
    }
    #expect(throws: FileError.isDirectory(path: folder.path)) {
      _ = try CaptureFileInput(folder.path)
    }
    #expect(FileError.isDirectory(path: "/tmp").description == "/tmp: is a directory")
    try Data([1, 2, 3]).write(to: folder.appending(path: "three"))
    let input = try CaptureFileInput(path("three"))
    var buffer = [UInt8](repeating: 0, count: 8)
    #expect(try input.fill(&buffer, from: 2) == 3)
    #expect(buffer == [0, 0, 1, 2, 3, 0, 0, 0])
    #expect(try input.read(into: &buffer) == 0)
  }

  @Test(
    "SN-11: with a flush for each packet the file grows by each, else it is complete at the end")
  func flushing() throws {
    let packet: [UInt8] = [9, 9, 9]
    let each = try CaptureFileOutput(path("each"), flushing: .eachPacket) { [1, 2] }
    let buffered = try CaptureFileOutput(path("buffered")) { [1, 2] }
    for count in 1...3 {
      try each.write(packet.span)
      try buffered.write(packet.span)
      #expect(size(path("each")) == 2 + 3 * count)
    }
    #expect(size(path("buffered")) == 0)
    try buffered.close()
    #expect(size(path("buffered")) == 11)
  }

  @Test("a ring starts a new file at a packet's boundary and deletes the oldest") func ring() throws
  {
    let ring = CaptureRing(fileSize: 10, fileCount: 2)
    let output = try CaptureFileOutput(path("ring.pcapng"), ring: ring) { [1, 2] }
    for value in 1...5 as ClosedRange<UInt8> {
      let packet = [UInt8](repeating: value, count: 4)
      try output.write(packet.span)
    }
    try output.close()
    // Two packets fit beside the header, so five need three files, of which two are kept.
    #expect(files().count == 2)
    #expect(files().allSatisfy { $0.wholeMatch(of: /ring_0000[23]_\d{14}\.pcapng/) != nil })
    let contents = try files().map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }
    #expect(contents == [[1, 2, 3, 3, 3, 3, 4, 4, 4, 4], [1, 2, 5, 5, 5, 5]])
  }

  @Test("a packet larger than the ring's size gets a file of its own") func largePacket() throws {
    let output = try CaptureFileOutput(path("big"), ring: CaptureRing(fileSize: 4)) { [1] }
    let packet = [UInt8](repeating: 7, count: 50)
    for _ in 0..<2 { try output.write(packet.span) }
    try output.close()
    #expect(files().count == 2)
  }

  @Test(
    "the files of a ring are named with number and time before the ending",
    arguments: [
      ("a/name.pcapng", "a/name_00012_"), ("name", "name_00012_"), (".hidden", ".hidden_00012_"),
      ("a.b/c", "a.b/c_00012_"),
    ])
  func names(path: String, start: String) {
    let name = CaptureRing.path(path, sequence: 12, time: 1_795_000_000)
    #expect(name.hasPrefix(start))
    #expect(name.contains(/_00012_2026\d{10}/))
    #expect(name.hasSuffix(".pcapng") == path.hasSuffix(".pcapng"))
  }

  @Test("a folder that is missing or forbidden is told for output too") func outputErrors() {
    #expect(throws: FileError.notFound(path: path("no/x"))) {
      _ = try CaptureFileOutput(path("no/x")) { [] }
    }
    #expect(throws: FileError.isDirectory(path: folder.path)) {
      _ = try CaptureFileOutput(folder.path) { [] }
    }
  }

  @Test("a full disk is reported, not swallowed") func fullDisk() throws {
    let output = try CaptureFileOutput("/dev/full") { [1] }
    let error = #expect(throws: FileError.self) { try output.close() }
    #expect(error?.description.contains("no space left") == true)
  }
}
