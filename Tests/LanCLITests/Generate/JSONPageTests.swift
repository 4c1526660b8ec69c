import Foundation
import TestKit
import Testing

@testable import LanCLI

/// lantool-json(5) beside the schema files.
@Suite("The page of the JSON format") struct JSONPageTests {
  private static let commands = Command.all.map(\.declaration.name)

  /// The page's words in bold, by section; those before the commands count for all of them.
  private static func words() throws -> [String: Set<String>] {
    let page = String(decoding: try Repository.bytes("man/lantool-json.5"), as: UTF8.self)
    var words: [String: Set<String>] = [:]
    var section = ""
    for line in page.split(separator: "\n") {
      if line.hasPrefix(".SH ") {
        section = line.dropFirst(4).replacing("\\-", with: "-").lowercased()
      }
      if line.hasPrefix(".SS ") {
        words[section, default: []].formUnion(
          line.dropFirst(4).split { ", ".contains($0) }.map(String.init))
      }
      for part in line.components(separatedBy: "\\fB").dropFirst() {
        let word = part.components(separatedBy: "\\f")[0].replacing("\\-", with: "-")
        words[section, default: []].insert(word)
      }
    }
    return words
  }

  /// The names of all properties anywhere in a schema.
  private static func properties(_ value: Any) -> Set<String> {
    var names: Set<String> = []
    if let object = value as? [String: Any] {
      if let properties = object["properties"] as? [String: Any] {
        names.formUnion(properties.keys)
      }
      for child in object.values { names.formUnion(Self.properties(child)) }
    } else if let list = value as? [Any] {
      for child in list { names.formUnion(Self.properties(child)) }
    }
    return names
  }

  @Test("every field of a command's schema stands in its section", arguments: commands)
  func complete(_ command: String) throws {
    let words = try Self.words()
    let common = words["description"] ?? []
    let section = try #require(words[command])
    let schema = try JSONSerialization.jsonObject(
      with: Data(try Repository.bytes("schema/lantool.\(command).schema.json")))
    // What an attribute or an object inside is keyed by is told in words.
    let missing = Self.properties(schema).subtracting(common.union(section)).subtracting(["base64"])
    #expect(missing.sorted() == [])
  }

  @Test("every event of a command's schema has a heading", arguments: commands)
  func events(_ command: String) throws {
    let schema =
      try JSONSerialization.jsonObject(
        with: Data(try Repository.bytes("schema/lantool.\(command).schema.json"))) as? [String: Any]
    let properties = schema?["properties"] as? [String: Any]
    let events = (properties?["event"] as? [String: Any])?["enum"] as? [String] ?? []
    #expect(!events.isEmpty)
    let section = try #require(try Self.words()[command])
    #expect(Set(events).subtracting(section).sorted() == [])
  }
}
