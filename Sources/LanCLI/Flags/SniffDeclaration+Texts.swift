/// What help and manual page say about `lantool sniff` beyond its options.
extension SniffDeclaration {
  static let discussion: [CommandDeclaration.Paragraph] = [
    .text(
      """
      Shows each multicast DNS message with its sender, what it asks and what it answers. Names \
      and texts from the network are made safe to print, and hosts are shown by the names that \
      they were heard to claim. A message that breaks the format is shown as malformed, with the \
      reason, the byte where it breaks and all that could be read before.
      """),
    .text(
      """
      Without --read it captures live on every multicast interface that is up, until it is \
      interrupted. It finds messages behind VLAN tags, IPv6 extension headers, in fragments and \
      in tunnels.
      """),
  ]

  static let examples: [CommandDeclaration.Example] = [
    .init(command: "sudo lantool sniff", text: "Watch all that is said on the local network."),
    .init(
      command: "lantool sniff --socket",
      text: "The same without privileges, limited to what is sent to the groups."),
    .init(
      command: "lantool sniff -r lan.pcapng --lint",
      text: "Look for misbehaving hosts in a capture."),
    .init(
      command: "lantool sniff -i eth0 --kind announcement,goodbye --oneline",
      text: "See devices come and go."),
    .init(
      command: "lantool sniff -r - --json --type SRV < lan.pcap | jq .answers",
      text: "Hand service records to another program."),
    .init(
      command: "lantool sniff -w lan.pcap --ring-size 10M --ring-files 5",
      text: "Keep the last 50 MiB of traffic."),
  ]

  static let sections: [CommandDeclaration.Section] = [
    .init(
      title: "Privileges",
      paragraphs: [
        .text(
          """
          Reading a file needs none. A live capture needs the capability CAP_NET_RAW: run as root, \
          or give the capability to the program once:
          """),
        .code("sudo setcap cap_net_raw+ep \"$(command -v lantool)\""),
        .text(
          """
          Without it the exit status is 77. With --socket no capability is needed, but only \
          messages that are sent to the multicast groups are seen.
          """),
      ]),
    .init(
      title: "Environment",
      paragraphs: CommonOptions.colorEnvironment + [CommonOptions.zoneEnvironment]),
    .init(
      title: "Files",
      paragraphs: [
        .text(
          """
          Captures are read in the formats pcap and pcapng of any byte order, with times in micro- \
          or nanoseconds, and written as pcapng; a name that ends in .pcap, \
          .cap or .dmp gives pcap.
          """),
        CommonOptions.namespaceFiles,
      ]),
    .init(
      title: "Standards",
      paragraphs: [
        .text(
          """
          RFC 1035 (message format), RFC 4795 (LLMNR), RFC 6762 (multicast DNS), RFC 6763 (DNS-SD), \
          RFC 6891 (OPT).
          """)
      ]),
  ]
}
