extension CommandDeclaration {
  /// `lantool browse`.
  static let browse = CommandDeclaration(
    name: "browse",
    abstract: "find the services on the network, and follow them",
    discussion: BrowseDeclaration.discussion,
    arguments: [
      Argument(
        placeholder: "TYPE", isOptional: true, isRepeatable: true,
        help: "a service type such as _ipp._tcp; without one, every type",
        values: .serviceType)
    ],
    options: BrowseDeclaration.input + BrowseDeclaration.selection + BrowseDeclaration.output
      + BrowseDeclaration.diagnosis + BrowseDeclaration.end + CommonOptions.general,
    examples: BrowseDeclaration.examples,
    statuses: [
      (.success, "Something was found, or what --expect names; or a capture was read to its end."),
      (.negative, "Nothing was found, or not what --expect names."),
      (
        .undetermined,
        """
        It could not be determined: no such interface, none with multicast, port 5353 held by \
        another program, a broken file, a system error.
        """
      ),
      (.timedOut, "The time limit of --timeout passed without a result."),
      (.usage, "The command line is wrong, such as a TYPE that is none."),
      (.notPermitted, "The right to enter a namespace is missing."),
    ],
    sections: BrowseDeclaration.sections,
    seeAlso: ["lantool-resolve(1)", "lantool-ping-peer(1)", "lantool-sniff(1)", "avahi-browse(1)"])
}

/// The parts of `CommandDeclaration.browse`.
enum BrowseDeclaration {
  static let input: [OptionDeclaration] = [
    OptionDeclaration(
      "read", "r", "FILE", .file, in: .input,
      excludes: ["netns", "passive", "server"],
      help: "browse a capture file ('-': standard input)",
      details: """
        The messages of the capture are judged as if they came in now, by the capture's own clock. \
        Nothing is sent. With --interface only what a pcapng file says was captured there.
        """),
    OptionDeclaration(
      "interface", "i", "IF", .interface, in: .input, isRepeatable: true,
      help: "only on this interface; repeatable",
      details:
        "Without it every interface that is up and has multicast, also those that come later."
    ),
    OptionDeclaration(
      "passive", in: .input, excludes: ["server"],
      help: "send no questions; show what others are told",
      details: """
        No DNS message is sent. Joining the groups still makes the kernel send IGMP and MLD \
        reports. The list is complete only after everybody has announced itself.
        """),
    OptionDeclaration(
      "server", nil, "ADDR[:PORT]", in: .input,
      help: "ask this DNS server for domains other than local",
      details: "Without it those of the system's resolver. An IPv6 address with a port: [::1]:53."),
    CommonOptions.namespace,
  ]

  static let selection: [OptionDeclaration] =
    [
      OptionDeclaration(
        "domain", "d", "DOMAIN", in: .selection,
        help: "browse this domain (default: local, by multicast)",
        details: "Any domain but local is asked for by conventional DNS."),
      OptionDeclaration(
        "domains", in: .selection, excludes: ["only-types", "zone", "expect"],
        help: "list the domains that are recommended, and no services",
        details: "For browsing and for registering, as RFC 6763 section 11 has it."),
      OptionDeclaration(
        "only-types", in: .selection, excludes: ["zone", "expect"],
        help: "list the service types on the network, and no services"),
      OptionDeclaration(
        "ignore-own", in: .selection, help: "leave out the services of this host"),
    ] + CommonOptions.families

  static let output: [OptionDeclaration] = [
    CommonOptions.json,
    OptionDeclaration(
      "no-resolve", in: .output, excludes: ["zone"],
      help: "show names only, and ask for nothing else",
      details: """
        By default host, port, addresses and TXT are found out and followed; a service is shown \
        once all are known, at the latest after a second.
        """),
    OptionDeclaration(
      "zone", in: .output, excludes: ["json", "quiet"],
      help: "print DNS records for a zone file at the end",
      details: """
        They are printed when the first list is complete, or at the end of a longer run. Names \
        inside the domain are relative, so that the lines can stand in any zone; link-local \
        addresses become comments.
        """),
    CommonOptions.color,
    CommonOptions.quiet,
  ]

  static let diagnosis: [OptionDeclaration] = [
    OptionDeclaration(
      "types", in: .diagnosis,
      excludes: ["read", "only-types", "domains", "zone", "expect", "once", "duration"],
      help: "list known service types with their meaning and exit",
      details: """
        With words as arguments only those that contain one of them, in the type or in its \
        meaning. Nothing is sent.
        """)
  ]

  static let end: [OptionDeclaration] = [
    OptionDeclaration(
      "once", in: .end, help: "end when the first list is complete",
      details: """
        That is when two rounds of questions have been sent, each service is resolved or given \
        up, and nothing new came for the time of --settle.
        """),
    OptionDeclaration(
      "settle", nil, "DUR", .timeLimit, in: .end,
      help: "how long nothing new must come for a complete list (default: 500ms)"),
    OptionDeclaration(
      "expect", nil, "NAME", .heard(.instances), in: .end, isRepeatable: true,
      help: "end as soon as this service is there; repeatable",
      details: """
        NAME is an instance such as 'Deck', or a whole name such as Deck._ipp._tcp.local; the case \
        of letters does not matter. The service must be resolved too, unless --no-resolve is \
        given. The exit status is 1 if the list is complete without it; with --duration or \
        --timeout it is waited for that long instead.
        """),
    OptionDeclaration(
      "any", in: .end, needs: "expect",
      help: "with --expect, one is enough; without it all must be there"),
    OptionDeclaration(
      "duration", nil, "DUR", .timeLimit, in: .end, help: "end after DUR (30s, 5m)"),
    CommonOptions.timeout,
  ]
}
