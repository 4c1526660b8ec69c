/// This machine's name as a label.
enum HostLabel {
  /// The part of the system's host name before the first dot, fit for a host (RFC 952); `linux`
  /// where there is none.
  static var own: [UInt8] { label(of: HostName.firstLabel) }

  private static let fallback = Array("linux".utf8)

  /// The label that stands for a host name of these bytes.
  static func label(of name: [UInt8]) -> [UInt8] {
    var label = name.prefix { $0 != UInt8(ascii: ".") }.prefix(63).map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        byte
      default: UInt8(ascii: "-")
      }
    }
    while label.last == UInt8(ascii: "-") { label.removeLast() }
    label = Array(label.drop { $0 == UInt8(ascii: "-") })
    return label.isEmpty || label == Array("localhost".utf8) ? fallback : label
  }
}
