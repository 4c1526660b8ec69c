import LanCore

/// What help and manual page say about `lantool watch` beyond its options.
extension WatchDeclaration {
  static let discussion: [CommandDeclaration.Paragraph] = [
    .text(
      """
      Says in one line whether a packet can leave this host towards a target, over which medium, \
      from which address and by which gateway, or which fact stands in the way; then follows \
      every change as the kernel tells it. Without a TARGET it is the default path: the way to \
      anywhere, in both address families. Nothing is sent.
      """),
    .text(
      """
      "reachable" means that there is a route with a live link and a usable source address, not \
      that somebody answers; for that there is --verify. A name is reachable if one of its \
      addresses is. A link-local IPv6 address needs its interface: fe80::1%eth0.
      """),
    .text(
      """
      The first line of each target is its present state. On a terminal the last line shows the \
      state of all. A run ends at the first SIGINT or SIGTERM with a summary of outages and \
      availability.
      """),
  ]

  static let examples: [CommandDeclaration.Example] = [
    .init(command: "lantool watch", text: "Follow the default path."),
    .init(
      command: "lantool watch --once --why 192.0.2.7",
      text: "Explain once how an address can be reached."),
    .init(
      command: "lantool watch --wait --for 5s --timeout 1m -q",
      text: "Wait until the network has been there for 5 seconds, at most a minute."),
    .init(
      command: "lantool watch --events --json nas.example.net fe80::1%eth0 | jq .status",
      text: "Follow two targets, and what the kernel tells, as JSON Lines."),
    .init(
      command: "lantool watch --settle 2s --exec /usr/local/bin/on-network-change",
      text: "Run a program at each change that has lasted 2 seconds."),
    .init(
      command: "lantool watch --record case.pcapng --events",
      text: "Keep what happens for a report."),
  ]

  static let sections: [CommandDeclaration.Section] = [
    .init(
      title: "Output",
      paragraphs: [
        .text(
          """
          A line has the local time, the target, what can be said of it, and the way. The first \
          words are one of:
          """),
        .item("reachable", "Packets can leave."),
        .item(
          "reachable on demand",
          "The link is dormant and comes up by itself: with the first packet, or when asked."),
        .item(
          "needs a connection",
          "The link waits for something else first, such as a supplicant that authenticates."),
        .item("needs a person", "The link waits for somebody, such as a blocked radio."),
        .item("not reachable", "With the reason."),
        .item(
          "unknown", "Nothing can be said yet, or the resolver could not tell about the name."),
        .text(
          """
          The medium stands in parentheses: ethernet, wifi, cellular, tunnel, bridge, bond, ppp, \
          loopback or other. These texts are translated; JSON is not.
          """),
      ]),
    .init(
      title: "Conditions",
      paragraphs: [
        .text("Words of --wait, in any case of letters:"),
        .text(ReachabilityExpression.words.map(\.word).joined(separator: ", ") + "."),
        .text(
          """
          Beside these: interface=NAME, medium=NAME, connection=NAME, status=NAME and \
          nexthop=STATE (reachable, stale, failed, unknown). A name that is not resolved yet \
          fulfils neither a condition nor its opposite.
          """),
      ]),
    .init(
      title: "The program of --exec",
      paragraphs: [
        .text(
          """
          It is looked for along PATH and finds the facts in its environment; a fact that there \
          is not has no variable: LANTOOL_EVENT (snapshot or change), LANTOOL_TARGET, \
          LANTOOL_STATUS, LANTOOL_STATUS_CODE, LANTOOL_CONNECTION, LANTOOL_MEDIUM, LANTOOL_FLAGS \
          (names joined by commas), LANTOOL_FLAGS_VALUE, LANTOOL_INTERFACE, \
          LANTOOL_INTERFACE_INDEX, LANTOOL_SOURCE, LANTOOL_GATEWAY, LANTOOL_NEXT_HOP, \
          LANTOOL_IPV4 and LANTOOL_IPV6 (yes or no), LANTOOL_REASON, LANTOOL_CAUSE, \
          LANTOOL_PREVIOUS_STATUS and LANTOOL_TIME.
          """),
        .text(
          """
          A run that ends by itself lets the last program end first, and runs it for the last \
          change; after a signal neither is waited for.
          """),
      ]),
    .init(
      title: "Environment",
      paragraphs: [
        .item(
          "LANGUAGE, LC_ALL, LC_MESSAGES, LANG",
          "The language of the text, also where that locale is not installed."),
        .item("TEXTDOMAINDIR", "Where the translations are, if not beside the program."),
      ] + CommonOptions.colorEnvironment + [CommonOptions.zoneEnvironment]),
    .init(
      title: "Files",
      paragraphs: [
        .item("/etc/resolv.conf", "The name servers that stand beside the default path."),
        CommonOptions.namespaceFiles,
      ]),
    .init(
      title: "Privileges",
      paragraphs: [
        .text(
          """
          None, but for --netns (CAP_SYS_ADMIN) and, where the system does not permit ping \
          sockets, '--verify icmp' (CAP_NET_RAW).
          """)
      ]),
  ]
}
