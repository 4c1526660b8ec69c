public import LanWire

/// A hosts(5) file: addresses and the names that the administrator gave them.
public struct HostsFile: Hashable, Sendable {
  /// One line.
  public struct Entry: Hashable, Sendable {
    /// The address.
    public var address: IPAddress
    /// The interface of a link-local address; nil for none.
    public var zone: String?
    /// The canonical name first.
    public var names: [String]
  }

  private let lines: [ArraySlice<UInt8>]

  /// The entries of a file; lines that are none are skipped.
  ///
  /// Files of a hundred thousand lines exist; a line is read when it is asked for.
  public init(_ bytes: [UInt8] = []) { lines = bytes.split(separator: UInt8(ascii: "\n")) }

  /// The entries that name `host`, the case of ASCII letters and a dot at the end ignored.
  public func entries(of host: String) -> [Entry] {
    let wanted = Self.folded(Array(host.utf8)[...])
    return lines.compactMap { line in
      let words = Self.words(line)
      guard words.dropFirst().contains(where: { Self.folded($0) == wanted }) else { return nil }
      return Self.entry(words)
    }
  }

  /// The entries of an address; an entry with another zone is none.
  public func entries(of address: IPAddress, zone: String?) -> [Entry] {
    lines.compactMap { line in
      guard let entry = Self.entry(Self.words(line)), entry.address == address,
        entry.zone == nil || entry.zone == zone
      else { return nil }
      return entry
    }
  }

  private static func words(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    line.prefix { $0 != UInt8(ascii: "#") }.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  private static func entry(_ words: [ArraySlice<UInt8>]) -> Entry? {
    guard let first = words.first, words.count > 1 else { return nil }
    let parts = String(decoding: first, as: UTF8.self).split(separator: "%", maxSplits: 1)
    guard let address = IPAddress(parsing: parts.first.map(String.init) ?? "") else { return nil }
    return Entry(
      address: address.unmapped, zone: parts.count > 1 ? String(parts[1]) : nil,
      names: words.dropFirst().map { String(decoding: $0, as: UTF8.self) })
  }

  private static func folded(_ name: ArraySlice<UInt8>) -> [UInt8] {
    let bytes = name.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    return bytes.last == UInt8(ascii: ".") ? bytes.dropLast() : bytes
  }
}

/// The `hosts` line of nsswitch.conf(5): whom the system's resolver asks.
public struct NameServiceSwitch: Hashable, Sendable {
  /// The services in their order, such as `files` and `dns`.
  public let hosts: [String]

  /// The line in a file; glibc's own order where there is none.
  public init(_ bytes: [UInt8] = []) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
      let parts = text.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].split(separator: " ") == ["hosts"] else { continue }
      var isAction = false
      hosts = parts[1].split { $0 == " " || $0 == "\t" }.compactMap { word in
        if word.hasPrefix("[") { isAction = true }
        defer { if word.hasSuffix("]") { isAction = false } }
        return isAction ? nil : String(word)
      }
      return
    }
    hosts = ["files", "dns"]
  }

  /// Who gave an answer that is not in the hosts file: known where only one else is asked.
  public var provider: ResolveProvider {
    let others = hosts.filter { $0 != "files" }
    if !others.isEmpty, others.allSatisfy({ $0 == "dns" }) { return .dns }
    if !others.isEmpty, others.allSatisfy({ $0.hasPrefix("mdns") }) { return .mdns }
    return .system
  }
}
