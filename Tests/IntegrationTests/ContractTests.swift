import Foundation
import TestKit
import Testing

/// What scripts rely on, whatever the capture holds.
@Suite("the contract of sniff")
struct ContractTests {
  private static let captures = [
    "syn-dns-traps.pcapng", "syn-eth-tags.pcap", "syn-llmnr-poisoner.pcapng",
    "syn-rfc6762-faults.pcapng", "syn-tunnels.pcap", "syn-ng-simple.pcapng", "syn-fmt-empty.pcap",
    "syn-fmt-time-odd.pcap",
  ]

  @Test(
    "every line has schema, event and a gapless number, and the summary is last",
    arguments: captures)
  func frame(name: String) async throws {
    let run = try await runLantool(
      ["sniff", "-r", fixture(name), "--json", "--lint", "--protocol", "all"])
    let events = try run.objects()
    #expect(events.compactMap { $0["seq"]?.integer } == Array(1...events.count))
    #expect(events.allSatisfy { $0["schema"]?.text == "lantool.sniff/1" })
    let known: Set = ["message", "malformed", "finding", "summary"]
    #expect(events.allSatisfy { known.contains($0.event ?? "") })
    #expect(events.last?.event == "summary" && events.events("summary").count == 1)
    #expect(events.last?["messages"]?.integer == events.events("message").count)
    #expect(events.last?["malformed"]?.integer == events.events("malformed").count)
    #expect(run.status == 0)
  }

