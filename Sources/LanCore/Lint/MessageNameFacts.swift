import LanWire

/// What the rules want to know of a name, built from its last label to its first.
struct MessageNameFacts: Sendable {
  /// Where its first label stands, pointers followed; equal offsets are equal names.
  var start: UInt16 = 0
  /// Equal for equal names, ASCII case ignored; compare the names where it is.
  var fingerprint: UInt32 = 0
  /// Labels, without the root.
  var labelCount: UInt8 = 0
  /// The zone that it is in.
  var zone = Zone.root
  /// The first label.
  var first = Label()
  /// The third label from the end: the service name, if `hasProtocol`.
  var service = Label()
  /// True when the label before the zone is `_tcp` or `_udp`.
  var hasProtocol = false
  /// True when that label is `_udp`.
  var isUDP = false
  /// What is wrong with the service name.
  var serviceFault = MessageDetail.none
  /// True when the label before the service name is `_sub`.
  var isBelowSub = false
  /// True when the label before the zone starts with an underscore, as a protocol's does.
  var startsProtocol = false

  /// The zones that multicast DNS has rules about.
  enum Zone: UInt8, Sendable {
    case root, local, reverse, other
  }

  /// A label as two offsets.
  struct Label: Sendable {
    var offset: UInt16 = 0
    var length: UInt8 = 0

    init() {}

    init(offset: Int, length: Int) {
      self.offset = UInt16(truncatingIfNeeded: offset)
      self.length = UInt8(truncatingIfNeeded: length)
    }

    /// The offsets of the bytes.
    var range: Range<Int> { Int(offset)..<(Int(offset) &+ Int(length)) }

    /// True when the bytes are `text`, which is lower case, ASCII case ignored.
    func equals(_ text: ShortText, _ message: Span<UInt8>) -> Bool {
      Int(length) == text.count && text.value == Self.folded(message, range)
    }

    /// True for `local`.
    @inline(__always) func isLocal(_ message: Span<UInt8>) -> Bool {
      guard length == 5 else { return false }
      // Bit 5 is the case of a letter.
      return message.uint32(at: Int(offset)) | 0x2020_2020 == 0x6C6F_6361
        && message[Int(offset) &+ 4] | 0x20 == 0x6C
    }

    /// Up to eight bytes as a number, letters in lower case.
    static func folded(_ message: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
      var value: UInt64 = 0
      for index in range { value = value << 8 | UInt64(DNSNameView.folded(message[index])) }
      return value
    }
  }

  /// A lower-case ASCII text of at most eight bytes, as a number.
  struct ShortText {
    let value: UInt64
    let count: Int

    init(_ value: UInt64, _ count: Int) {
      self.value = value
      self.count = count
    }

    /// `_sub`.
    static var sub: ShortText { ShortText(0x5f737562, 4) }
    /// `_dns-sd`.
    static var dnssd: ShortText { ShortText(0x5f646e732d7364, 7) }
    /// `arpa`.
    static var arpa: ShortText { ShortText(0x61727061, 4) }
    /// `in-addr`.
    static var inAddr: ShortText { ShortText(0x696e2d61646472, 7) }
    /// `ip6`.
    static var ip6: ShortText { ShortText(0x697036, 3) }
  }
}

extension MessageNameFacts {
  /// Puts a label before the name.
  @inline(__always) mutating func prepend(_ label: Label, _ message: Span<UInt8>) {
    switch labelCount {
    case 0: zone = label.isLocal(message) ? .local : .other
    case 1: prependSecond(label, message)
    case 2:
      service = label
      if hasProtocol { serviceFault = MessageRules.serviceFault(message, label) }
    case 3: isBelowSub = hasProtocol && label.equals(.sub, message)
    default: break
    }
    first = label
    labelCount &+= 1
    mix(message, label)
  }

  private mutating func prependSecond(_ label: Label, _ message: Span<UInt8>) {
    if zone == .local {
      guard message[Int(label.offset)] == 0x5F else { return }
      startsProtocol = true
      guard label.length == 4 else { return }
      let rest = message.uint32(at: Int(label.offset)) & 0xFF_FFFF | 0x20_2020
      isUDP = rest == 0x75_6470
      hasProtocol = isUDP || rest == 0x74_6370
    } else if first.equals(.arpa, message),
      label.equals(.inAddr, message) || label.equals(.ip6, message)
    {
      zone = .reverse
    }
  }

  @inline(__always) private mutating func mix(_ message: Span<UInt8>, _ label: Label) {
    let start = Int(label.offset)
    let last = start &+ Int(label.length) &- 1
    // Without bit 5 a letter's cases are equal, and that is all a fingerprint needs.
    let sample =
      UInt32(label.length) | UInt32(message[start] & 0xDF) << 8
      | UInt32(message[last] & 0xDF) << 16
    fingerprint = (fingerprint ^ sample) &* 0x9E37_79B1
    fingerprint ^= fingerprint &>> 15
  }

  /// True for `_subtype._sub._name._tcp.local`.
  var isSubtype: Bool { isBelowSub && labelCount == 5 }
  /// True for a reverse mapping of an address.
  var isReverse: Bool { zone == .reverse }
  /// True for `_name._tcp.local`.
  var isServiceType: Bool { hasProtocol && labelCount == 3 }

  /// True for `_services._dns-sd._udp.local` and the other names below `_dns-sd._udp`.
  func isEnumeration(_ message: Span<UInt8>) -> Bool {
    isUDP && labelCount == 4 && service.equals(.dnssd, message)
  }

  /// True where PTR records are shared by all hosts that have something to say.
  func isShared(_ message: Span<UInt8>) -> Bool {
    hasProtocol && (labelCount == 3 || isSubtype || isEnumeration(message))
  }
}
