import LanCore
import LanWire

extension ServicePublisher.Configuration {
  /// The most bytes of a TXT record: with name, headers and a probe's question beside it a packet
  /// stays within the 9,000 bytes of RFC 6762 section 17.
  public static let textLimit = 8_800

  /// Holds what is to be published to the rules (RFC 6763 sections 4.1.1, 6 and 7).
  ///
  /// - Throws: `ServicePublisherError.badArgument`, with the reason in words for people.
  public func check() throws(ServicePublisherError) { try check(text: service.text) }

  func check(text: [[UInt8]]) throws(ServicePublisherError) {
    try Self.check(service.type)
    try Self.check(label: service.instance, "the service's name")
    // Subtypes may be any bytes (RFC 6763 section 7.1).
    for subtype in service.subtypes { try Self.checkLength(of: subtype, "a subtype") }
    if let hostLabel { try Self.check(label: hostLabel, "the host's name") }
    if !proxyAddresses.isEmpty, hostLabel == nil {
      throw .badArgument(
        "the machine at \(proxyAddresses[0]) needs a host name; give it with --host")
    }
    if let fault = Self.fault(ofText: text) { throw .badArgument(fault) }
  }

  private static func check(_ type: ServiceType) throws(ServicePublisherError) {
    guard type.subtype == nil else {
      throw .badArgument("the type \(type) has a subtype in it; those are given apart")
    }
    do throws(ServiceTypeError) {
      _ = try ServiceTypeText(parsing: "\(type)")
    } catch {
      throw .badArgument("\(error)")
    }
  }

  private static func checkLength(
    of label: [UInt8], _ what: String
  ) throws(ServicePublisherError) {
    guard !label.isEmpty else { throw .badArgument("\(what) is empty") }
    guard label.count <= DNSLimits.labelOctets else {
      throw .badArgument("\(what) has \(label.count) bytes, and 63 are allowed")
    }
  }

  private static func check(
    label: [UInt8], _ what: String
  ) throws(ServicePublisherError) {
    try checkLength(of: label, what)
    guard String(validating: label, as: UTF8.self) != nil else {
      throw .badArgument("\(what) is no valid UTF-8")
    }
    guard label.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .badArgument("\(what) holds a control character")
    }
  }

  /// What keeps strings from being a TXT record; nil for nothing.
  static func fault(ofText text: [[UInt8]]) -> String? {
    for string in text where string.count > 255 {
      let key = String(decoding: string.prefix { $0 != 0x3D }.prefix(40), as: UTF8.self)
      return "the TXT string '\(key)…' has \(string.count) bytes, and 255 are allowed"
    }
    let size = text.reduce(0) { $0 + $1.count + 1 }
    guard size > textLimit else { return nil }
    return "the TXT record has \(size) bytes, and \(textLimit) are allowed (1300 are advised)"
  }
}
