public import LanWire

/// Which messages a user wants to see; an empty list wants all.
public struct SniffSelection: Sendable {
  /// Protocols looked at.
  public var protocols: [NameProtocol] = [.mdns]
  /// Whether tunnels are looked into.
  public var tunnels = true
  /// Patterns that some name of the message must match (`*`, `?`, `[…]`; ASCII case ignored).
  public var names: [String] = []
  /// Types of which the message must have a question or record.
  public var types: [DNSRecordType] = []
  /// Kinds wanted.
  public var kinds: [MessageKind] = []
  /// Hosts of which the message must come or to which it must go.
  public var hosts: [SniffHost] = []
  /// True leaves IPv6 out.
  public var onlyIPv4 = false
  /// True leaves IPv4 out.
  public var onlyIPv6 = false

  /// A selection of every multicast DNS message.
  public init() {}
}

/// A host as a user names it.
public enum SniffHost: Sendable {
  /// By address.
  case address(IPAddress)
  /// By link-layer address.
  case mac(MACAddress)
  /// By the name that it announces for its address; `.local` may be left out.
  case name(String)
}

extension SniffSelection {
  /// True when the message is wanted; `scratch` is reused room for names.
  func accepts(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ envelope: MessageEnvelope, _ kind: MessageKind, _ hostNames: HostNames,
    _ scratch: inout [UInt8]
  ) -> Bool {
    if envelope.source.isIPv6 ? onlyIPv4 : onlyIPv6 { return false }
    if !kinds.isEmpty, !kinds.contains(kind) { return false }
    if !hosts.isEmpty, !hosts.contains(where: { matches($0, envelope, hostNames) }) { return false }
    if !types.isEmpty, !hasType(view, index) { return false }
    return names.isEmpty || hasName(message, view, index, &scratch)
  }

  private func matches(
    _ host: SniffHost, _ envelope: MessageEnvelope, _ hostNames: HostNames
  ) -> Bool {
    switch host {
    case .address(let address):
      return envelope.source == address || envelope.destination == address
    case .mac(let mac): return envelope.sourceMAC == mac
    case .name(let name):
      let typed = Array((name.hasSuffix(".") ? String(name.dropLast()) : name).utf8)
      let wanted = Glob.folded(HostNames.short(typed))
      return [envelope.source, envelope.destination].contains { address in
        hostNames[address].map { Glob.folded($0) == wanted } ?? false
      }
    }
  }

  private func hasType(_ view: DNSMessageView, _ index: DNSMessageIndex) -> Bool {
    view.questions.contains { types.contains(index.questions[$0].type) }
      || view.records.contains { types.contains(index.records[$0].type) }
  }

  private func hasName(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ scratch: inout [UInt8]
  ) -> Bool {
    for place in view.questions
    where matches(message, Int(index.questions[place].name), &scratch) { return true }
    for place in view.records {
      let record = index.records[place]
      if matches(message, Int(record.name), &scratch) { return true }
      switch record.data(message) {
      case .name(let name), .srv(_, _, _, let name):
        if matches(message, name, &scratch) { return true }
      default: break
      }
    }
    return false
  }

  private func matches(_ message: Span<UInt8>, _ name: Int, _ scratch: inout [UInt8]) -> Bool {
    scratch.removeAll(keepingCapacity: true)
    DNSNameText.append(message, at: name, to: &scratch)
    return names.contains { Glob.matches(pattern: Array($0.utf8), scratch) }
  }
}

/// Shell patterns over bytes, ASCII case ignored.
enum Glob {
  static func folded(_ text: String) -> [UInt8] { folded(Array(text.utf8)) }

  static func folded(_ text: [UInt8]) -> [UInt8] { text.map(DNSNameView.folded) }

  /// True when the whole of `text` matches.
  ///
  /// `*` is any run, `?` one character, `[a-z]` a set, `[!a]` its opposite. Time is bounded by the
  /// product of the lengths.
  static func matches(pattern: [UInt8], _ text: [UInt8]) -> Bool {
    var p = 0
    var t = 0
    var star = -1
    var mark = 0
    while t < text.count {
      if p < pattern.count, pattern[p] == 0x2A {
        star = p
        mark = t
        p += 1
      } else if p < pattern.count, let next = step(pattern, p, text[t]) {
        t += pattern[p] == 0x3F ? width(text[t]) : 1
        p = next
      } else if star >= 0 {
        p = star + 1
        mark += 1
        t = mark
      } else {
        return false
      }
    }
    while p < pattern.count, pattern[p] == 0x2A { p += 1 }
    return p == pattern.count
  }

  /// Matches one byte against the element at `p`; gives the place behind it, or nil.
  private static func step(_ pattern: [UInt8], _ p: Int, _ byte: UInt8) -> Int? {
    let wanted = pattern[p]
    // Not in the middle of a character.
    if wanted == 0x3F { return byte & 0xC0 == 0x80 ? nil : p + 1 }
    if wanted == 0x5B, let end = setEnd(pattern, p + 1) {
      return set(pattern[(p + 1)..<end], byte) ? end + 1 : nil
    }
    // A backslash takes the next byte as it is only before a pattern character; names are in
    // presentation form and have backslashes of their own.
    if wanted == 0x5C, p + 1 < pattern.count, [0x2A, 0x3F, 0x5B].contains(pattern[p + 1]) {
      return pattern[p + 1] == byte ? p + 2 : nil
    }
    return DNSNameView.folded(wanted) == DNSNameView.folded(byte) ? p + 1 : nil
  }

  /// How many bytes the UTF-8 character has that starts with `byte`.
  private static func width(_ byte: UInt8) -> Int {
    byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
  }

  /// The place of the `]` that ends the set whose body starts at `start`; one at the very start,
  /// behind a negation too, belongs to the set.
  private static func setEnd(_ pattern: [UInt8], _ start: Int) -> Int? {
    let body = pattern[start...]
    let isNegated = body.first == 0x21 || body.first == 0x5E
    return body.dropFirst(isNegated ? 2 : 1).firstIndex(of: 0x5D)
  }

  private static func set(_ body: ArraySlice<UInt8>, _ byte: UInt8) -> Bool {
    var rest = body
    let isNegated = rest.first == 0x21 || rest.first == 0x5E
    if isNegated { rest = rest.dropFirst() }
    let wanted = DNSNameView.folded(byte)
    var found = false
    while let low = rest.popFirst() {
      if rest.count >= 2, rest.first == 0x2D {
        rest = rest.dropFirst()
        let high = rest.removeFirst()
        let first = DNSNameView.folded(low)
        let last = DNSNameView.folded(high)
        found = found || wanted >= first && wanted <= last
      } else {
        found = found || DNSNameView.folded(low) == wanted
      }
    }
    return found != isNegated
  }
}
