import Foundation
import LanCore
import LanWire
import TestKit
import Testing

@testable import LanCLI

/// The line of a response with one TXT record of these strings.
private func line(_ strings: [[UInt8]]) throws -> String {
  let record = try SampleMessage.record("t.local", .txt(strings))
  return try #require(lines(trace(SampleMessage.response([record])), ["--json"]).first)
}

private func data(_ strings: [[UInt8]]) throws -> NSDictionary {
  let answer = try object(line(strings)).records("answers")[0]
  return try #require(answer["data"] as? NSDictionary)
}

private func utf8(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

@Suite("TXT records in JSON") struct JSONTextTests {
  @Test(
    "strings are keys with text, nothing or true",
    arguments: [
      (["a=1"], #"{"a": "1"}"#), (["a="], #"{"a": ""}"#), (["a"], #"{"a": true}"#),
      (["a=b=c"], #"{"a": "b=c"}"#), (["a==", "b"], #"{"a": "=", "b": true}"#),
      (["", "a=1", ""], #"{"a": "1"}"#), ([""], "{}"), ([], "{}"),
      (["a= x ", " b=1"], #"{"a": " x ", " b": "1"}"#),
      (["say=\"x\" \\ /"], #"{"say": "\"x\" \\ /"}"#), (["k\"\\=1"], #"{"k\"\\": "1"}"#),
      (["u=é日😀\u{2028}\u{202E}"], "{\"u\": \"é日😀\u{2028}\u{202E}\"}"),
    ])
  func plain(_ texts: [String], _ expected: String) throws {
    let found = try data(utf8(texts))
    #expect(found["txt"] as? NSDictionary == (try object(expected)))
    #expect(found["txtRaw"] == nil)
  }

  @Test(
    "a value that is no printable text is base64",
    arguments: [
      ([0x00], "AA=="), ([0xFF, 0xFE], "//4="), ([0x1B, 0x5B, 0x6D], "G1tt"), ([0x0A], "Cg=="),
      ([0x7F], "fw=="), ([0xC2, 0x80], "woA="), ([0xC3], "ww=="), ([0xFB, 0xEF, 0xBE], "++++"),
      ([0x61, 0xFF, 0x62, 0x00], "Yf9iAA=="),
    ] as [([UInt8], String)])
  func binary(_ value: [UInt8], _ base64: String) throws {
    let found = try data([Array("k=".utf8) + value])
    #expect(found["txt"] as? NSDictionary == ["k": ["base64": base64]])
    #expect(found["txtRaw"] == nil)
  }

  @Test(
    "what the object loses is kept in txtRaw, every string of it",
    arguments: [
      (["a=1", "A=2"], #"{"a": "1"}"#), (["a", "a=2"], #"{"a": true}"#), (["=x"], "{}"),
      (["="], "{}"), (["b=1", "=x", "c"], #"{"b": "1", "c": true}"#),
      (["a=1", "", "A=2"], #"{"a": "1"}"#),
    ])
  func lossy(_ texts: [String], _ expected: String) throws {
    let found = try data(utf8(texts))
    #expect(found["txt"] as? NSDictionary == (try object(expected)))
    let raw = texts.map { Data($0.utf8).base64EncodedString() }
    #expect(found["txtRaw"] as? [String] == raw)
  }

  @Test("a key that is no printable text is escaped and kept in txtRaw") func oddKeys() throws {
    let found = try data([[0x1B, 0x3D, 0x31], [0xFF]])
    #expect(found["txt"] as? NSDictionary == [#"\027"#: "1", #"\255"#: true])
    #expect(found["txtRaw"] as? [String] == ["Gz0x", "/w=="])
  }

  @Test("no two members have one name, even when a key spells what another is escaped to")
  func collidingKeys() throws {
    let text = try line([[0x1B, 0x3D, 0x31], Array(#"\027=2"#.utf8)])
    #expect(text.components(separatedBy: #""\\027":"#).count == 2, "\(text)")
    #expect(text.contains("txtRaw"))
  }

  @Test("keys keep their order and spelling") func order() throws {
    let text = try line(utf8(["z=1", "A=2", "m", "B="]))
    #expect(text.contains(#""txt":{"z":"1","A":"2","m":true,"B":""}"#))
  }

  @Test("1,000 keys and their duplicates are told apart") func thousand() throws {
    let keys = (0..<1_000).map { "Key\($0)" }
    let strings = utf8(keys.map { "\($0)=1" } + keys.map { "\($0.lowercased())=2" })
    let found = try data(strings)
    let txt = try #require(found["txt"] as? [String: String])
    #expect(txt == Dictionary(uniqueKeysWithValues: keys.map { ($0, "1") }))
    #expect((found["txtRaw"] as? [String])?.count == 2_000)
  }

  @Test("base64 is what Foundation makes of it") func base64() throws {
    var generator = SeededGenerator(seed: 5)
    let strings = (0..<200).map { index in
      Array("k\(index)=".utf8) + [0xFF]
        + (0..<Int.random(in: 0...30, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
    }
    let txt = try #require(try data(strings)["txt"] as? [String: [String: String]])
    for (index, string) in strings.enumerated() {
      let value = Data(string.dropFirst("k\(index)=".utf8.count))
      #expect(txt["k\(index)"] == ["base64": value.base64EncodedString()])
    }
  }
}
