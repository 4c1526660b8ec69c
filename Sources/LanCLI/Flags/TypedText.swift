/// Bytes that a user typed, made safe to print in a message.
///
/// Control characters and bytes that are no UTF-8 become `\xNN`: a word pasted from elsewhere must
/// not drive the terminal.
func printable(_ bytes: [UInt8]) -> String {
  var text = ""
  var decoder = UTF8()
  var input = bytes.makeIterator()
  var start = 0
  while true {
    switch decoder.decode(&input) {
    case .scalarValue(let scalar):
      let width = UTF8.width(scalar)
      text += isControl(scalar) ? escaped(bytes[start..<start + width]) : String(scalar)
      start += width
    case .emptyInput: return text
    case .error: return text + escaped(bytes[start...])
    }
  }
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
  default: false
  }
}

private func escaped(_ bytes: ArraySlice<UInt8>) -> String {
  bytes.map { byte in
    if (0x20...0x7e).contains(byte) { return String(Unicode.Scalar(byte)) }
    let digits = String(byte, radix: 16)
    return byte < 16 ? "\\x0\(digits)" : "\\x\(digits)"
  }.joined()
}
