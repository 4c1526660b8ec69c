extension CommandDeclaration {
  /// `lantool sniff`.
  static let sniff = CommandDeclaration(
    name: "sniff",
    abstract: "show multicast DNS messages, live or from a capture file",
    discussion: SniffDeclaration.discussion,
    excessHint: "read a capture with '-r FILE', give a pcap expression with '--filter EXPR'",
    options: SniffDeclaration.input + SniffDeclaration.selection + SniffDeclaration.output
      + SniffDeclaration.diagnosis + SniffDeclaration.end + CommonOptions.general,
    examples: SniffDeclaration.examples,
    statuses: [
      (.success, "The capture was read to its end, also when nothing in it matched."),
      (
        .undetermined,
        """
        A system error, or an input file that is no capture, broken, or ends inside a record. \
        Everything before the fault has been printed.
        """
      ),
      (.timedOut, "The time limit of --timeout passed without any message."),
      (.usage, "The command line is wrong, or the pcap expression does not compile."),
      (.notPermitted, "The right to capture is missing."),
    ],
    sections: SniffDeclaration.sections,
    seeAlso: ["lantool-browse(1)", "pcap-filter(7)", "setcap(8)", "tcpdump(8)"])
}

/// The parts of `CommandDeclaration.sniff`.
enum SniffDeclaration {
  static let protocols = [
    Choice("mdns", "multicast DNS, UDP port 5353 (default)"),
    Choice("llmnr", "link-local multicast name resolution, UDP port 5355"),
    Choice("dns", "conventional DNS, UDP port 53"), Choice("all", "all of these"),
  ]

  static let kinds = [
    Choice("query", "a question"), Choice("probe", "a question that claims a name"),
    Choice("response", "an answer to a question"),
    Choice("announcement", "records that nobody asked for"),
    Choice("goodbye", "records that are withdrawn"),
  ]

  static let times = [
    Choice("local", "date and time here (default)"), Choice("utc", "date and time, UTC"),
    Choice("relative", "since the first message"), Choice("delta", "since the message before"),
    Choice("none", "no times"),
  ]

  static let types = [
    "A", "AAAA", "ANY", "CNAME", "HINFO", "NS", "NSEC", "OPT", "PTR", "SRV", "TXT",
  ]

  static let fields = SniffFields.Field.allCases.map(\.rawValue)

  static let input: [OptionDeclaration] = [
    OptionDeclaration(
      "read", "r", "FILE", .file, in: .input,
      excludes: ["socket", "no-join", "promiscuous", "buffer-size"],
      help: "read a capture file ('-': standard input)",
      details: """
        Reads pcap and pcapng in either byte order and needs no privileges. Frames are counted as \
        Wireshark counts them.
        """),
    OptionDeclaration(
      "interface", "i", "IF", .interface, in: .input, isRepeatable: true,
      help: "listen on this interface; repeatable ('any': all)",
      details: """
        Without it every multicast interface that is up is listened on. With --read it selects \
        the frames that a pcapng file says were captured there.
        """),
    OptionDeclaration(
      "socket", in: .input, excludes: ["no-join", "promiscuous"],
      help: "listen with a UDP socket; needs no privileges",
      details: """
        Joins the multicast groups and shows what is sent to them. Unicast answers, other hosts' \
        link-layer addresses and frames that the kernel discards are not seen this way.
        """),
    OptionDeclaration(
      "no-join", in: .input, help: "do not join the multicast groups",
      details: """
        Without it both groups are joined on each interface, as otherwise a network card or a \
        switch that snoops may hide them. Joining sends IGMP and MLD reports; this option keeps \
        the host silent.
        """),
    OptionDeclaration(
      "promiscuous", in: .input, help: "take in frames for other hosts too",
      details: "Off by default, which is the opposite of tcpdump's habit."),
    OptionDeclaration(
      "snapshot-length", nil, "SIZE", .byteSize(64...262_144), in: .input,
      help: "capture at most SIZE bytes of each frame"),
    OptionDeclaration(
      "buffer-size", nil, "SIZE", .byteSize(4096...1_073_741_824), in: .input,
      help: "size of the kernel's capture buffer",
      details: "A larger one loses fewer frames in a burst; the summary counts those lost."),
    CommonOptions.namespace,
  ]

