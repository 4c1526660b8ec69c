extension IPv4Address {
  /// The address that `text` is in dotted decimal; nil for anything else.
  public init?(parsing text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bits: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
        part.utf8.count == 1 || part.utf8.first != 0x30, let value = UInt8(part)
      else { return nil }
      bits = bits << 8 | UInt32(value)
    }
    self.init(bits: bits)
  }
}

extension IPv6Address {
  /// The address that `text` is (RFC 4291 section 2.2), without a zone; nil for anything else.
  public init?(parsing text: String) {
    var groups: [UInt16] = []
    var gap: Int?
    var rest = Substring(text)
    guard rest.utf8.count >= 2 else { return nil }
    if rest.hasPrefix("::") {
      gap = 0
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      if rest.contains("."), !rest.contains(":") {
        guard groups.count <= 6, let last = IPv4Address(parsing: String(rest)) else { return nil }
        groups += [UInt16(last.bits >> 16), UInt16(truncatingIfNeeded: last.bits)]
        break
      }
      let digits = rest.prefix { $0 != ":" }
      guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy(Self.isHexDigit),
        let value = UInt16(digits, radix: 16), groups.count < 8
      else { return nil }
      groups.append(value)
      rest = rest.dropFirst(digits.count)
      if rest.isEmpty { break }
      rest = rest.dropFirst()
      if rest.first == ":" {
        guard gap == nil else { return nil }
        gap = groups.count
        rest = rest.dropFirst()
      } else if rest.isEmpty {
        return nil
      }
    }
    guard groups.count <= 8, gap != nil ? groups.count < 8 : groups.count == 8 else { return nil }
    if let gap {
      groups.insert(contentsOf: Array(repeating: 0, count: 8 - groups.count), at: gap)
    }
    self.init(
      high: groups[..<4].reduce(0) { $0 << 16 | UInt64($1) },
      low: groups[4...].reduce(0) { $0 << 16 | UInt64($1) })
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x66 ~= byte | 0x20
  }
}

extension IPAddress {
  /// The address that `text` is, of either family; nil for anything else.
  public init?(parsing text: String) {
    if let address = IPv4Address(parsing: text) {
      self = .v4(address)
    } else if let address = IPv6Address(parsing: text) {
      self = .v6(address)
    } else {
      return nil
    }
  }
}

extension MACAddress {
  /// The address that `text` is: six pairs of hexadecimal digits with colons or hyphens; else nil.
  public init?(parsing text: String) {
    let parts = text.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == ":" || $0 == "-" })
    guard parts.count == 6 else { return nil }
    var bits: UInt64 = 0
    for part in parts {
      guard (1...2).contains(part.utf8.count), let value = UInt8(part, radix: 16),
        part.first != "+"
      else { return nil }
      bits = bits << 8 | UInt64(value)
    }
    self.init(bits: bits)
  }
}
