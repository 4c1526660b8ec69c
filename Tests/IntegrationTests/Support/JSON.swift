import Foundation

/// A JSON value of any shape, to look into output without a type for each event.
enum JSON: Decodable, Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case list([JSON])
  case object([String: JSON])

  init(_ data: Data) throws { self = try JSONDecoder().decode(JSON.self, from: data) }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  /// The member `key` of an object; nil where there is none or this is no object.
  subscript(key: String) -> JSON? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var integer: Int? { if case .integer(let integer) = self { integer } else { nil } }
  var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  /// The elements of a list; none for anything else.
  var list: [JSON] { if case .list(let list) = self { list } else { [] } }
  var members: [String: JSON] { if case .object(let members) = self { members } else { [:] } }

  /// The word in `event`.
  var event: String? { self["event"]?.text }
}

extension [JSON] {
  /// The objects whose `event` is `name`.
  func events(_ name: String) -> [JSON] { filter { $0.event == name } }
  /// The events that stand for one DNS message each.
  var messages: [JSON] { filter { $0.event == "message" || $0.event == "malformed" } }
}