  static let selection: [OptionDeclaration] =
    [
      OptionDeclaration(
        "protocol", nil, "LIST", .choices(protocols), in: .selection,
        help: "which messages: mdns (default), llmnr, dns, all"),
      OptionDeclaration(
        "filter", nil, "EXPR", in: .selection, help: "only frames that match a pcap expression",
        details: """
          Applied on top of everything else, see pcap-filter(7). An expression such as 'udp port \
          5353' also finds frames with VLAN tags and IPv6 packets with extension headers, which it \
          would miss elsewhere; one that speaks of tags itself ('vlan 30 and udp') sees the frame \
          as it is. Later fragments pass any expression about ports.
          """),
      OptionDeclaration(
        "no-tunnels", in: .selection, help: "do not look into tunnels",
        details: """
          By default messages inside GRE, VXLAN, Geneve, GTP-U and IP in IP are shown with their \
          inner addresses, and the outer ones beside them.
          """),
      OptionDeclaration(
        "name", nil, "GLOB", in: .selection, isRepeatable: true,
        help: "only messages with a name that matches; repeatable",
        details: """
          The pattern is compared with whole names without regard to ASCII case: '*' stands for \
          any characters, '?' for one. Quote it to keep the shell away.
          """),
      OptionDeclaration(
        "type", nil, "LIST", .words(types), in: .selection,
        help: "only messages with a record of these types",
        details: "By mnemonic or as TYPE65280 (RFC 3597), separated by commas."),
      OptionDeclaration(
        "kind", nil, "LIST", .choices(kinds), in: .selection,
        help: "only these kinds of messages: query, probe, response, announcement, goodbye"),
      OptionDeclaration(
        "host", nil, "HOST", .heard(.hosts), in: .selection, isRepeatable: true,
        help: "only messages from or to this address, MAC or host name; repeatable"),
    ] + CommonOptions.families

  static let output: [OptionDeclaration] = [
    CommonOptions.json,
    OptionDeclaration(
      "oneline", in: .output, excludes: ["json", "fields"], help: "one line a message, for grep"),
    OptionDeclaration(
      "fields", nil, "LIST", .words(fields), in: .output, excludes: ["json"],
      help: "print these fields of each message, separated by tabs",
      details: "The names are those of the JSON objects."),
    OptionDeclaration(
      "time", nil, "FORMAT", .choice(times), in: .output,
      help: "times as local, utc, relative, delta or none"),
    OptionDeclaration(
      "line-buffered", "l", in: .output, help: "write each message as soon as it is known",
      details: "This is the habit of a live capture anyway; it matters for a file that still grows."
    ),
    CommonOptions.color,
    CommonOptions.quiet,
    OptionDeclaration(
      "write", "w", "FILE", .file, in: .output, help: "save the matching frames in a capture file",
      details: "With '-' they go to standard output in place of the text."),
    OptionDeclaration(
      "packet-buffered", "U", in: .output, needs: "write",
      help: "with --write, save each frame at once",
      details: "The file can then be read while it grows."),
    OptionDeclaration(
      "ring-size", nil, "SIZE", .byteSize(1024...Int.max), in: .output, needs: "write",
      help: "with --write, begin a new file after SIZE bytes",
      details: "SIZE takes the suffixes K, M and G (powers of 1024), or KB, MB and GB (of 1000)."),
    OptionDeclaration(
      "ring-files", nil, "N", .count(1...1_000_000), in: .output, needs: "ring-size",
      help: "with --ring-size, keep only the last N files"),
  ]

  static let diagnosis: [OptionDeclaration] = [
    OptionDeclaration(
      "lint", in: .diagnosis, help: "report what breaks the rules of multicast DNS",
      details: """
        A finding has a severity, the section of the RFC and the numbers of the frames that show \
        it. What only several messages show is reported once for each host, at the end.
        """),
    OptionDeclaration(
      "explain", nil, "RULE", in: .diagnosis, help: "explain a rule of --lint and exit",
      details: "Nothing is captured."),
    OptionDeclaration(
      "stats", in: .diagnosis, help: "end with totals for each host, type and name"),
  ]

  static let end: [OptionDeclaration] = [
    OptionDeclaration(
      "count", "c", "N", .count(1...Int.max), in: .end, help: "end after N matching messages"),
    OptionDeclaration(
      "duration", nil, "DUR", .timeLimit, in: .end, help: "end after DUR of capture (30s, 5m)",
      details: "With --read it is the time of the capture that counts, not the clock."),
    CommonOptions.timeout,
  ]
}
