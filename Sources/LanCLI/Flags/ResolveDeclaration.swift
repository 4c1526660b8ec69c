extension CommandDeclaration {
  /// `lantool resolve`.
  static let resolve = CommandDeclaration(
    name: "resolve",
    abstract: "find addresses and ports of hosts and services",
    discussion: ResolveDeclaration.discussion,
    arguments: [
      Argument(
        placeholder: "NAME", isOptional: false, isRepeatable: true,
        help: "a host, host:port, an address, a service instance, or '-' for standard input",
        values: .heard(.targets))
    ],
    options: ResolveDeclaration.input + ResolveDeclaration.selection + ResolveDeclaration.output
      + ResolveDeclaration.end + CommonOptions.general,
    examples: ResolveDeclaration.examples,
    statuses: [
      (.success, "Everything was resolved; with --any, something was."),
      (.negative, "No such name, no address, or nobody answered."),
      (
        .undetermined,
        "It could not be determined: the resolver failed, no interface to ask on, a system error."
      ),
      (.timedOut, "The time limit of --timeout passed without any result."),
      (.usage, "The command line is wrong."),
      (.notPermitted, "The right to enter a namespace is missing."),
    ],
    sections: ResolveDeclaration.sections,
    seeAlso: [
      "lantool-browse(1)", "lantool-watch(1)", "getent(1)", "hosts(5)", "nsswitch.conf(5)",
      "gai.conf(5)",
    ])
}

/// The parts of `CommandDeclaration.resolve`.
enum ResolveDeclaration {
  private static let recordTypes = [
    Choice("A", "an IPv4 address"), Choice("AAAA", "an IPv6 address"),
    Choice("ANY", "all that there is"), Choice("CNAME", "the name behind an alias"),
    Choice("HINFO", "processor and system"), Choice("NSEC", "which types there are"),
    Choice("PTR", "instances of a service, the name of an address"),
    Choice("SRV", "host and port of a service"), Choice("TXT", "attributes of a service"),
  ]

  static let input: [OptionDeclaration] = [
    OptionDeclaration(
      "service", nil, "TYPE", .serviceType, in: .input, excludes: ["type"],
      help: "NAME is an instance of this service type (_ipp._tcp)",
      details: """
        NAME is then the instance's label as people see it: nothing in it is escaped, and a dot is \
        part of it.
        """),
    OptionDeclaration(
      "domain", nil, "DOMAIN", in: .input,
      help: "the domain of service instances that name none (local)"),
    OptionDeclaration(
      "type", nil, "TYPE", .offered(recordTypes), in: .input,
      help: "ask for records of this type: TXT, HINFO, ANY, TYPE65280",
      details: "NAME is then any name; with PTR it may also be an address."),
    OptionDeclaration(
      "server", nil, "ADDR[:PORT]", in: .input,
      help: "ask this DNS server and nobody else",
      details: """
        Names are taken as they are, without a search list. An IPv6 address with a port: [::1]:53.
        """),
    CommonOptions.namespace,
  ]

  static let selection: [OptionDeclaration] =
    [
      OptionDeclaration(
        "interface", "i", "IF", .interface, in: .selection, isRepeatable: true,
        help: "ask by multicast on this interface only; repeatable")
    ] + CommonOptions.families

  static let output: [OptionDeclaration] = [
    CommonOptions.json,
    OptionDeclaration(
      "all", in: .output,
      help: "ask every source and show what each says, with its time",
      details: """
        The hosts file, the system's resolver, multicast DNS where the name or address may be found \
        there, and conventional DNS. Without this option only the answers that decide are shown.
        """),
    OptionDeclaration(
      "why", in: .output, help: "show which rule puts each address before the next",
      details: "The rules of RFC 6724 section 6, by their number and words."),
    CommonOptions.color,
    CommonOptions.quiet,
  ]

  static let end: [OptionDeclaration] = [
    OptionDeclaration(
      "watch", in: .end, help: "go on and show what changes",
      details: """
        What is learnt by multicast is followed as browse follows it; the system's resolver and \
        DNS are asked again every 10 s.
        """),
    OptionDeclaration(
      "any", in: .end, help: "one name that is resolved is enough; without it all must be"),
    CommonOptions.timeout,
  ]
}
