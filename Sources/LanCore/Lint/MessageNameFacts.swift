import LanWire

/// What the rules want to know of a name, found in one pass over its labels.
struct MessageNameFacts: Sendable {
  /// Where its first label stands, pointers followed; equal offsets are equal names.
  var start = 0
  /// Equal for equal names, ASCII case ignored; compare the names where it is.
  var fingerprint: UInt64 = 0
  /// Labels, without the root.
  var labelCount = 0
  /// The zone that it is in.
  var zone = Zone.other
  /// The first label.
  var first = Label()
  /// The third label from the end: the service name, if `hasProtocol`.
  var service = Label()
  /// True when the label before the zone is `_tcp` or `_udp`.
  var hasProtocol = false
  /// True when that label is `_udp`.
  var isUDP = false
  /// True when the label before the service name is `_sub`.
  var isSubtype = false
  /// True when the label before the zone starts with an underscore, as a protocol's does.
  var startsProtocol = false

  /// The zones that multicast DNS has rules about.
  enum Zone: UInt8, Sendable {
    case root, local, reverse, other
  }

  /// A label as two offsets.
  struct Label: Sendable {
    var offset: Int32 = 0
    var length: Int32 = 0

    init() {}

    init(_ label: DNSLabelView) {
      offset = Int32(truncatingIfNeeded: label.offset)
      length = Int32(truncatingIfNeeded: label.length)
    }

    /// The offsets of the bytes.
    var range: Range<Int> { Int(offset)..<(Int(offset) &+ Int(length)) }

    /// True when the bytes are `text`, which is lower case, ASCII case ignored.
    func equals(_ text: ShortText, _ message: Span<UInt8>) -> Bool {
      guard Int(length) == text.count else { return false }
      return text.value == Self.folded(message, range)
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

    /// `local`.
    static var local: ShortText { ShortText(0x6c6f63616c, 5) }
    /// `_tcp`.
    static var tcp: ShortText { ShortText(0x5f746370, 4) }
    /// `_udp`.
    static var udp: ShortText { ShortText(0x5f756470, 4) }
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
  /// Walks the name whose first label is at `start`.
  init(_ message: Span<UInt8>, start: Int) {
    self.start = start
    var labels = DNSLabelIterator(at: start)
    // The last four labels, the last one first.
    var (last, second, third, fourth) = (Label(), Label(), Label(), Label())
    while let view = labels.next(message) {
      let label = Label(view)
      if labelCount == 0 { first = label }
      labelCount &+= 1
      mix(message, label)
      (fourth, third, second, last) = (third, second, last, label)
    }
    guard labelCount > 0 else {
      zone = .root
      return
    }
    if last.equals(.local, message) {
      zone = .local
      service = third
      isUDP = second.equals(.udp, message)
      hasProtocol = isUDP || second.equals(.tcp, message)
      isSubtype = hasProtocol && labelCount == 5 && fourth.equals(.sub, message)
      startsProtocol = second.length > 0 && message[Int(second.offset)] == 0x5F
    } else if last.equals(.arpa, message) {
      let isReverse = second.equals(.inAddr, message) || second.equals(.ip6, message)
      zone = isReverse ? .reverse : .other
    }
  }

  private mutating func mix(_ message: Span<UInt8>, _ label: Label) {
    let start = Int(label.offset)
    let length = Int(label.length)
    let sample =
      UInt64(length) | UInt64(DNSNameView.folded(message[start])) << 8
      | UInt64(DNSNameView.folded(message[start &+ length &- 1])) << 16
      | UInt64(DNSNameView.folded(message[start &+ length &>> 1])) << 24
    fingerprint = (fingerprint ^ sample) &* 0x9E37_79B9_7F4A_7C15
    fingerprint ^= fingerprint &>> 29
  }

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
