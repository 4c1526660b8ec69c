extension CommandDeclaration {
  /// `lantool ping-peer`.
  static let pingPeer = CommandDeclaration(
    name: "ping-peer",
    abstract: "test whether a peer answers, how fast, and intact",
    discussion: PingPeerDeclaration.discussion,
    arguments: [
      Argument(
        placeholder: "TARGET", isOptional: true, isRepeatable: true,
        help:
          "host:port, host, a service instance, or '-' for standard input; without one, --browse",
        values: .heard(.targets))
    ],
    options: PingPeerDeclaration.input + PingPeerDeclaration.selection
      + PingPeerDeclaration.probes + PingPeerDeclaration.output + PingPeerDeclaration.end
      + CommonOptions.general,
    examples: PingPeerDeclaration.examples,
    statuses: [
      (.success, "Every peer gave an intact answer; with --any, one did."),
      (
        .negative,
        """
        A peer gave no intact answer at all, or a corrupted one, or lost more than --max-loss, or \
        vanished and left its connection half-open; or no peer was found.
        """
      ),
      (
        .undetermined,
        """
        It could not be determined: a name that does not resolve, a source address that is not \
        ours, no interface to browse on, a system error.
        """
      ),
      (.timedOut, "The time limit of --timeout passed without any result."),
      (.usage, "The command line is wrong, such as a port over 65535."),
      (.notPermitted, "The right to enter a namespace or to use an interface is missing."),
    ],
    sections: PingPeerDeclaration.sections,
    seeAlso: [
      "lantool-serve(1)", "lantool-browse(1)", "ping(8)", "tcp(7)",
    ])
}

/// The parts of `CommandDeclaration.pingPeer`.
enum PingPeerDeclaration {
  static let input: [OptionDeclaration] = [
    OptionDeclaration(
      "service", nil, "TYPE", .serviceType, in: .input, excludes: ["browse"],
      help: "TARGET is an instance of this service type (_witap2._tcp)",
      details: """
        TARGET is then the instance's label as people see it: nothing in it is escaped, and a dot \
        is part of it.
        """),
    OptionDeclaration(
      "browse", nil, "TYPE", .serviceType, in: .input,
      isRepeatable: true,
      help: "find the peers of this service type first; repeatable",
      details: """
        They are looked for on the links of this host for at most 3 s, and those of this host \
        itself are left out. One peer is tested; of several one is chosen on a terminal with the \
        arrow keys, elsewhere all are tested. Without TARGET and --browse both types of WiTap \
        are looked for. The search has ended when the first probe is sent.
        """),
    OptionDeclaration(
      "name", nil, "NAME", .heard(.instances), in: .input,
      help: "with --browse, test the instance of this name",
      details: "The case of letters does not matter."),
    OptionDeclaration(
      "all", in: .input, excludes: ["name"],
      help: "with --browse, test all peers side by side"),
    CommonOptions.namespace,
  ]

  static let selection: [OptionDeclaration] =
    [
      OptionDeclaration(
        "interface", "i", "IF", .interface, in: .selection,
        help: "browse, and connect, by this interface only"),
      OptionDeclaration(
        "source", nil, "ADDR", in: .selection, help: "connect from this address of ours"),
    ] + CommonOptions.families

  static let probes: [OptionDeclaration] = [
    OptionDeclaration(
      "mode", nil, "MODE",
      .choice([
        Choice("auto", "what the target's type says"), Choice("echo", "bytes must come back"),
        Choice("tap", "taps of WiTap, acknowledged by the peer's kernel"),
        Choice("connect", "the handshake alone"),
      ]), in: .probes, help: "how to test: auto, echo, tap or connect",
      details: """
        By default host:port means echo. A service says by its TXT attribute mode=echo that it \
        echoes; else one of a WiTap type means tap, any other means connect.
        """),
    OptionDeclaration(
      "interval", nil, "DUR", in: .probes,
      help: "from one probe to the next (default: 1s); 0: at each answer",
      details: """
        With 0 a probe leaves as soon as the one before it is answered or lost. A bare number \
        means seconds.
        """),
    OptionDeclaration(
      "wait", "W", "DUR", .timeLimit, in: .probes,
      help: "how long each probe or handshake may take (default: 1s)"),
    OptionDeclaration(
      "rate", nil, "NUMBER", in: .probes, excludes: ["interval", "flood"],
      help: "send so many probes a second, whatever comes back",
      details: """
        Each is timed from when it was due, so that a peer that stalls is seen in every probe that \
        had to wait, and not in one alone.
        """),
    OptionDeclaration(
      "flood", "f", "COUNT", .count(1...65_536), in: .probes, isValueOptional: true,
      excludes: ["interval"],
      help: "send without a pause, with COUNT under way at most (default: 16)"),
    OptionDeclaration(
      "size", "s", "SIZE", .byteSize(1...1_048_576), in: .probes,
      help: "bytes of a probe in echo mode (default: 64)"),
    OptionDeclaration(
      "pattern", "p", "PATTERN", in: .probes,
      help: "what a probe repeats: hexadecimal digits, or text",
      details: """
        An even number of hexadecimal digits stands for bytes (00ff), anything else for itself; \
        'text:' in front makes text of digits too. Without it the bytes differ from probe to \
        probe, so that an answer to another one is noticed.
        """),
    OptionDeclaration(
      "tos", "Q", "NUMBER", in: .probes,
      help: "type of service or traffic class, 0 to 255 or 0x00 to 0xff"),
    OptionDeclaration(
      "nodelay", in: .probes, excludes: ["no-nodelay"],
      help: "send small probes at once (TCP_NODELAY); the default"),
    OptionDeclaration(
      "no-nodelay", in: .probes, help: "let the kernel collect small probes (Nagle)"),
    OptionDeclaration(
      "no-stamps", in: .probes, help: "do without the kernel's time stamps",
      details: "Then nothing is told about where the time went."),
  ]

  static let output: [OptionDeclaration] = [
    CommonOptions.json,
    OptionDeclaration(
      "timestamp", "D", in: .output, help: "print the time of day before each line"),
    OptionDeclaration(
      "histogram", in: .output, help: "show how the times are distributed at the end"),
    CommonOptions.color,
    CommonOptions.quiet,
  ]

  static let end: [OptionDeclaration] = [
    OptionDeclaration(
      "count", "c", "COUNT", .count(1...Int.max), in: .end, help: "end after so many probes"),
    OptionDeclaration(
      "duration", nil, "DUR", .timeLimit, in: .end, help: "end after DUR (30s, 5m) of probes"),
    OptionDeclaration(
      "until-lost", in: .end, excludes: ["until-reply"],
      help: "end at the first probe that is lost"),
    OptionDeclaration(
      "until-reply", in: .end, help: "end at the first answer; wait for a peer to come up"),
    OptionDeclaration(
      "max-loss", nil, "PERCENT", in: .end,
      help: "more lost probes than this make the exit status 1"),
    OptionDeclaration(
      "any", in: .end, help: "one peer that answers is enough; without it all must"),
    CommonOptions.timeout,
  ]
}
