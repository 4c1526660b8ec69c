/// What the names of one message have in common.
@usableFromInline @frozen struct DNSNameTally {
  /// Octets of all names in full.
  @usableFromInline var octets = 0
  /// Jumps of all names.
  @usableFromInline var jumps = 0
  /// Octets that all names may come to.
  @usableFromInline var octetLimit: Int
  /// True when some pointer leads forward.
  @usableFromInline var hasForwardPointer = false

  @inlinable init(messageOctets: Int = 0) {
    octetLimit = max(DNSLimits.expandedNameBytes, 8 &* messageOctets)
  }

  @inlinable mutating func add(_ scan: DNSNameScan) {
    octets &+= scan.octets
    jumps &+= scan.jumps
    if scan.isIrregular { hasForwardPointer = true }
  }

  /// Adds a name in record data that was refused after a walk as long as names may be.
  @inlinable mutating func add(refused reason: WireError.Reason) {
    switch reason {
    case .pointerLoop, .pointerChain, .nameTooLong: jumps &+= 4 &* DNSLimits.pointerJumps
    default: break
    }
  }

  /// Adds the owner name of an entry at `offset`, whose other names were added before.
  @inlinable mutating func charge(
    _ scan: DNSNameScan, _ view: inout DNSMessageView, at offset: Int
  ) throws(WireError) {
    add(scan)
    view.hasForwardPointer = hasForwardPointer
    guard octets <= octetLimit, jumps <= DNSLimits.messageJumps else {
      throw WireError(.expansionLimit, at: offset)
    }
  }
}
