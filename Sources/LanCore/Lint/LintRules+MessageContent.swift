// Rules about names and about what records say. Their order is that of `MessageRule`.
extension LintRules {
  static let contentRules = [
    nameControlCharacter, nameNotUTF8, namePunycode, nameNotLocal, soaOrNSQuery, srvTarget,
    serviceType, txtZeroLength, txtKeys, txtSize, subtypeTarget, enumTarget,
  ]

  static let nameControlCharacter = LintRule(
    "name-control-character", .error, "RFC 6763 section 4.1.1",
    "Names hold no ASCII control characters.",
    "Lists and terminals break on them, and some libraries refuse the name. Rename the device.")
  static let nameNotUTF8 = LintRule(
    "name-not-utf8", .error, "RFC 6762 section 16",
    "Names are UTF-8.",
    "Receivers show rubbish or refuse the name. Convert the device's name to UTF-8.")
  static let namePunycode = LintRule(
    "name-punycode", .warning, "RFC 6762 section 16",
    "Names in .local are not encoded as Punycode.",
    "Responders compare UTF-8 bytes, so the encoded name matches nothing. Send the name as UTF-8.")
  static let nameNotLocal = LintRule(
    "name-not-local", .info, "RFC 6762 section 3",
    "Names are in .local or map addresses back to names.",
    "Names of the world reach everybody on the link, who could answer falsely. Ask the "
      + "configured DNS server.")
  static let soaOrNSQuery = LintRule(
    "soa-or-ns-query", .info, "RFC 6762 section 22.1",
    "Nobody asks for SOA or NS records of .local names.",
    "Nobody answers: .local has no servers. A resolver looks for a private .local zone; rename "
      + "that zone.")
  static let srvTarget = LintRule(
    "srv-target", .warning, "RFC 2782",
    "An SRV record names a host in .local, by its own name, and a port that is not 0.",
    "Clients cannot connect. Announce the host's own name and the real port.")
  static let serviceType = LintRule(
    "service-type", .error, "RFC 6763 section 7",
    "A service type is _name._tcp or _name._udp, the name 1 to 15 letters, digits and hyphens.",
    "Browsers pass over the type. Register and use a valid service name (RFC 6335 section 5.1).")
  static let txtZeroLength = LintRule(
    "txt-zero-length", .error, "RFC 6763 section 6.1",
    "A TXT record holds at least one byte.",
    "Strict decoders drop the record or the message. Send one zero byte for an empty text.")
  static let txtKeys = LintRule(
    "txt-keys", .warning, "RFC 6763 section 6.4",
    "The keys of a TXT record are short printable ASCII, each of them given once.",
    "Receivers pass over the string, or show the first of the values. Rename the keys.")
  static let txtSize = LintRule(
    "txt-size", .warning, "RFC 6763 section 6.2",
    "A TXT record has at most 1,300 bytes.",
    "The response no longer fits into one Ethernet frame. Serve long texts over the service itself."
  )
  static let subtypeTarget = LintRule(
    "subtype-target", .warning, "RFC 6763 section 7.1",
    "A subtype points to instances of its own service type.",
    "Browsers of the subtype list something of another kind. Point to the instance of that type.")
  static let enumTarget = LintRule(
    "enum-target", .warning, "RFC 6763 section 9",
    "_services._dns-sd._udp points to service types.",
    "Browsers list a type that does not exist. Point to _name._tcp or _name._udp.")
}
