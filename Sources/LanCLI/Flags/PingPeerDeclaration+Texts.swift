/// What help and manual page say about `lantool ping-peer` beyond its options.
extension PingPeerDeclaration {
  static let discussion: [CommandDeclaration.Paragraph] = [
    .text(
      """
      Connects to a peer by TCP, sends probes, checks every byte that comes back, and tells the \
      times: a line for each probe, then the loss, percentiles, and what the kernel knows of the \
      connection. SIGQUIT (Ctrl-\\) shows the figures so far.
      """),
    .text(
      """
      TARGET is host:port, '[address]:port', or a host and a port as two words; a service instance \
      such as 'Deck._witap2._tcp.local'; or a bare host, which means its WiTap service if it has \
      one, else port 7. Several targets are tested side by side.
      """),
  ]

  static let examples: [CommandDeclaration.Example] = [
    .init(command: "lantool ping-peer", text: "Find the WiTap peers on the network, and test one."),
    .init(command: "lantool ping-peer -c 10 nas.local:7", text: "Send ten probes to an echo port."),
    .init(
      command: "lantool ping-peer --service _witap2._tcp Deck", text: "Test a peer by its name."),
    .init(
      command: "lantool ping-peer --rate 1000 --duration 5s --histogram tv.local:7 | tail -20",
      text: "Find out how a peer bears a thousand probes a second."),
    .init(
      command: "lantool ping-peer --flood --duration 10s --max-loss 0 -q nas.local:7",
      text: "Keep an echo port as busy as it will bear."),
    .init(
      command: "lantool browse --once --json _http._tcp | lantool ping-peer -c 1 -",
      text: "Connect to every web server on the network."),
    .init(
      command: "lantool ping-peer --until-reply --timeout 2m nas.local:22 --mode connect",
      text: "Wait until a host that starts takes connections."),
  ]

  static let sections: [CommandDeclaration.Section] = [
    .init(
      title: "Modes",
      paragraphs: [
        .item(
          "echo",
          """
          The peer sends back what it gets (RFC 862). Every byte is checked, and where the kernel \
          has time stamps the round trip is split: the local stack, the wire with the peer's \
          kernel, the peer's application.
          """),
        .item(
          "tap",
          """
          The taps of the game WiTap, a byte for each press and each release, tile by tile. A \
          WiTap peer sends nothing back, so the time is the one until its kernel has acknowledged \
          the byte, which no application had to see; a kernel that saves acknowledgements may hold \
          one back for 40 ms, which is pointed out. Taps of the peer are shown; where its \
          first bytes are no taps, 'connected, but not plain WiTap' is said and the status is 1.
          """),
        .item("connect", "A connection is made and closed for each probe."),
      ]),
    .init(
      title: "Connecting",
      paragraphs: [
        .text(
          """
          The addresses of a name are tried in the order of RFC 6724, IPv6 and IPv4 by turns, the \
          next one when the one before has failed or after 250 ms (Happy Eyeballs, RFC 8305). \
          Which tries were made and which won is told; the connect time is the winner's alone.
          """),
        .text(
          """
          Where a service fails that was found by multicast DNS, its records are doubted and \
          asked for again (RFC 6762 section 10.4). What came of it is said on standard error: it \
          is still announced, it is gone, or it has moved, and then the test goes on there.
          """),
      ]),
    .init(
      title: "Output",
      paragraphs: [
        .text(
          """
          Probes that are under way when the run ends are neither answered nor lost: sent is \
          received and lost and in flight. The jitter is the mean difference of times that follow \
          each other. On a terminal the last line shows the last times as a curve.
          """),
        .text(
          """
          A run with --count, --duration or --until-reply that a signal cuts short shows its \
          figures and dies by that signal; any other run ends at SIGINT or SIGTERM with the status \
          that its probes give.
          """),
      ]),
    .init(
      title: "Environment",
      paragraphs: CommonOptions.colorEnvironment + [CommonOptions.zoneEnvironment]),
    .init(title: "Files", paragraphs: [CommonOptions.namespaceFiles]),
    .init(
      title: "Standards",
      paragraphs: [
        .text(
          """
          RFC 862 (echo), RFC 8305 (Happy Eyeballs), RFC 6724 (order of addresses), RFC 6762 \
          (multicast DNS), RFC 6763 (DNS-SD).
          """)
      ]),
  ]
}
