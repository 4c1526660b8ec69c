/// Numbers of DNS types and classes from their IANA mnemonics, RFC 3597's form included.
enum Mnemonics {
  static func type(_ text: String) -> Int? { types[text] ?? number(text, after: "TYPE") }
  static func `class`(_ text: String) -> Int? { classes[text] ?? number(text, after: "CLASS") }

  private static func number(_ text: String, after prefix: String) -> Int? {
    text.hasPrefix(prefix) ? Int(text.dropFirst(prefix.count)) : nil
  }

  private static let classes = ["IN": 1, "CH": 3, "HS": 4, "NONE": 254, "ANY": 255]

  private static let types: [String: Int] = {
    let from1 = """
      A NS MD MF CNAME SOA MB MG MR NULL WKS PTR HINFO MINFO MX TXT RP AFSDB X25 ISDN RT NSAP \
      NSAP-PTR SIG KEY PX GPOS AAAA LOC NXT EID NIMLOC SRV ATMA NAPTR KX CERT A6 DNAME SINK OPT \
      APL DS SSHFP IPSECKEY RRSIG NSEC DNSKEY DHCID NSEC3 NSEC3PARAM TLSA SMIMEA
      """
    let later: [String: Int] = [
      "HIP": 55, "NINFO": 56, "RKEY": 57, "TALINK": 58, "CDS": 59, "CDNSKEY": 60,
      "OPENPGPKEY": 61, "CSYNC": 62, "ZONEMD": 63, "SVCB": 64, "HTTPS": 65, "DSYNC": 66,
      "HHIT": 67, "BRID": 68, "SPF": 99, "UINFO": 100, "UID": 101, "GID": 102, "UNSPEC": 103,
      "NID": 104, "L32": 105, "L64": 106, "LP": 107, "EUI48": 108, "EUI64": 109, "NXNAME": 128,
      "TKEY": 249, "TSIG": 250, "IXFR": 251, "AXFR": 252, "MAILB": 253, "MAILA": 254,
      "ANY": 255, "URI": 256, "CAA": 257, "AVC": 258, "DOA": 259, "AMTRELAY": 260,
      "RESINFO": 261, "WALLET": 262, "CLA": 263, "IPN": 264, "TA": 32768, "DLV": 32769,
    ]
    let numbered = from1.split(separator: " ").enumerated().map { (String($1), $0 + 1) }
    return Dictionary(uniqueKeysWithValues: numbered).merging(later) { $1 }
  }()
}
