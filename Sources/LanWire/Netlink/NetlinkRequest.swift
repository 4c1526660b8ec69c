/// A request to the kernel, without its sequence number: what a socket sends and a replay looks for.
public struct NetlinkRequest: Hashable, Sendable {
  /// What is asked for.
  public var type: NetlinkType
  /// The flags; `.request` is always among them.
  public var flags: NetlinkFlags
  /// What follows the header.
  public private(set) var payload: [UInt8]

  /// A request with the fixed part of its payload.
  public init(_ type: NetlinkType, flags: NetlinkFlags = [], header: [UInt8]) {
    self.type = type
    self.flags = flags.union(.request)
    payload = header
  }

  /// True for a request that many messages answer.
  public var isDump: Bool { flags.contains(.dump) }

  /// Adds an attribute of 32 bits in host order.
  public mutating func add(_ type: UInt16, _ value: UInt32) {
    payload.appendAttribute(type, value)
  }

  /// Adds an attribute of any bytes, of which 65,000 at most are taken.
  public mutating func add(_ type: UInt16, _ value: [UInt8]) {
    let part = value.prefix(65000)
    payload.appendLittle(UInt16(clamping: part.count + 4))
    payload.appendLittle(type)
    payload.append(contentsOf: part)
    for _ in 0..<(-part.count & 3) { payload.append(0) }
  }

  /// Appends the message under a sequence number and the port of the socket that asks.
  ///
  /// The kernel knows the port without being told; a recording does not.
  public func append(to output: inout [UInt8], sequence: UInt32, port: UInt32 = 0) {
    NetlinkHeader(
      length: UInt32(clamping: payload.count + NetlinkHeader.size), type: type, flags: flags,
      sequence: sequence, port: port
    ).append(to: &output)
    output.append(contentsOf: payload)
  }
}

extension NetlinkRequest {
  /// All links, without their counters (RTEXT_FILTER_SKIP_STATS).
  public static var links: NetlinkRequest {
    var request = NetlinkRequest(.getLink, flags: .dump, header: [UInt8](repeating: 0, count: 16))
    request.add(29, 8)
    return request
  }

  /// The link of `index`.
  public static func link(_ index: UInt32) -> NetlinkRequest {
    var header = [UInt8](repeating: 0, count: 4)
    header.appendLittle(index)
    header.append(contentsOf: [UInt8](repeating: 0, count: 8))
    var request = NetlinkRequest(.getLink, header: header)
    request.add(29, 8)
    return request
  }

  /// All addresses of a family, of one link where `index` is not 0.
  ///
  /// Kernels without strict checking ignore the link.
  public static func addresses(
    _ family: NetlinkAddressFamily = .unspecified, index: UInt32 = 0
  ) -> NetlinkRequest {
    var header: [UInt8] = [family.rawValue, 0, 0, 0]
    header.appendLittle(index)
    return NetlinkRequest(.getAddress, flags: .dump, header: header)
  }

  /// All policy rules of a family.
  public static func rules(_ family: NetlinkAddressFamily) -> NetlinkRequest {
    var header = [UInt8](repeating: 0, count: 12)
    header[0] = family.rawValue
    return NetlinkRequest(.getRule, flags: .dump, header: header)
  }

  /// All neighbours of a family, of one link where `index` is not 0.
  public static func neighbours(
    _ family: NetlinkAddressFamily, index: UInt32 = 0
  ) -> NetlinkRequest {
    var request = NetlinkRequest(
      .getNeighbour, flags: .dump, header: neighbourHeader(family, index: 0))
    if index != 0 { request.add(8, index) }
    return request
  }

  /// One neighbour; the kernel answers ENOENT where it has no entry (Linux 5.0 and later).
  public static func neighbour(_ address: IPAddress, index: UInt32) -> NetlinkRequest {
    var request = NetlinkRequest(
      .getNeighbour,
      header: neighbourHeader(NetlinkAddressFamily(of: address), index: index))
    request.add(1, address.networkBytes)
    return request
  }

  private static func neighbourHeader(_ family: NetlinkAddressFamily, index: UInt32) -> [UInt8] {
    var header: [UInt8] = [family.rawValue, 0, 0, 0]
    header.appendLittle(index)
    header.append(contentsOf: [0, 0, 0, 0])
    return header
  }

  /// All next hop objects (Linux 5.3 and later).
  public static var nextHops: NetlinkRequest {
    NetlinkRequest(.getNextHop, flags: .dump, header: [UInt8](repeating: 0, count: 8))
  }

  /// One next hop object.
  public static func nextHop(_ id: UInt32) -> NetlinkRequest {
    var request = NetlinkRequest(.getNextHop, header: [UInt8](repeating: 0, count: 8))
    request.add(1, id)
    return request
  }

  /// All routes of a family: for tests and comparisons, since a look-up costs the same whatever the
  /// size of the table and a dump does not.
  public static func routes(_ family: NetlinkAddressFamily) -> NetlinkRequest {
    var header = [UInt8](repeating: 0, count: 12)
    header[0] = family.rawValue
    return NetlinkRequest(.getRoute, flags: .dump, header: header)
  }

  /// The family `name` of generic netlink (CTRL_CMD_GETFAMILY).
  public static func genericFamily(_ name: String) -> NetlinkRequest {
    var request = NetlinkRequest(.genericController, header: [3, 1, 0, 0])
    request.add(2, Array(name.utf8) + [0])
    return request
  }

  /// The Wi-Fi interface of link `index`; `family` is the number of `nl80211`.
  public static func wirelessInterface(_ family: NetlinkType, index: UInt32) -> NetlinkRequest {
    var request = NetlinkRequest(
      family, header: [WirelessCommand.getInterface.rawValue, 0, 0, 0])
    request.add(3, index)
    return request
  }

  /// The stations that a Wi-Fi interface is connected to; `family` is the number of `nl80211`.
  public static func wirelessStations(_ family: NetlinkType, index: UInt32) -> NetlinkRequest {
    var request = NetlinkRequest(
      family, flags: .dump, header: [WirelessCommand.getStation.rawValue, 0, 0, 0])
    request.add(3, index)
    return request
  }
}

extension [UInt8] {
  mutating func appendAttribute(_ type: UInt16, _ value: UInt32) {
    appendLittle(UInt16(8))
    appendLittle(type)
    appendLittle(value)
  }

  mutating func appendAttribute(_ type: UInt16, _ address: IPAddress) {
    appendLittle(UInt16(address.isIPv6 ? 20 : 8))
    appendLittle(type)
    switch address {
    case .v4(let value): appendLittle(value.bits.byteSwapped)
    case .v6(let value):
      appendLittle(value.high.byteSwapped)
      appendLittle(value.low.byteSwapped)
    }
  }
}

extension IPAddress {
  /// The 4 or 16 bytes in network order.
  var networkBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendAttribute(0, self)
    return Array(bytes.dropFirst(4))
  }
}
