/// A question to the kernel's routing: where would a packet go (RTM_GETROUTE).
///
/// Never ask for 0.0.0.0: plain look-ups answer "local" whatever the state of the network. A verdict
/// needs both forms: the plain one tells the chosen next hop and the source address, the one that
/// matches the FIB tells type, prefix, lifetime, all legs and their flags.
@frozen public struct RouteLookup: Hashable, Sendable {
  /// Where the packet goes.
  public var destination: IPAddress
  /// Its source address, of the destination's family; nil lets the kernel choose.
  public var source: IPAddress?
  /// The link that it must leave by; 0 for any.
  ///
  /// With one, IPv4's plain look-up succeeds for everything.
  public var outputIndex: UInt32
  /// The packet mark (SO_MARK); 0 for none.
  public var mark: UInt32
  /// The user that sends; nil for the one that asks.
  public var user: UInt32?
  /// The IP protocol: 6 TCP, 17 UDP; 0 for none, and then without ports.
  public var ipProtocol: UInt8
  /// The source port; 0 for none.
  public var sourcePort: UInt16
  /// The destination port; 0 for none.
  public var destinationPort: UInt16
  /// Asks for the entry of the table that matches rather than for what the packet would meet
  /// (RTM_F_FIB_MATCH, Linux 4.13 and later).
  public var matchesFIB: Bool

  /// A plain look-up of `destination`.
  @inlinable public init(_ destination: IPAddress, matchesFIB: Bool = false) {
    self.destination = destination
    self.matchesFIB = matchesFIB
    (outputIndex, mark, ipProtocol, sourcePort, destinationPort) = (0, 0, 0, 0, 0)
  }

  /// The flags of the request.
  ///
  /// IPv4 names the true table only with RTM_F_LOOKUP_TABLE; IPv6 always does and, with strict
  /// checking, refuses that flag.
  private var flags: UInt32 {
    (destination.isIPv6 ? 0 : 0x1000) | (matchesFIB ? 0x2000 : 0)
  }

  /// Appends the request under a sequence number and the port of the socket that asks, without
  /// allocating where there is room.
  public func append(to output: inout [UInt8], sequence: UInt32, port: UInt32 = 0) {
    let start = output.count
    NetlinkHeader(length: 0, type: .getRoute, flags: .request, sequence: sequence, port: port)
      .append(to: &output)
    let bits: UInt8 = destination.isIPv6 ? 128 : 32
    let source = source.flatMap { $0.isIPv6 == destination.isIPv6 ? $0 : nil }
    output.append(NetlinkAddressFamily(of: destination).rawValue)
    output.append(bits)
    output.append(source == nil ? 0 : bits)
    for _ in 0..<5 { output.append(0) }
    output.appendLittle(flags)
    output.appendAttribute(1, destination)
    if let source { output.appendAttribute(2, source) }
    if outputIndex != 0 { output.appendAttribute(4, outputIndex) }
    if mark != 0 { output.appendAttribute(16, mark) }
    if let user { output.appendAttribute(25, user) }
    appendFlow(to: &output)
    let length = UInt32(clamping: output.count - start)
    for index in 0..<4 {
      output[start + index] = UInt8(truncatingIfNeeded: length >> UInt32(8 * index))
    }
  }

  private func appendFlow(to output: inout [UInt8]) {
    guard ipProtocol != 0 else { return }
    output.appendLittle(UInt16(5))
    output.appendLittle(UInt16(27))
    output.appendLittle(UInt32(ipProtocol))
    if sourcePort != 0 { Self.appendPort(28, sourcePort, to: &output) }
    if destinationPort != 0 { Self.appendPort(29, destinationPort, to: &output) }
  }

  private static func appendPort(_ type: UInt16, _ port: UInt16, to output: inout [UInt8]) {
    output.appendLittle(UInt16(6))
    output.appendLittle(type)
    output.appendLittle(UInt32(port.byteSwapped))
  }
}
