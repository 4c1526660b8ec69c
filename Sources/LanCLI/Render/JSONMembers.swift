import LanSystem
import LanWire

/// Members of a JSON object, each with the comma before it.
extension OutputBuffer {
  /// Writes `,"key":"text"`.
  mutating func appendJSON(_ key: StaticString, _ text: String) {
    append(key: key)
    appendJSON(string: text)
  }

  /// Writes `,"key":number`.
  mutating func appendJSON(_ key: StaticString, _ number: some BinaryInteger) {
    append(key: key)
    append(number)
  }

  /// Writes `,"key":true` or `,"key":false`.
  mutating func appendJSON(_ key: StaticString, _ value: Bool) {
    append(key: key)
    append(bool: value)
  }

  /// Writes `,"key":["text",…]`.
  mutating func appendJSON(_ key: StaticString, _ texts: [String]) {
    append(key: key)
    appendJSON(list: texts)
  }

  /// Writes `,"key":"name"`, the name in presentation form.
  mutating func appendJSON(_ key: StaticString, name: DNSName) {
    append(key: key)
    append("\"")
    append(name: name, escape: .jsonLabel)
    append("\"")
  }

  /// Writes a member of nanoseconds as microseconds.
  mutating func appendMicroseconds(_ key: StaticString, _ nanoseconds: Int64) {
    append(key: key)
    append(microseconds: nanoseconds)
  }

  /// Writes a member of nanoseconds as microseconds.
  mutating func appendMicroseconds(_ key: StaticString, _ nanoseconds: Double) {
    appendMicroseconds(key, Int64(nanoseconds.rounded()))
  }

  private mutating func append(key: StaticString) {
    append(",\"")
    append(key)
    append("\":")
  }
}

/// Values in JSON.
extension OutputBuffer {
  /// Writes `text` as a JSON string.
  mutating func appendJSON(string text: String) {
    append("\"")
    append(text: text, escape: .jsonText)
    append("\"")
  }

  /// Writes `texts` as a JSON array of strings.
  mutating func appendJSON(list texts: [String]) {
    append("[")
    for (index, text) in texts.enumerated() {
      if index > 0 { append(",") }
      appendJSON(string: text)
    }
    append("]")
  }

  /// Writes nanoseconds as microseconds with three digits behind the point, never below zero.
  mutating func append(microseconds nanoseconds: Int64) {
    let value = max(nanoseconds, 0)
    append(value / 1_000)
    append(".")
    append(Int(value % 1_000), width: 3)
  }
}
