/// Limits of the DNS message format, and the bounds that keep reading hostile messages cheap.
public enum DNSLimits {
  /// Octets of the fixed header (RFC 1035 section 4.1.1).
  @inlinable public static var headerOctets: Int { 12 }
  /// Octets of a whole name on the wire, length octets and root included (RFC 1035 section 2.3.4).
  @inlinable public static var nameOctets: Int { 255 }
  /// Octets of one label (RFC 1035 section 2.3.4).
  @inlinable public static var labelOctets: Int { 63 }
  /// Jumps that one name may take.
  ///
  /// A chain of backward pointers as long as a name has labels (127)
  /// is legal; whatever needs more is built to cost time.
  @inlinable public static var pointerJumps: Int { 128 }
  /// Octets that all names of one message may expand to; a small message of pointers could
  /// otherwise grow forty-fold.
  ///
  /// A message of more than 8 KiB, as only TCP brings them, may expand eight-fold: a service list
  /// of a thousand names comes to twice or three times its bytes.
  @inlinable public static var expandedNameBytes: Int { 65_536 }
  /// Jumps that all names of one message may take together.
  ///
  /// Ten times what a full message of sound names needs; without it each of some thousand records
  /// could ask for the longest legal chain.
  @inlinable public static var messageJumps: Int { 65_536 }
  /// Octets of a UDP payload that holds a message over multicast (RFC 6762 section 17).
  @inlinable public static var multicastMessageOctets: Int { 9_000 }
}
