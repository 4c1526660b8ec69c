/// The data of a record, owned and typed.
///
/// Every type has a value: what has no case of its own, and what is not what its type demands,
/// keeps its bytes in `unknown` (RFC 3597), so that nothing that was read is lost.
public enum DNSRecordData: Hashable, Sendable {
  /// A (RFC 1035 section 3.4.1).
  case a(IPv4Address)
  /// AAAA (RFC 3596 section 2.2).
  case aaaa(IPv6Address)
  /// NS (RFC 1035 section 3.3.11).
  case ns(DNSName)
  /// CNAME (RFC 1035 section 3.3.1).
  case cname(DNSName)
  /// PTR (RFC 1035 section 3.3.12).
  case ptr(DNSName)
  /// DNAME (RFC 6672 section 2.1).
  case dname(DNSName)
  /// MB, MD, MF, MG and MR (RFC 1035 section 3.3): one name.
  case mailName(DNSRecordType, DNSName)
  /// SOA (RFC 1035 section 3.3.13).
  case soa(DNSStartOfAuthority)
  /// MX (RFC 1035 section 3.3.9).
  case mx(preference: UInt16, exchange: DNSName)
  /// AFSDB and RT (RFC 1183), KX (RFC 2230): a number and a name.
  case rankedName(DNSRecordType, rank: UInt16, name: DNSName)
  /// TXT (RFC 1035 section 3.3.14): strings of at most 255 bytes.
  case txt([[UInt8]])
  /// SRV (RFC 2782).
  case srv(priority: UInt16, weight: UInt16, port: UInt16, target: DNSName)
  /// HINFO (RFC 1035 section 3.3.2).
  case hinfo(cpu: [UInt8], os: [UInt8])
  /// MINFO (RFC 1035 section 3.3.7).
  case minfo(responsible: DNSName, errors: DNSName)
  /// RP (RFC 1183 section 2.2).
  case rp(mailbox: DNSName, text: DNSName)
  /// NSEC (RFC 4034 section 4.1); types in ascending order, each once.
  case nsec(next: DNSName, types: [DNSRecordType])
  /// OPT (RFC 6891 section 6.1.2).
  case opt([DNSOption])
  /// SVCB (RFC 9460 section 2.2).
  case svcb(DNSServiceBinding)
  /// HTTPS (RFC 9460 section 9).
  case https(DNSServiceBinding)
  /// CAA (RFC 8659 section 4.1).
  case caa(flags: UInt8, tag: [UInt8], value: [UInt8])
  /// NAPTR (RFC 3403 section 4.1).
  case naptr(DNSNamingAuthority)
  /// SSHFP (RFC 4255 section 3.1).
  case sshfp(algorithm: UInt8, fingerprintType: UInt8, fingerprint: [UInt8])
  /// Any other type, or data that is not what its type demands: the bytes as they were.
  case unknown(DNSRecordType, [UInt8])

  /// The record's type.
  public var type: DNSRecordType {
    switch self {
    case .a: .a
    case .aaaa: .aaaa
    case .ns: .ns
    case .cname: .cname
    case .ptr: .ptr
    case .dname: .dname
    case .soa: .soa
    case .mx: .mx
    case .txt: .txt
    case .srv: .srv
    case .hinfo: .hinfo
    case .minfo: DNSRecordType(14)
    case .rp: DNSRecordType(17)
    case .nsec: .nsec
    case .opt: .opt
    case .svcb: .svcb
    case .https: .https
    case .caa: DNSRecordType(257)
    case .naptr: .naptr
    case .sshfp: DNSRecordType(44)
    case .mailName(let type, _), .rankedName(let type, _, _), .unknown(let type, _): type
    }
  }
}

/// The data of an SOA record (RFC 1035 section 3.3.13).
public struct DNSStartOfAuthority: Hashable, Sendable {
  /// MNAME: the primary server.
  public var primary: DNSName
  /// RNAME: the mailbox of who is responsible.
  public var mailbox: DNSName
  /// SERIAL.
  public var serial: UInt32
  /// REFRESH, seconds.
  public var refresh: UInt32
  /// RETRY, seconds.
  public var retry: UInt32
  /// EXPIRE, seconds.
  public var expire: UInt32
  /// MINIMUM, seconds; how long an absence may be cached (RFC 2308 section 4).
  public var minimum: UInt32

  /// The data of these fields; the four intervals are in seconds.
  public init(
    primary: DNSName, mailbox: DNSName, serial: UInt32, refresh: UInt32, retry: UInt32,
    expire: UInt32, minimum: UInt32
  ) {
    self.primary = primary
    self.mailbox = mailbox
    self.serial = serial
    self.refresh = refresh
    self.retry = retry
    self.expire = expire
    self.minimum = minimum
  }
}

/// An EDNS option (RFC 6891 section 6.1.2) or SVCB parameter (RFC 9460 section 2.2).
public struct DNSOption: Hashable, Sendable {
  /// The option code or SvcParamKey.
  public var code: UInt16
  /// The value.
  public var value: [UInt8]

  /// An option of this code and value.
  public init(code: UInt16, value: [UInt8]) {
    self.code = code
    self.value = value
  }
}

/// The data of an SVCB or HTTPS record (RFC 9460 section 2.2).
public struct DNSServiceBinding: Hashable, Sendable {
  /// SvcPriority; 0 is an alias.
  public var priority: UInt16
  /// TargetName.
  public var target: DNSName
  /// SvcParams in the order of the record.
  public var parameters: [DNSOption]

  /// The data of these fields.
  public init(priority: UInt16, target: DNSName, parameters: [DNSOption] = []) {
    self.priority = priority
    self.target = target
    self.parameters = parameters
  }
}

/// The data of a NAPTR record (RFC 3403 section 4.1).
public struct DNSNamingAuthority: Hashable, Sendable {
  /// ORDER.
  public var order: UInt16
  /// PREFERENCE.
  public var preference: UInt16
  /// FLAGS.
  public var flags: [UInt8]
  /// SERVICES.
  public var services: [UInt8]
  /// REGEXP.
  public var expression: [UInt8]
  /// REPLACEMENT.
  public var replacement: DNSName

  /// The data of these fields.
  public init(
    order: UInt16, preference: UInt16, flags: [UInt8], services: [UInt8], expression: [UInt8],
    replacement: DNSName
  ) {
    self.order = order
    self.preference = preference
    self.flags = flags
    self.services = services
    self.expression = expression
    self.replacement = replacement
  }
}
