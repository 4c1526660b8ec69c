import LanWire
import Testing

/// What a datagram holds, read to its end or its fault.
struct NetlinkReading {
  var events: [RouteNetlinkEvent] = []
  var errors: [NetlinkErrorMessage] = []
  var families: [GenericFamilyMessage] = []
  var faults: [WireError] = []
  var count = 0

  init(_ bytes: [UInt8], generic: Bool = false) {
    let span = bytes.span
    var messages = NetlinkMessages(span)
    while true {
      do throws(WireError) {
        guard let message = try messages.next(span) else { return }
        count += 1
        try read(message, span, generic)
      } catch {
        faults.append(error)
        if faults.count > 1000 { return }
      }
    }
  }

  private mutating func read(
    _ message: NetlinkMessage, _ bytes: Span<UInt8>, _ generic: Bool
  ) throws(WireError) {
    switch message.header.type {
    case .error, .done: errors.append(try NetlinkErrorMessage(message, in: bytes))
    case .genericController where generic:
      families.append(try GenericFamilyMessage(message, in: bytes))
    default:
      if generic { _ = try WirelessMessage(message, in: bytes) }
      if message.header.type == .newRoute { _ = try RoutePrefix(message, in: bytes) }
      events.append(try RouteNetlinkEvent(message, in: bytes))
    }
  }

  var links: [LinkMessage] {
    events.compactMap { if case .link(let value) = $0 { value } else { nil } }
  }
  var addresses: [AddressMessage] {
    events.compactMap { if case .address(let value) = $0 { value } else { nil } }
  }
  var routes: [RouteMessage] {
    events.compactMap { if case .route(let value) = $0 { value } else { nil } }
  }
  var rules: [RuleMessage] {
    events.compactMap { if case .rule(let value) = $0 { value } else { nil } }
  }
  var neighbours: [NeighbourMessage] {
    events.compactMap { if case .neighbour(let value) = $0 { value } else { nil } }
  }
  var nextHops: [NextHopMessage] {
    events.compactMap { if case .nextHop(let value) = $0 { value } else { nil } }
  }
}

/// The address; one that cannot be read fails the test.
func ip(_ text: String) -> IPAddress {
  if let address = IPAddress(parsing: text) { return address }
  Issue.record("\(text) is no address")
  return .v4(IPv4Address(bits: 0))
}

/// Builds netlink messages byte by byte, without the code under test.
enum NetlinkBytes {
  static func little(_ value: UInt32, _ count: Int = 4) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
  }

  static func attribute(_ type: UInt32, _ value: [UInt8]) -> [UInt8] {
    little(UInt32(value.count + 4), 2) + little(type, 2) + value
      + [UInt8](repeating: 0, count: -value.count & 3)
  }

  static func message(
    _ type: UInt32, flags: UInt32 = 0, sequence: UInt32 = 0, port: UInt32 = 0, _ payload: [UInt8]
  ) -> [UInt8] {
    little(UInt32(payload.count + 16)) + little(type, 2) + little(flags, 2) + little(sequence)
      + little(port) + payload + [UInt8](repeating: 0, count: -payload.count & 3)
  }
}
