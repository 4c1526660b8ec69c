/// What help and manual page say about `lantool browse` beyond its options.
extension BrowseDeclaration {
  static let discussion: [CommandDeclaration.Paragraph] = [
    .text(
      """
      Asks the local network by multicast DNS for services of a type, resolves them to hosts, \
      ports, addresses and attributes, and shows how they come, change and go until it is \
      interrupted. Without a TYPE it finds out which types there are, by asking for their list \
      and by what it hears, and browses each.
      """),
    .text(
      """
      A TYPE is a service name with its transport: _ipp._tcp. With a subtype it is \
      _universal._sub._ipp._tcp or _ipp._tcp,_universal. A bare service name will do too: 'ipp'. The \
      type _services._dns-sd._udp means --only-types.
      """),
    .text(
      """
      On a terminal the list is a table, sorted by name and kept up to date; a service that is seen \
      on several interfaces stands there once. In a pipe each event is a line: + for a service \
      that came, ~ for one that changed, - for one that went, with the cause.
      """),
  ]

  static let examples: [CommandDeclaration.Example] = [
    .init(command: "lantool browse", text: "See everything that is offered on the network."),
    .init(
      command: "lantool browse --once _ipp._tcp _ipps._tcp",
      text: "List the printers and exit."),
    .init(
      command: "lantool browse --json --once _http._tcp | jq .addresses",
      text: "Hand addresses to another program."),
    .init(
      command: "lantool browse --expect Deck --timeout 10s -q _witap2._tcp",
      text: "Wait until a peer is there, at most 10 seconds."),
    .init(
      command: "lantool browse --domain dns-sd.org --once _http._tcp",
      text: "Browse a domain by conventional DNS."),
    .init(
      command: "lantool browse --read lan.pcapng --json",
      text: "See which services a capture tells of."),
    .init(command: "lantool browse --types printer", text: "Look up service types."),
  ]

  static let sections: [CommandDeclaration.Section] = [
    .init(
      title: "Output",
      paragraphs: [
        .text(
          """
          A line in a pipe has the sign, the instance, the type with its meaning, the interface, \
          host and port, the addresses, and the TXT attributes in quotes. A link-local IPv6 \
          address carries its interface: fe80::1%eth0. While it follows, a line begins with the \
          local time.
          """),
        .text("Words at the end of a line or of a row:"),
        .item("own", "The service is one of this host."),
        .item(
          "incomplete",
          "Host, TXT or an address did not come within a second; what comes later is a change."),
        .item("placeholder", "The name is reserved, and nothing runs there (port 0)."),
        .item("goodbye", "The service was taken back."),
        .item("expired", "Nobody repeated it within its time to live."),
        .item("flushed", "It was replaced by its sender."),
        .item("interface down", "The interface went down or away."),
        .item("no response", "It was asked for again, and nobody answered."),
        .text(
          """
          Control characters and bytes that are no UTF-8 are shown as \\DDD in decimal. A summary \
          goes to standard error.
          """),
      ]),
    .init(
      title: "Interfaces",
      paragraphs: [
        .text(
          """
          Without -i every interface is used that is up, has a carrier and multicast, and is no \
          loopback, no point-to-point link and no part of a bridge; those that come later are used \
          too. Where there is none at the start, the run ends with 2 and says why. An interface \
          that -i names and that is down is waited for, which is said on standard error, unless \
          the run has an end of its own (--once, --expect, --zone, --duration, --timeout).
          """)
      ]),
    .init(
      title: "Address families",
      paragraphs: [
        .text(
          """
          With -4 or -6 only that version of IP is spoken, and only its addresses are asked for \
          and shown. A service whose host has no such address stays incomplete.
          """)
      ]),
    .init(
      title: "Environment",
      paragraphs: [
        .item("LC_ALL, LC_COLLATE, LANG", "The order of names in the table.")
      ] + CommonOptions.colorEnvironment + [CommonOptions.zoneEnvironment]),
    .init(
      title: "Files", paragraphs: CommonOptions.resolverFiles + [CommonOptions.namespaceFiles]),
    .init(
      title: "Standards",
      paragraphs: [.text("RFC 6762 (multicast DNS), RFC 6763 (DNS-SD), RFC 1035 (zone files).")]),
  ]
}
