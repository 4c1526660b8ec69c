/// Options that mean the same wherever they are accepted.
enum CommonOptions {
  static let json = OptionDeclaration(
    "json", in: .output, help: "write JSON Lines, one object a line",
    details: """
      Every object carries schema, event, time and seq. The lines are never translated, and are \
      described by the JSON Schema files that are installed with the program.
      """)

  static let families = [
    OptionDeclaration(
      "ipv4", "4", in: .selection, help: "IPv4 only",
      details: "With --ipv6 too, both families are taken, as without either."),
    OptionDeclaration("ipv6", "6", in: .selection, help: "IPv6 only"),
  ]

  static let timeout = OptionDeclaration(
    "timeout", nil, "DUR", .timeLimit, in: .end,
    help: "give up after DUR without a result (250ms, 3s, 2m, none)",
    details: """
      The run ends after this time. With no result by then the exit status is 3. A bare number \
      means seconds; a bare 0 is refused, as it could mean no time or no limit. The default is none.
      """)

  static let namespace = OptionDeclaration(
    "netns", nil, "NAME", .namespace, in: .input, help: "work inside this network namespace",
    details: "NAME is one that 'ip netns' lists. Entering it needs CAP_SYS_ADMIN.")

  static let quiet = OptionDeclaration(
    "quiet", "q", in: .output, help: "write no records; the exit status tells",
    details: "Diagnostics still go to standard error.")

  static let color = OptionDeclaration(
    "color", nil, "WHEN",
    .choice([
      Choice("auto", "on a terminal, unless NO_COLOR is set"), Choice("always", "in any case"),
      Choice("never", "not at all"),
    ]), in: .output, help: "colour the text: auto, always or never")

  static let general = [
    OptionDeclaration("help", "h", in: .general, help: "show this help and exit"),
    OptionDeclaration("version", in: .general, help: "show the version and exit"),
  ]

  /// What `--color=auto` looks at.
  static let colorEnvironment: [CommandDeclaration.Paragraph] = [
    .item("NO_COLOR", "If it is set and not empty, --color=auto does not colour."),
    .item("TERM", "With dumb, --color=auto does not colour, and nothing is redrawn in place."),
  ]
  /// Which zone local times are in.
  static let zoneEnvironment = CommandDeclaration.Paragraph.item(
    "TZ", "The time zone of local times.")
  /// Where `--netns` looks.
  static let namespaceFiles = CommandDeclaration.Paragraph.item(
    "/run/netns", "The network namespaces for --netns; see ip-netns(8).")
  /// Where the resolver's set-up is.
  static let resolverFiles: [CommandDeclaration.Paragraph] = [
    .item("/etc/resolv.conf", "The DNS servers, unless --server names one."),
    .item(
      "/run/systemd/resolve/resolv.conf",
      "The DNS servers behind systemd-resolved, where /etc/resolv.conf names its stub."),
  ]
}
