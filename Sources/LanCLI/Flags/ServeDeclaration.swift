extension CommandDeclaration {
  /// `lantool serve`.
  static let serve = CommandDeclaration(
    name: "serve",
    abstract: "publish a service and be the peer behind it",
    discussion: ServeDeclaration.discussion,
    excessHint: "name the service with --name and its type with --type",
    options: ServeDeclaration.service + ServeDeclaration.input + ServeDeclaration.selection
      + ServeDeclaration.output + ServeDeclaration.limits + ServeDeclaration.end
      + CommonOptions.general,
    examples: ServeDeclaration.examples,
    statuses: [
      (.success, "The run ended as it was asked to: by a signal, --duration or --count."),
      (.negative, "The name is taken, and no other was free."),
      (
        .undetermined,
        "It could not serve or publish: the port is in use, no interface for multicast DNS."
      ),
      (.timedOut, "The time limit of --timeout passed and nobody had connected."),
      (.usage, "The command line is wrong: also for a name or TXT record over its limits."),
      (.notPermitted, "A right is missing: to take a low port, to enter a namespace."),
    ],
    sections: ServeDeclaration.sections,
    seeAlso: ["lantool-browse(1)", "lantool-ping-peer(1)", "avahi-publish(1)"])
}

/// The parts of `CommandDeclaration.serve`.
enum ServeDeclaration {
  static let service: [OptionDeclaration] = [
    OptionDeclaration(
      "type", nil, "TYPE", .serviceType, in: .service,
      help: "the service type (default: _witap2._tcp)",
      details: """
        A service name of at most 15 letters, digits and hyphens, and _tcp; subtypes may follow \
        behind commas. With --publish-only it may be _udp.
        """),
    OptionDeclaration(
      "name", nil, "NAME", in: .service,
      help: "the name of the service (default: the name of the host)",
      details: """
        At most 63 bytes, taken as they are. If the name is taken on the network another one is \
        tried: 'NAME (2)' and so on. Such a name is remembered and tried first by the next run, \
        unless a name is given.
        """),
    OptionDeclaration(
      "subtype", nil, "SUBTYPE", in: .service, isRepeatable: true,
      help: "a subtype that the service is found under too; repeatable"),
    OptionDeclaration(
      "txt", nil, "KEY[=VALUE]", in: .service, isRepeatable: true,
      help: "an attribute in the TXT record; repeatable",
      details: """
        The value is taken as the bytes it is. 'KEY' without '=' and 'KEY=' with nothing behind it \
        are different things. At most 255 bytes each, and a key only once.
        """),
    OptionDeclaration(
      "txt-file", nil, "FILE", .file, in: .service,
      help: "more attributes, a line each; read again at SIGHUP",
      details: """
        An attribute here takes the place of one with the same key that is given with --txt. After \
        a SIGHUP the file is read again and the new TXT record announced; a file that is in error \
        then changes nothing.
        """),
    OptionDeclaration(
      "port", "p", "PORT", .count(0...65_535), in: .service,
      help: "the port (default: one that is free, the same for both families)"),
    OptionDeclaration(
      "host", nil, "NAME", in: .service,
      help: "the name of the host in .local (default: the system's)",
      details: "Without this option the name of another responder on this machine is used."),
    OptionDeclaration(
      "mode", "m", "MODE",
      .choice([
        Choice("echo", "bytes come back as they were sent"),
        Choice("tap", "a player of WiTap"),
        Choice("discard", "bytes are taken and thrown away"),
      ]), in: .service,
      help: "what the peer does: echo, tap or discard (default: echo)",
      details: """
        With --type _witap._tcp or --type _witap2._tcp the default is tap. For these types, and \
        where --mode is given, the attribute mode= in the TXT record tells others; --txt mode=... \
        takes its place. Other types have the attributes that are given and no more.
        """),
  ]

  static let input: [OptionDeclaration] = [
    OptionDeclaration(
      "no-publish", in: .input,
      excludes: [
        "publish-only", "proxy-address", "name", "subtype", "txt", "txt-file", "host",
      ],
      help: "serve without publishing"),
    OptionDeclaration(
      "publish-only", in: .input, excludes: ["mode", "tiles"],
      help: "publish a server that somebody else runs on --port"),
    OptionDeclaration(
      "proxy-address", nil, "ADDR", in: .input, isRepeatable: true, needs: "host",
      excludes: ["mode", "tiles"],
      help: "publish for the machine with this address; repeatable",
      details: "--host is that machine's name then, and --port where its server is."),
    CommonOptions.namespace,
  ]

  static let selection: [OptionDeclaration] =
    [
      OptionDeclaration(
        "interface", "i", "IF", .interface, in: .selection, isRepeatable: true,
        help: "publish and serve on this interface only; repeatable")
    ] + CommonOptions.families + [
      OptionDeclaration(
        "allow", nil, "WHO",
        .choice([
          Choice("link", "peers on a link of this host"), Choice("any", "everybody"),
        ]), in: .selection, help: "who is served: link or any (default: link)",
        details: """
          A peer is on a link if its address is link-local or inside the network of an address of \
          this host. Connections of others are reset.
          """)
    ]

  static let output: [OptionDeclaration] = [
    CommonOptions.json,
    OptionDeclaration(
      "tiles", in: .output, excludes: ["json", "quiet"],
      help: "show a board of tiles; the keys 1 to 9 tap them",
      details: "Needs a terminal and --mode tap."),
    CommonOptions.color,
    CommonOptions.quiet,
  ]

  static let limits: [OptionDeclaration] = [
    OptionDeclaration(
      "max-connections", nil, "N", .count(1...1_000_000), in: .limits,
      help: "connections at once (default: 8192)",
      details: "What comes beyond that is accepted and closed. In tap mode one player is served."),
    OptionDeclaration(
      "max-per-peer", nil, "N", .count(1...1_000_000), in: .limits,
      help: "connections at once from one address (default: all)"),
    OptionDeclaration(
      "max-bytes", nil, "SIZE", .byteSize(1...Int.max), in: .limits,
      help: "bytes that one connection may send (default: 64G)"),
    OptionDeclaration(
      "idle", nil, "DUR", .timeLimit, in: .limits,
      help: "end connections that are silent for DUR (default: 5m)",
      details: "They are looked at now and then, so it may be a quarter later."),
    OptionDeclaration(
      "stall", nil, "DUR", .timeLimit, in: .limits,
      help: "end those that read nothing for DUR (default: 30s)",
      details: """
        What such a peer sends stays with the kernel meanwhile, so that it cannot send without end.
        """),
  ]

  static let end: [OptionDeclaration] = [
    OptionDeclaration(
      "count", "c", "N", .count(1...Int.max), in: .end,
      excludes: ["publish-only", "proxy-address"],
      help: "end after N connections have come and gone",
      details: "Those that were turned away do not count."),
    OptionDeclaration(
      "duration", nil, "DUR", .timeLimit, in: .end, help: "end after DUR (30s, 5m)"),
    CommonOptions.timeout,
  ]
}
