/// Names as the reference dissector prints them, made from our presentation form.
///
/// It escapes neither dots nor backslashes, puts U+FFFD where bytes are no UTF-8, and escapes
/// control characters as C does. Both directions lose something, so only this form is compared.
func dissectorName(fromPresentation name: String) -> String {
  guard name != "." else { return "<Root>" }
  let text = String(decoding: unescaped(name), as: UTF8.self)
  var result = ""
  for scalar in text.unicodeScalars { result += dissectorForm(of: scalar) }
  return result
}

/// The bytes of the labels, joined by dots.
private func unescaped(_ name: String) -> [UInt8] {
  let bytes = Array(name.utf8)
  var result: [UInt8] = []
  var index = 0
  while index < bytes.count {
    let byte = bytes[index]
    guard byte == UInt8(ascii: "\\"), index + 1 < bytes.count else {
      result.append(byte)
      index += 1
      continue
    }
    if let code = decimalCode(bytes, at: index + 1) {
      result.append(code)
      index += 4
    } else {
      result.append(bytes[index + 1])
      index += 2
    }
  }
  return result
}

private func decimalCode(_ bytes: [UInt8], at index: Int) -> UInt8? {
  guard index + 3 <= bytes.count else { return nil }
  return UInt8(String(decoding: bytes[index..<index + 3], as: UTF8.self))
}

private func dissectorForm(of scalar: Unicode.Scalar) -> String {
  switch scalar.value {
  case 7: "\\a"
  case 8: "\\b"
  case 9: "\\t"
  case 10: "\\n"
  case 11: "\\v"
  case 12: "\\f"
  case 13: "\\r"
  case 0..<32, 127: "\\" + octal(scalar.value)
  default: String(scalar)
  }
}

private func octal(_ value: UInt32) -> String {
  let digits = String(value, radix: 8)
  return String(repeating: "0", count: 3 - digits.count) + digits
}
