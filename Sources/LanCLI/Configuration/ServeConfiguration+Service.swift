import LanCore
import LanSystem
import LanWire

/// The service that is published: its type, names, addresses and attributes.
extension ServeConfiguration {
  mutating func takeType(_ arguments: ParsedArguments) throws(UsageError) {
    guard let bytes = arguments.bytes("type") else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(ServiceTypeError) {
      let read = try ServiceTypeText(parsing: text)
      if let domain = read.domain, domain != BrowseConfiguration.local {
        throw ServiceTypeError(.domain(domain.description), text)
      }
      // What is published has its name spelt out.
      guard text.hasPrefix("_"), text.lowercased().contains("._\(read.type.transport)") else {
        throw ServiceTypeError(.underscore(suggestion: "\(read.type)"), text)
      }
      type = read.type
      subtypes = read.subtypes.map { Array($0.utf8) }
    } catch {
      var usage = arguments.usageError(
        "'\(printable(bytes))' is no service type: \(error.explanation)")
      if case .underscore(let suggestion) = error.reason { usage.suggestion = suggestion }
      throw usage
    }
  }

  mutating func takeNames(
    _ arguments: ParsedArguments, _ hostName: () -> [UInt8]
  ) throws(UsageError) {
    isNameGiven = arguments.isSet("name")
    instance = arguments.bytes("name") ?? hostName()
    if instance.isEmpty, !isNameGiven { instance = Array("lantool".utf8) }
    try check(label: instance, "name", arguments)
    for subtype in arguments.allBytes("subtype") {
      try check(label: subtype, "subtype", arguments)
      if !subtypes.contains(subtype) { subtypes.append(subtype) }
    }
    guard var label = arguments.bytes("host") else { return }
    if label.last == UInt8(ascii: ".") { label.removeLast() }
    let ending = Array(".local".utf8)
    if label.count > ending.count,
      String(decoding: label.suffix(ending.count), as: UTF8.self).lowercased() == ".local"
    {
      label.removeLast(ending.count)
    }
    try check(label: label, "host", arguments)
    guard !label.contains(UInt8(ascii: ".")) else {
      throw arguments.usageError(
        "invalid value '\(printable(label))' for '--host': expected one label, such as nas or "
          + "nas.local")
    }
    hostLabel = label
  }

  /// RFC 6763 sections 4.1.1 and 7.2.
  private func check(
    label: [UInt8], _ option: String, _ arguments: ParsedArguments
  ) throws(UsageError) {
    let fault: String
    switch label.count {
    case 0: fault = "must not be empty"
    case 64...: fault = "\(label.count) bytes, and a label has at most 63"
    default:
      if label.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
        fault = "control characters are not allowed"
      } else if option != "subtype", String(validating: label, as: UTF8.self) == nil {
        fault = "it is no valid UTF-8"
      } else {
        return
      }
    }
    throw arguments.usageError(
      "invalid value '\(printable(label))' for '--\(option)': \(fault)")
  }

  mutating func takeProxy(_ arguments: ParsedArguments) throws(UsageError) {
    for text in arguments.values("proxy-address") {
      guard let address = IPAddress(parsing: text), !address.isMulticast, !address.isUnspecified
      else {
        throw arguments.usageError(
          "invalid value '\(printable(Array(text.utf8)))' for '--proxy-address': expected an "
            + "address such as 192.0.2.9 or 2001:db8::9")
      }
      if !proxyAddresses.contains(address) { proxyAddresses.append(address) }
    }
  }

  mutating func takeText(_ arguments: ParsedArguments) throws(UsageError) {
    text = arguments.allBytes("txt")
    textFile = arguments.bytes("txt-file")
    for string in text {
      guard let fault = ServeAttributes.fault(of: string) else { continue }
      throw arguments.usageError(
        "invalid value '\(printable(Array(string.prefix(80))))' for '--txt': \(fault)")
    }
    if let key = ServeAttributes.duplicate(in: text) {
      throw arguments.usageError(
        "the key '\(printable(key))' is given twice; a TXT record has each only once")
    }
    let size = ServeAttributes.size(of: text)
    guard size <= ServeAttributes.sizeLimit else {
      throw arguments.usageError(
        "the TXT record has \(size) bytes, and at most \(ServeAttributes.sizeLimit) fit into a "
          + "packet; \(ServeAttributes.advisedSize) are advised")
    }
  }
}
