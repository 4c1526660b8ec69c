/// The type of a record or question (IANA registry "Resource Record (RR) TYPEs").
@frozen public struct DNSRecordType: RawRepresentable, Hashable, Sendable {
  /// The number on the wire.
  public var rawValue: UInt16

  /// The type of this number.
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  @inlinable init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// IPv4 address (RFC 1035 section 3.4.1).
  @inlinable public static var a: DNSRecordType { DNSRecordType(1) }
  /// Name server (RFC 1035 section 3.3.11).
  @inlinable public static var ns: DNSRecordType { DNSRecordType(2) }
  /// Canonical name (RFC 1035 section 3.3.1).
  @inlinable public static var cname: DNSRecordType { DNSRecordType(5) }
  /// Start of authority (RFC 1035 section 3.3.13).
  @inlinable public static var soa: DNSRecordType { DNSRecordType(6) }
  /// Pointer (RFC 1035 section 3.3.12).
  @inlinable public static var ptr: DNSRecordType { DNSRecordType(12) }
  /// Host information (RFC 1035 section 3.3.2).
  @inlinable public static var hinfo: DNSRecordType { DNSRecordType(13) }
  /// Mail exchange (RFC 1035 section 3.3.9).
  @inlinable public static var mx: DNSRecordType { DNSRecordType(15) }
  /// Text strings (RFC 1035 section 3.3.14).
  @inlinable public static var txt: DNSRecordType { DNSRecordType(16) }
  /// IPv6 address (RFC 3596).
  @inlinable public static var aaaa: DNSRecordType { DNSRecordType(28) }
  /// Location (RFC 1876).
  @inlinable public static var loc: DNSRecordType { DNSRecordType(29) }
  /// Service location (RFC 2782).
  @inlinable public static var srv: DNSRecordType { DNSRecordType(33) }
  /// Naming authority pointer (RFC 3403).
  @inlinable public static var naptr: DNSRecordType { DNSRecordType(35) }
  /// Redirection of a subtree (RFC 6672).
  @inlinable public static var dname: DNSRecordType { DNSRecordType(39) }
  /// EDNS options (RFC 6891).
  @inlinable public static var opt: DNSRecordType { DNSRecordType(41) }
  /// Types that exist at a name (RFC 4034 section 4; RFC 6762 section 6.1).
  @inlinable public static var nsec: DNSRecordType { DNSRecordType(47) }
  /// Service binding (RFC 9460).
  @inlinable public static var svcb: DNSRecordType { DNSRecordType(64) }
  /// Service binding for HTTPS (RFC 9460).
  @inlinable public static var https: DNSRecordType { DNSRecordType(65) }
  /// Any type, in questions (RFC 1035 section 3.2.3).
  @inlinable public static var any: DNSRecordType { DNSRecordType(255) }

  /// The IANA mnemonic; nil for a number without one.
  @inlinable public var mnemonic: StaticString? {
    switch rawValue {
    case 1: "A"
    case 12: "PTR"
    case 16: "TXT"
    case 28: "AAAA"
    case 33: "SRV"
    case 47: "NSEC"
    case 255: "ANY"
    case 41: "OPT"
    case 13: "HINFO"
    case 5: "CNAME"
    default: rareMnemonic
    }
  }

  /// The mnemonics of types that are rare on a local network.
  public var rareMnemonic: StaticString? {
    switch rawValue {
    case 2: "NS"
    case 3: "MD"
    case 4: "MF"
    case 6: "SOA"
    case 7: "MB"
    case 8: "MG"
    case 9: "MR"
    case 10: "NULL"
    case 11: "WKS"
    case 14: "MINFO"
    case 15: "MX"
    case 17: "RP"
    case 18: "AFSDB"
    case 19: "X25"
    case 20: "ISDN"
    case 21: "RT"
    case 22: "NSAP"
    case 23: "NSAP-PTR"
    case 24: "SIG"
    case 25: "KEY"
    case 26: "PX"
    case 27: "GPOS"
    case 29: "LOC"
    case 30: "NXT"
    case 31: "EID"
    case 32: "NIMLOC"
    case 34: "ATMA"
    case 35: "NAPTR"
    case 36: "KX"
    case 37: "CERT"
    case 38: "A6"
    case 39: "DNAME"
    case 40: "SINK"
    case 42: "APL"
    case 43: "DS"
    case 44: "SSHFP"
    case 45: "IPSECKEY"
    case 46: "RRSIG"
    case 48: "DNSKEY"
    case 49: "DHCID"
    case 50: "NSEC3"
    case 51: "NSEC3PARAM"
    case 52: "TLSA"
    case 53: "SMIMEA"
    case 55: "HIP"
    case 56: "NINFO"
    case 57: "RKEY"
    case 58: "TALINK"
    case 59: "CDS"
    case 60: "CDNSKEY"
    case 61: "OPENPGPKEY"
    case 62: "CSYNC"
    case 63: "ZONEMD"
    case 64: "SVCB"
    case 65: "HTTPS"
    case 66: "DSYNC"
    case 99: "SPF"
    case 100: "UINFO"
    case 101: "UID"
    case 102: "GID"
    case 103: "UNSPEC"
    case 104: "NID"
    case 105: "L32"
    case 106: "L64"
    case 107: "LP"
    case 108: "EUI48"
    case 109: "EUI64"
    case 249: "TKEY"
    case 250: "TSIG"
    case 251: "IXFR"
    case 252: "AXFR"
    case 253: "MAILB"
    case 254: "MAILA"
    case 256: "URI"
    case 257: "CAA"
    case 258: "AVC"
    case 259: "DOA"
    case 260: "AMTRELAY"
    case 261: "RESINFO"
    case 32768: "TA"
    case 32769: "DLV"
    default: nil
    }
  }
}

extension DNSRecordType: CustomStringConvertible {
  /// The mnemonic, or `TYPE` and the number (RFC 3597 section 5).
  public var description: String { mnemonic.map { "\($0)" } ?? "TYPE\(rawValue)" }

  /// The type that `text` names: a mnemonic in any case, or `TYPE` and a number; else nil.
  public init?(_ text: String) {
    let upper = text.uppercased()
    if upper.hasPrefix("TYPE"), let number = UInt16(upper.dropFirst(4)) {
      self.init(number)
      return
    }
    for number in Array(UInt16(1)...261) + [32768, 32769]
    where DNSRecordType(number).mnemonic.map({ "\($0)" }) == upper {
      self.init(number)
      return
    }
    return nil
  }
}

/// The class of a record or question, without multicast DNS's top bit (RFC 6762 section 18.12).
@frozen public struct DNSClass: RawRepresentable, Hashable, Sendable {
  /// The number on the wire.
  public var rawValue: UInt16

  /// The class of this number.
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Internet.
  @inlinable public static var `in`: DNSClass { DNSClass(rawValue: 1) }
  /// Any class, in questions.
  @inlinable public static var any: DNSClass { DNSClass(rawValue: 255) }

  /// The IANA mnemonic; nil for a number without one.
  @inlinable public var mnemonic: StaticString? {
    switch rawValue {
    case 1: "IN"
    case 3: "CH"
    case 4: "HS"
    case 254: "NONE"
    case 255: "ANY"
    default: nil
    }
  }
}

extension DNSClass: CustomStringConvertible {
  /// The mnemonic, or `CLASS` and the number (RFC 3597 section 5).
  public var description: String { mnemonic.map { "\($0)" } ?? "CLASS\(rawValue)" }
}
