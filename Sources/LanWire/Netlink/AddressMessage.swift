/// The flags of an address (`IFA_F_*`).
@frozen public struct AddressFlags: OptionSet, Hashable, Sendable {
  /// The kernel's bits.
  public var rawValue: UInt32

  /// Flags of the kernel's bits.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A privacy address (IPv6), or a secondary address (IPv4).
  public static let temporary = AddressFlags(rawValue: 0x1)
  /// Used without looking for duplicates.
  public static let noDuplicateDetection = AddressFlags(rawValue: 0x2)
  /// Used while duplicates are still looked for (RFC 4429).
  public static let optimistic = AddressFlags(rawValue: 0x4)
  /// Somebody else has it.
  public static let duplicated = AddressFlags(rawValue: 0x8)
  /// Its preferred lifetime is over (RFC 4862).
  public static let deprecated = AddressFlags(rawValue: 0x20)
  /// Duplicates are still looked for.
  public static let tentative = AddressFlags(rawValue: 0x40)
  /// It has no lifetime.
  public static let permanent = AddressFlags(rawValue: 0x80)
}

/// An address of a link (RTM_NEWADDR, RTM_DELADDR; `struct ifaddrmsg`).
public struct AddressMessage: Hashable, Sendable {
  /// The IP version.
  public var family: NetlinkAddressFamily
  /// How many leading bits name the network.
  public var prefixLength: UInt8
  /// The flags, all 32 bits where the kernel sends them.
  public var flags: AddressFlags
  /// How far it is known: 0 everywhere, 253 on the link, 254 on this host.
  public var scope: UInt8
  /// The index of the link.
  public var index: UInt32
  /// The own address.
  public var local: IPAddress?
  /// The address of the other end of a point-to-point link; else the same as `local`.
  public var peer: IPAddress?
  /// The label, mostly the link's name (IPv4).
  public var label = ""
  /// Seconds for which it is preferred; nil for ever, or where the kernel does not tell.
  public var preferredLifetime: UInt32?
  /// Seconds for which it is valid; nil for ever, or where the kernel does not tell.
  public var validLifetime: UInt32?
  /// Who set it (`IFAPROT_*`): 1 loopback, 2 router advertisement, 3 link-local; 0 not known.
  public var origin: UInt8 = 0

  /// An address of the link `index` without further facts.
  public init(
    _ local: IPAddress, prefixLength: UInt8, index: UInt32, flags: AddressFlags = .permanent,
    scope: UInt8 = 0
  ) {
    family = NetlinkAddressFamily(of: local)
    self.local = local
    peer = local
    self.prefixLength = prefixLength
    self.index = index
    self.flags = flags
    self.scope = scope
  }

  /// Reads a message of type `.newAddress` or `.deleteAddress` from the bytes that it was found in.
  ///
  /// - Throws: `.truncated` or `.badLength`.
  public init(_ message: NetlinkMessage, in bytes: Span<UInt8>) throws(WireError) {
    var (start, attributes) = try message.split(bytes, after: 8)
    family = NetlinkAddressFamily(rawValue: bytes[start])
    prefixLength = bytes[start &+ 1]
    flags = AddressFlags(rawValue: UInt32(bytes[start &+ 2]))
    scope = bytes[start &+ 3]
    index = bytes.littleUInt32(at: start &+ 4)
    while let attribute = try attributes.next(bytes) { read(attribute, bytes) }
    // IPv6 sends the own address as IFA_ADDRESS alone, unless the link has another end.
    if local == nil { local = peer }
  }

  private mutating func read(_ attribute: NetlinkAttribute, _ bytes: Span<UInt8>) {
    switch attribute.type {
    case 1: peer = attribute.address(bytes, family)
    case 2: local = attribute.address(bytes, family)
    case 3: label = attribute.text(bytes)
    case 6:
      preferredLifetime = attribute.uint32(bytes).flatMap { $0 == .max ? nil : $0 }
      validLifetime = attribute.uint32(bytes, at: 4).flatMap { $0 == .max ? nil : $0 }
    case 8: if let bits = attribute.uint32(bytes) { flags = AddressFlags(rawValue: bits) }
    case 11: origin = attribute.uint8(bytes) ?? 0
    default: break
    }
  }
}
