/// How the frames of a capture begin: a LINKTYPE value of the capture file formats.
@frozen public struct LinkType: Hashable, Sendable {
  /// The value as files have it, without the bits that tell of a frame check sequence.
  public var rawValue: UInt16

  /// A link type of value `rawValue`.
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// BSD loopback, address family in the byte order of the capturing host.
  public static let null = LinkType(rawValue: 0)
  /// Ethernet.
  public static let ethernet = LinkType(rawValue: 1)
  /// PPP, with or without address and control bytes.
  public static let ppp = LinkType(rawValue: 9)
  /// PPP in HDLC-like framing (RFC 1662).
  public static let pppHDLC = LinkType(rawValue: 50)
  /// PPPoE without an Ethernet header (RFC 2516).
  public static let pppEthernet = LinkType(rawValue: 51)
  /// IPv4 or IPv6 without a link header.
  public static let raw = LinkType(rawValue: 101)
  /// Cisco HDLC.
  public static let ciscoHDLC = LinkType(rawValue: 104)
  /// IEEE 802.11.
  public static let wlan = LinkType(rawValue: 105)
  /// OpenBSD loopback, address family in network order.
  public static let loop = LinkType(rawValue: 108)
  /// Linux cooked capture, version 1.
  public static let linuxSLL = LinkType(rawValue: 113)
  /// Prism header, then IEEE 802.11.
  public static let prism = LinkType(rawValue: 119)
  /// Radiotap header, then IEEE 802.11.
  public static let radiotap = LinkType(rawValue: 127)
  /// Per-packet information header, then the link type that it names.
  public static let ppi = LinkType(rawValue: 192)
  /// IPv4 without a link header.
  public static let ipv4 = LinkType(rawValue: 228)
  /// IPv6 without a link header.
  public static let ipv6 = LinkType(rawValue: 229)
  /// Linux netfilter log.
  public static let nflog = LinkType(rawValue: 239)
  /// Linux netlink messages behind a cooked header.
  public static let netlink = LinkType(rawValue: 253)
  /// Linux cooked capture, version 2.
  public static let linuxSLL2 = LinkType(rawValue: 276)
}

extension LinkType: CustomStringConvertible {
  /// The name that the capture tools use for the type, or `LINKTYPE_` and the number.
  public var description: String { name ?? "LINKTYPE_\(rawValue)" }

  /// The name that the capture tools use for the type; nil for one without a name here.
  public var name: String? {
    switch rawValue {
    case 0: "NULL"
    case 1: "EN10MB"
    case 6: "IEEE802_5"
    case 7: "ARCNET"
    case 8: "SLIP"
    case 9: "PPP"
    case 10: "FDDI"
    case 12, 14, 101: "RAW"
    case 50: "PPP_SERIAL"
    case 51: "PPP_ETHER"
    case 104: "C_HDLC"
    case 105: "IEEE802_11"
    case 107: "FRELAY"
    case 108: "LOOP"
    case 113: "LINUX_SLL"
    case 117: "PFLOG"
    case 119: "PRISM_HEADER"
    case 122: "IP_OVER_FC"
    case 127: "IEEE802_11_RADIO"
    case 163: "IEEE802_11_RADIO_AVS"
    case 187: "BLUETOOTH_HCI_H4"
    case 189: "USB_LINUX"
    case 192: "PPI"
    case 195: "IEEE802_15_4"
    case 197: "ERF"
    case 201: "BLUETOOTH_HCI_H4_WITH_PHDR"
    case 220: "USB_LINUX_MMAPPED"
    case 227: "CAN_SOCKETCAN"
    case 228: "IPV4"
    case 229: "IPV6"
    case 230: "IEEE802_15_4_NOFCS"
    case 231: "DBUS"
    case 239: "NFLOG"
    case 247: "INFINIBAND"
    case 249: "USBPCAP"
    case 253: "NETLINK"
    case 258: "PKTAP"
    case 271: "VSOCK"
    case 272: "NORDIC_BLE"
    case 274: "ETHERNET_MPACKET"
    case 276: "LINUX_SLL2"
    case 283: "IEEE802_15_4_TAP"
    default: nil
    }
  }
}
