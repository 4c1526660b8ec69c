import Foundation
import LanCore
import LanSystem
import LanWire
import TestKit
import Testing

@testable import LanCLI

/// The configuration that a command line of `sniff` gives.
func configuration(_ words: [String]) throws -> SniffConfiguration {
  try SniffConfiguration(ArgumentParser(command: .sniff).parse(words.map { Array($0.utf8) }))
}

/// What `sniff` with these options shows of the trace.
func rendered(
  _ trace: SniffTrace, _ words: [String], interfaces: [Int: String] = [:]
) throws -> String {
  var renderer = SniffRenderer(try configuration(words))
  for (index, name) in interfaces { renderer.set(name, for: index) }
  var out = OutputBuffer(capacity: 1)
  let all = trace.bytes
  renderer.append(trace.batch, all.span, to: &out)
  let bytes = out.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  // Names on the network need not be text, but what is shown must be.
  return try #require(String(validating: bytes, as: UTF8.self))
}

/// The lines that `sniff` with these options shows of the trace.
func lines(
  _ trace: SniffTrace, _ words: [String], interfaces: [Int: String] = [:]
) throws -> [String] {
  let text = try rendered(trace, words, interfaces: interfaces)
  #expect(text.isEmpty || text.hasSuffix("\n"))
  return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
}

/// The object that a line of JSON is.
func object(_ line: String) throws -> NSDictionary {
  try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
}

/// The objects that `sniff --json` shows of the trace.
func objects(_ trace: SniffTrace, interfaces: [Int: String] = [:]) throws -> [NSDictionary] {
  try lines(trace, ["--json"], interfaces: interfaces).map(object)
}

extension NSDictionary {
  /// The records of a section.
  func records(_ section: String) -> [NSDictionary] { self[section] as? [NSDictionary] ?? [] }
}

/// A trace of one message.
func trace(_ payload: [UInt8], port: UInt16 = 5353, from source: String = "10.0.0.7") -> SniffTrace
{
  var options = SniffOptions()
  options.selection.protocols = NameProtocol.allCases
  let trace = SniffTrace(options)
  trace.send(payload, at: 1_700_000_000_123_456_000, from: source, port: port)
  return trace
}
