extension CommandDeclaration {
  /// `lantool watch`.
  static let watch = CommandDeclaration(
    name: "watch",
    abstract: "follow whether hosts can be reached, and why",
    discussion: WatchDeclaration.discussion,
    arguments: [
      Argument(
        placeholder: "TARGET", isOptional: true, isRepeatable: true,
        help: "a host name, an address, 'default', or '-' for standard input",
        values: .heard(.hosts))
    ],
    options: WatchDeclaration.input + WatchDeclaration.selection + WatchDeclaration.output
      + WatchDeclaration.diagnosis + WatchDeclaration.hook + WatchDeclaration.end
      + CommonOptions.general,
    examples: WatchDeclaration.examples,
    statuses: [
      (
        .success,
        "Reachable, or the condition of --wait held; also when --timeout ended a run with a verdict."
      ),
      (.negative, "Not reachable."),
      (
        .undetermined,
        "It could not be determined: a name that does not resolve, no such interface, a system error."
      ),
      (.timedOut, "The time limit of --timeout passed without a result."),
      (.usage, "The command line is wrong."),
      (.notPermitted, "The right to enter a namespace or to send a probe is missing."),
    ],
    sections: WatchDeclaration.sections,
    seeAlso: ["lantool-resolve(1)", "ip-monitor(8)", "ip-route(8)", "rtnetlink(7)"])
}

/// The parts of `CommandDeclaration.watch`.
enum WatchDeclaration {
  static let input: [OptionDeclaration] = [
    OptionDeclaration(
      "replay", nil, "FILE", .file, in: .input,
      excludes: ["record", "netns", "verify", "no-poll", "timeout"],
      help: "judge a recording of --record instead of the kernel",
      details: """
        The verdicts are made anew from what the recording holds, with its own times. Nothing is \
        sent and nothing is asked.
        """),
    CommonOptions.namespace,
  ]

  static let selection: [OptionDeclaration] =
    [
      OptionDeclaration(
        "interface", "i", "IF", .interface, in: .selection,
        help: "only by way of this interface",
        details: "The kernel is asked as for a socket that is bound to the interface."),
      OptionDeclaration(
        "local", nil, "ADDR", in: .selection, help: "only from this address of this host",
        details: "An address that is none of this host's makes every target not reachable."),
      OptionDeclaration(
        "mark", nil, "N", in: .selection, help: "as for packets with this firewall mark",
        details: "A number in decimal, or in hexadecimal behind 0x."),
      OptionDeclaration(
        "uid", nil, "N", .count(0...4_294_967_294), in: .selection,
        help: "as for packets of this user",
        details: "By number; without it policy rules see the user who runs the program."),
      OptionDeclaration(
        "port", nil, "N", .count(1...65_535), in: .selection,
        help: "as for TCP packets to this port"),
    ] + CommonOptions.families

  static let output: [OptionDeclaration] = [
    CommonOptions.json,
    OptionDeclaration(
      "compact", in: .output, excludes: ["json", "why"],
      help: "show the flags as letters: WR ctiCDld",
      details: """
        W is cellular, R reachable, c connection required, t transient, i intervention required, \
        C connection on traffic, D connection on demand, l local address, d direct; a hyphen \
        stands for a flag that is not set.
        """),
    OptionDeclaration(
      "events", in: .output, help: "show also what the kernel tells",
      details: """
        Links (added, changed, renamed, removed), addresses (added, deprecated, failed, removed), \
        default routes (added, changed, removed) and the neighbours that packets go to first. A \
        default route is one to everywhere, to a half of everything, or to 2000::/3; refreshed \
        lifetimes and the chatter of bridges are no events.
        """),
    CommonOptions.color,
    CommonOptions.quiet,
    OptionDeclaration(
      "record", nil, "FILE", .file, in: .output,
      help: "save what the kernel tells, for --replay and for Wireshark",
      details: """
        A pcapng file with the netlink messages and the verdicts as comments. It shows the \
        addresses of this host and of its neighbours.
        """),
  ]

  static let diagnosis: [OptionDeclaration] = [
    OptionDeclaration(
      "why", in: .diagnosis, help: "show the facts behind each verdict, in order",
      details: "With --json they are there in any case."),
    OptionDeclaration(
      "verify", nil, "SPEC", in: .diagnosis,
      help: "send a probe: neighbour, icmp, tcp:PORT or http://HOST",
      details: """
        A route does not mean that somebody answers. 'neighbour' asks the first hop for its \
        link-layer address, 'icmp' sends an echo request, 'tcp:PORT' opens a connection, an \
        http address is fetched and tells a captive portal apart. Nothing is sent without this \
        option, and no address is built in. A target holds only if the probe had its answer; \
        --wait sends it again every 2 s.
        """),
    OptionDeclaration(
      "no-poll", in: .diagnosis, help: "ask the kernel only when it tells of a change",
      details: """
        By default a few look-ups every 2 s also see what the kernel changes without a message, \
        such as an expired IPv6 route that is not yet collected. With this option an idle run \
        makes no system call at all.
        """),
    OptionDeclaration(
      "settle", nil, "DUR", .timeLimit, in: .diagnosis,
      help: "show a change only once it has lasted DUR",
      details: "Changes back and forth in between are counted, and shown as suppressed."),
  ]

  static let hook: [OptionDeclaration] = [
    OptionDeclaration(
      "exec", nil, "CMD", in: .hook, help: "run CMD at each change",
      details: """
        CMD is split into words at blanks; quotes and backslashes keep blanks, and no shell is \
        involved. One runs at a time: while it does, newer changes wait, and of several changes \
        of a target the latest counts. What it writes goes to standard error.
        """),
    OptionDeclaration(
      "exec-initial", in: .hook, needs: "exec", help: "run it for the first state too"),
  ]

  static let end: [OptionDeclaration] = [
    OptionDeclaration(
      "once", in: .end,
      excludes: ["wait", "count", "duration"],
      help: "show the present state and exit"),
    OptionDeclaration(
      "wait", nil, "EXPR", in: .end, isValueOptional: true, excludes: ["count", "duration"],
      help: "end as soon as a condition holds (default: reachable)",
      details: """
        EXPR joins words with 'and', 'or', 'not' and parentheses: 'reachable and ipv6 and not \
        transient'. It follows after '='. See CONDITIONS.
        """),
    OptionDeclaration(
      "for", nil, "DUR", .timeLimit, in: .end, needs: "wait",
      help: "with --wait, the condition must hold for DUR without a break"),
    OptionDeclaration(
      "any", in: .end, help: "one target that holds is enough; without it all must hold"),
    OptionDeclaration(
      "count", "c", "N", .count(1...Int.max), in: .end, help: "end after N changes"),
    OptionDeclaration(
      "duration", nil, "DUR", .timeLimit, in: .end, help: "end after DUR (30s, 5m)"),
    CommonOptions.timeout,
  ]
}
