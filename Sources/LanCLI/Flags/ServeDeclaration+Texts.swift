import LanCore

/// What help and manual page say about `lantool serve` beyond its options.
extension ServeDeclaration {
  static let discussion: [CommandDeclaration.Paragraph] = [
    .text(
      """
      Listens on a port, publishes it as a service by multicast DNS, and is the peer that others \
      find there: it sends back what it gets, plays the other side of WiTap, or throws away what it \
      gets. Without options it publishes _witap2._tcp under the name of the host, on a port that \
      the kernel chooses, and echoes. Only peers on a link of this host are served.
      """),
    .text(
      """
      Nothing else is needed on the machine. Where another responder runs already, such as \
      avahi-daemon, both get along: its name and addresses for this host stand.
      """),
  ]

  static let examples: [CommandDeclaration.Example] = [
    .init(command: "lantool serve", text: "Be a peer that echoes, for 'lantool ping-peer'."),
    .init(
      command: "lantool serve --type _witap2._tcp --name Deck --tiles",
      text: "Play WiTap against a phone."),
    .init(
      command: "lantool serve --type _http._tcp --port 8080 --publish-only --txt path=/",
      text: "Publish a web server that runs already."),
    .init(
      command:
        "lantool serve --type _ipp._tcp --port 631 --host lp --proxy-address 192.0.2.9",
      text: "Publish a printer that cannot do it itself."),
    .init(
      command: "lantool serve --no-publish --port 7 --allow any",
      text: "Be the echo server of RFC 862 for everybody."),
  ]

  static let sections: [CommandDeclaration.Section] = [
    .init(
      title: "Modes",
      paragraphs: [
        .item(
          "echo",
          """
          Every byte comes back until the caller closes (RFC 862), for many callers at once. A \
          caller that closes its side only is sent the rest, then the connection ends. Nothing is \
          taken from a caller that does not read, so it comes to a halt.
          """),
        .item(
          "tap",
          """
          The game of WiTap, one player at a time. A tap is one byte in either direction; other \
          bytes are ignored. For _witap._tcp these are the bytes of WiTap 1, for every other type \
          those of WiTap 2. The service is withdrawn while a game runs and published again after \
          it; a second player gets the connection and its end at once.
          """),
        .item("discard", "Bytes are counted and thrown away (RFC 863)."),
      ]),
    .init(
      title: "Output",
      paragraphs: [
        .text(
          """
          For people a line for what becomes of the service, for each connection when it ends and, \
          in tap mode, for each tap; on a terminal also when a connection begins. With --json a \
          line for every event: listening, published, renamed, hostRenamed, updated, connection, \
          closed, tap, withdrawn, notPublished, cannotAccept, and summary last.
          """)
      ]),
    .init(
      title: "Signals",
      paragraphs: [
        .item(
          "SIGINT, SIGTERM",
          """
          The first one takes the service back with a goodbye, ends the connections and the run; a \
          second one ends it at once. A run with --count or --duration that is cut short dies by the \
          signal after that.
          """),
        .item("SIGHUP", "With --txt-file the file is read again."),
      ]),
    .init(
      title: "Files",
      paragraphs: [
        .item(
          "$XDG_STATE_HOME/lantool",
          """
          Names that were chosen because others were taken; ~/.local/state/lantool where the \
          variable is not set. Without write access nothing is remembered.
          """),
        CommonOptions.namespaceFiles,
      ]),
    .init(
      title: "Environment",
      paragraphs: [
        .item("XDG_STATE_HOME, HOME", "Where names are remembered; see FILES.")
      ] + CommonOptions.colorEnvironment + [CommonOptions.zoneEnvironment]),
    .init(
      title: "Standards",
      paragraphs: [
        .text(
          """
          RFC 6762 (multicast DNS), RFC 6763 (DNS-SD), RFC 6335 (service names), RFC 862 (echo), \
          RFC 863 (discard).
          """)
      ]),
  ]
}
