import LanCore
import LanWire

/// Names that were chosen because the wished ones were taken, kept from run to run (RFC 6762 section
/// 9).
///
/// A line each: `service` or `host`, the type or `-`, and in hexadecimal digits the name that was
/// wished for and the one that was chosen. What cannot be read counts as nothing, and what cannot be
/// written is not kept: neither is a reason not to publish.
struct ChosenNames {
  private struct Key: Hashable {
    var type: ServiceType?
    var wished: DNSName
  }
  private struct Entry {
    var key: Key
    var chosen: [UInt8]
  }

  /// More than so many are not kept; the oldest go.
  static let limit = 200
  private static let sizeLimit = 1 << 16
  private let folder: String

  /// The names that are kept in a folder.
  init(_ folder: String) { self.folder = folder }

  private var path: String { folder + "/names" }

  // MARK: Instances and hosts

  /// The instance that was chosen in place of another.
  func instance(insteadOf wished: [UInt8], type: ServiceType) -> [UInt8]? {
    chosen(Self.key(wished, type))
  }

  /// The host label that was chosen in place of another.
  func hostLabel(insteadOf wished: [UInt8]) -> [UInt8]? { chosen(Self.key(wished, nil)) }

  /// Keeps the instance that was registered, or forgets the one of before where it is the wished one.
  func remember(instance: [UInt8], insteadOf wished: [UInt8], type: ServiceType) {
    keep(instance, Self.key(wished, type))
  }

  /// Keeps the host label that was registered.
  func remember(hostLabel: [UInt8], insteadOf wished: [UInt8]) {
    keep(hostLabel, Self.key(wished, nil))
  }

  /// A name ignores the case of ASCII letters.
  private static func key(_ wished: [UInt8], _ type: ServiceType?) -> Key? {
    guard let name = try? DNSName(labels: [wished]) else { return nil }
    return Key(type: type?.base, wished: name)
  }

  private func chosen(_ key: Key?) -> [UInt8]? {
    read().last { $0.key == key }?.chosen
  }

  private func keep(_ chosen: [UInt8], _ key: Key?) {
    guard let key, Self.isFit(chosen) else { return }
    var entries = read()
    let known = entries.last { $0.key == key }?.chosen
    let isWished = chosen == key.wished.firstLabel
    guard isWished ? known != nil : known != chosen else { return }
    entries.removeAll { $0.key == key }
    if !isWished { entries.append(Entry(key: key, chosen: chosen)) }
    write(entries.suffix(Self.limit))
  }

  // MARK: The file

  private func read() -> [Entry] {
    guard let bytes = SmallFile.read(path, limit: Self.sizeLimit) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).prefix(2 * Self.limit).compactMap {
      Self.entry($0)
    }
  }

  private static func entry(_ line: ArraySlice<UInt8>) -> Entry? {
    let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    guard fields.count == 4, let wished = bytes(fields[2]), let chosen = bytes(fields[3]),
      isFit(chosen)
    else { return nil }
    switch String(decoding: fields[0], as: UTF8.self) {
    case "service":
      guard let text = String(validating: fields[1], as: UTF8.self),
        let type = try? ServiceType(parsing: text)
      else { return nil }
      return key(wished, type).map { Entry(key: $0, chosen: chosen) }
    case "host": return key(wished, nil).map { Entry(key: $0, chosen: chosen) }
    default: return nil
    }
  }

  /// A label that may be published.
  private static func isFit(_ label: [UInt8]) -> Bool {
    (1...DNSLimits.labelOctets).contains(label.count)
      && label.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && String(validating: label, as: UTF8.self) != nil
  }

  private func write(_ entries: ArraySlice<Entry>) {
    var text = ""
    for entry in entries {
      let type = entry.key.type.map { "service\t\($0)" } ?? "host\t-"
      text +=
        "\(type)\t\(Self.digits(entry.key.wished.firstLabel ?? []))\t\(Self.digits(entry.chosen))\n"
    }
    guard SmallFile.makeFolder(folder) else { return }
    SmallFile.replace(path, with: Array(text.utf8))
  }

  private static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2), digits.count <= 2 * DNSLimits.labelOctets else {
      return nil
    }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      if let first = high {
        bytes.append(first << 4 | UInt8(truncatingIfNeeded: value))
        high = nil
      } else {
        high = UInt8(truncatingIfNeeded: value)
      }
    }
    return bytes
  }
}