  @Test("times are RFC 3339 in UTC, and left out where the capture has none")
  func times() async throws {
    let faults = try await runLantool(["sniff", "-r", fixture("syn-eth-tags.pcap"), "--json"])
    let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{6}|\d{9})Z/
    for message in try faults.objects().messages {
      let time = try #require(message["time"]?.text)
      #expect(time.wholeMatch(of: form) != nil, "\(time)")
    }
    let timeless = try await runLantool(["sniff", "-r", fixture("syn-ng-simple.pcapng"), "--json"])
    #expect(try timeless.objects().messages.count == 3)
    #expect(try timeless.objects().messages.allSatisfy { $0["time"] == nil })
  }

  @Test("absent facts are left out, never empty or null", arguments: captures)
  func absence(name: String) async throws {
    let run = try await runLantool(["sniff", "-r", fixture(name), "--json", "--protocol", "all"])
    for message in try run.objects() {
      #expect(message.members.allSatisfy { $0.value != .null && $0.value != .text("") })
    }
  }

  @Test("real output is what the installed JSON Schema says", arguments: captures)
  func schema(name: String) async throws {
    let run = try await runLantool(
      ["sniff", "-r", fixture(name), "--json", "--lint", "--stats", "--protocol", "all"])
    let schema = Repository.top.appending(path: "schema/lantool.sniff.schema.json").path
    let checker = Repository.top.appending(path: "schema/check.py").path
    let check = try await runCommand(["python3", checker, schema], stdin: run.stdout, timeout: 60)
    #expect(check.status == 0, "\(check.errors)\(check.output.prefix(2000))")
  }

  @Test("each line is a document for jq", arguments: captures)
  func jq(name: String) async throws {
    let run = try await runLantool(["sniff", "-r", fixture(name), "--json"])
    let counted = try await runCommand(["jq", "-c", ".event"], stdin: run.stdout)
    #expect(counted.status == 0, "\(counted.errors)")
    #expect(counted.output.split(separator: "\n").count == (try run.objects().count))
  }

  @Test("standard input reads as the file does") func standardInput() async throws {
    let path = fixture("syn-ng-mixed-links.pcapng")
    let file = try await runLantool(["sniff", "-r", path, "--json"])
    let bytes = try Data(contentsOf: URL(filePath: path))
    let piped = try await runLantool(["sniff", "-r", "-", "--json"], stdin: bytes)
    #expect(piped.stdout == file.stdout && piped.status == 0)
  }

  @Test("a closed pipe ends the program quietly", arguments: ["", "--json", "--lint --json"])
  func closedPipe(options: String) async throws {
    let command = """
      "$0" sniff -r "$1" \(options) | head -n 1 > /dev/null
      echo "${PIPESTATUS[0]}"
      """
    let run = try await runCommand(
      ["bash", "-c", command, lantoolPath, fixture("syn-rfc6762-faults.pcapng")])
    #expect(run.errors == "")
    #expect(["0\n", "141\n"].contains(run.output), "status \(run.output)")
  }

  @Test("--quiet writes no record and keeps the status") func quiet() async throws {
    let whole = try await runLantool(["sniff", "-q", "-r", fixture("syn-raw.pcap")])
    #expect(whole.stdout.isEmpty && whole.status == 0)
    let broken = try await runLantool(["sniff", "-q", "-r", fixture("syn-fmt-cut-record.pcap")])
    #expect(broken.stdout.isEmpty && broken.status == 2 && !broken.stderr.isEmpty)
  }

  @Test("--count ends after that many messages, with the summary") func count() async throws {
    let run = try await runLantool(["sniff", "-r", fixture("syn-raw.pcap"), "--json", "-c", "3"])
    let events = try run.objects()
    #expect(events.messages.count == 3 && events.last?.event == "summary" && run.status == 0)
  }

  @Test("colours are for those who ask for them or sit at a terminal") func colours() async throws {
    let path = fixture("syn-raw.pcap")
    let escape = "\u{1B}["
    #expect(try await !runLantool(["sniff", "-r", path]).output.contains(escape))
    let always = try await runLantool(
      ["sniff", "-r", path, "--color", "always"], environment: ["NO_COLOR": "1"])
    #expect(always.output.contains(escape))
    let terminal = "'\(lantoolPath)' sniff -r '\(path)'"
    let seen = try await runCommand(
      ["script", "-qec", terminal, "/dev/null"], environment: ["TERM": "xterm"])
    #expect(seen.output.contains(escape))
    let plain = try await runCommand(
      ["script", "-qec", terminal, "/dev/null"], environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(!plain.output.contains(escape))
  }

  @Test("--fields prints one row a message, its columns separated by tabs")
  func fields() async throws {
    let path = fixture("syn-eth-tags.pcap")
    let run = try await runLantool(["sniff", "-r", path, "--fields", "frame,source,kind"])
    let messages = try await runLantool(["sniff", "-r", path, "--json"]).objects().messages
    let expected = messages.map { message in
      "\(message["frame"]?.integer ?? 0)\t\(message["source"]?.text ?? "")\t\(message["kind"]?.text ?? "")"
    }
    #expect(run.output.split(separator: "\n").map(String.init) == expected)
  }

  @Test(
    "a hostile name never reaches a terminal raw",
    arguments: [[], ["--oneline"], ["--lint"], ["--stats"]])
  func hostileNames(options: [String]) async throws {
    let run = try await runLantool(["sniff", "-r", fixture("syn-dns-traps.pcapng")] + options)
    #expect(run.output.contains("evil"))
    let control = run.output.unicodeScalars.filter {
      $0 != "\n" && $0 != "\t" && $0.properties.generalCategory == .control
    }
    #expect(control.isEmpty, "\(control.map(\.value))")
    #expect(!run.output.split(separator: "\n").contains { $0.hasPrefix("x.local") })
    let coloured = try await runLantool(
      ["sniff", "-r", fixture("syn-dns-traps.pcapng"), "--color", "always"] + options)
    #expect(!coloured.output.contains("evil\u{1B}"))
    #expect(!coloured.output.contains("\r"))
  }

  @Test(
    "the kinds of messages are told apart",
    arguments: ["query", "probe", "response", "announcement", "goodbye"])
  func kinds(kind: String) async throws {
    let path = fixture("syn-rfc6762-faults.pcapng")
    let all = try await runLantool(["sniff", "-r", path, "--json"]).objects().messages
    let chosen = try await runLantool(["sniff", "-r", path, "--json", "--kind", kind]).objects()
    let expected = all.filter { $0["kind"]?.text == kind }.compactMap { $0["frame"]?.integer }
    #expect(!expected.isEmpty)
    #expect(chosen.messages.compactMap { $0["frame"]?.integer } == expected)
  }
}
