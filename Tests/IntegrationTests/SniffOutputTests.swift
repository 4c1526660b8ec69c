import Foundation
import TestKit
import Testing

@Suite("What depends on the process") struct SniffOutputTests {
  private func fixture(_ name: String) -> String {
    Repository.top.appending(path: "Tests/Fixtures/pcap/\(name)").path
  }

  @Test(
    "local times are those of the zone that TZ names",
    arguments: [
      ("UTC0", 0), ("XST-05:45", 20_700), ("WST+09:30", -34_200),
    ])
  func zones(_ zone: String, _ offset: Int) async throws {
    let file = fixture("syn-ipv4.pcap")
    let options = ["sniff", "-r", file, "--oneline"]
    let local = try await runLantool(options, environment: ["TZ": zone]).output
    let json = try await runLantool(["sniff", "-r", file, "--json"]).objects()
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyy-MM-dd'T'HH:mm:ss"
    format.timeZone = .gmt
    var shown = local.split(separator: "\n")[...]
    #expect(!shown.isEmpty)
    for object in json {
      guard let time = object["time"]?.text, let line = shown.popFirst() else { continue }
      let date = try #require(format.date(from: String(time.prefix(19))))
      let moved = format.string(from: date.addingTimeInterval(Double(offset)))
      let expected = moved.replacing("T", with: " ") + time.dropFirst(19).prefix(7)
      #expect(line.hasPrefix(expected + "  "), "\(line)")
    }
  }

  @Test("a second link type is refused once in a .pcap, and the file stays sound")
  func secondLinkType() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "out.pcap").path
    let file = fixture("syn-ng-mixed-links.pcapng")
    let run = try await runLantool(["sniff", "-r", file, "-w", path, "-q"])
    #expect(run.status == 2)
    #expect(run.errorLines.filter { $0.contains("do not fit into this pcap file") }.count == 1)
    let capture = CaptureFile([UInt8](try Data(contentsOf: URL(filePath: path))))
    #expect(capture.error == nil && !capture.frames.isEmpty)
    #expect(Set(capture.frames.map(\.packet.linkType)).count == 1)
  }
}
