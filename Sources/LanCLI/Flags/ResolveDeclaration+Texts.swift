import LanCore

/// What help and manual page say about `lantool resolve` beyond its options.
extension ResolveDeclaration {
  static let discussion: [CommandDeclaration.Paragraph] = [
    .text(
      """
      Shows every address of a host, the name of an address, or where a service instance runs, \
      each once, with its port and with who said so: the hosts file, multicast DNS on a link, \
      conventional DNS, or the system's resolver. Addresses stand in the order in which they are \
      to be tried, and a link-local one carries its interface.
      """),
    .text(
      """
      A name may be followed by ':' and a port or the name of a service; a number behind a name, as \
      a word of its own, is its port too. A name such as 'Deck._witap._tcp.local' is a service \
      instance: a dot or backslash inside the instance is escaped with a backslash.
      """),
  ]

  static let examples: [CommandDeclaration.Example] = [
    .init(
      command: "lantool resolve nas.local:ssh", text: "Find what to connect to for SSH."),
    .init(command: "lantool resolve 192.0.2.7", text: "Find the name of an address."),
    .init(
      command: "lantool resolve --service _ipp._tcp 'Laser, 2nd floor'",
      text: "Find where a printer runs."),
    .init(
      command: "lantool resolve --all --json nas.local",
      text: "Show what each source says, as JSON Lines."),
    .init(
      command: "lantool resolve --type TXT 'Deck._witap._tcp.local'", text: "Show a record."),
  ]

  static let sections: [CommandDeclaration.Section] = [
    .init(
      title: "Who is asked",
      paragraphs: [
        .text(
          """
          A name or address that is in the hosts file is answered by it, through the system's \
          resolver; if the name is in .local, multicast DNS is asked as well, and a contradiction \
          is pointed out. Other names in .local and link-local addresses are looked for by \
          multicast DNS; names in .local with three labels or more, and all of them where a DNS \
          server serves 'local', by DNS too. For the names of addresses on an own link both \
          multicast DNS and the system's resolver are asked. Everything else goes to the system's \
          resolver, with nsswitch.conf, search list and ndots as they are set up.
          """),
        .text(
          """
          Multicast questions go out three times: at once, after 1 s and after 3 s. A and AAAA are \
          asked together. The run ends as soon as the owner of the name has answered or denied \
          both; if it keeps silent about one, half a second after it answered the other. With no \
          answer at all it ends after 5 s.
          """),
      ]),
    .init(
      title: "Output",
      paragraphs: [
        .text(
          """
          A line for each address begins with what can be connected to: 192.0.2.7, 192.0.2.7:22 \
          or [fe80::1%eth0]:22. Then follow the name, the source (hosts, mdns, dns or system), the \
          interface, the time to live and the time that the answer took. In front of the addresses \
          of a service stands a line that begins with '#': its host, port, priority, weight and \
          attributes.
          """)
      ]),
    .init(
      title: "Environment",
      paragraphs: [
        .item("RES_OPTIONS, LOCALDOMAIN", "What the system's resolver makes of them.")
      ] + CommonOptions.colorEnvironment),
    .init(
      title: "Files",
      paragraphs: [
        .item("/etc/hosts", "Names that the administrator gave; read once, at the start."),
        .item("/etc/nsswitch.conf", "Whom the system's resolver asks, by its line 'hosts'."),
      ] + CommonOptions.resolverFiles + [
        .item("/etc/gai.conf", "The order of the addresses that come from the system's resolver."),
        .item("/etc/services", "The ports of names such as ssh in host:ssh."),
        CommonOptions.namespaceFiles,
      ]),
    .init(
      title: "Standards",
      paragraphs: [
        .text(
          """
          RFC 6762 (multicast DNS), RFC 6763 (DNS-SD), RFC 6724 (order of addresses), RFC 1035 \
          (DNS).
          """)
      ]),
  ]
}
