public import LanCore
public import LanWire

/// Ethernet frames with messages, run through the analyzer of `sniff` into one batch.
public final class SniffTrace {
  /// The analyzer.
  public var analyzer: SniffAnalyzer
  /// Its messages.
  public var batch = SniffBatch()
  /// The frames, one behind the other: what the batch's offsets mean.
  public var bytes: [UInt8] = []
  private var number = 0

  /// An empty trace.
  public init(_ options: SniffOptions = SniffOptions()) { analyzer = SniffAnalyzer(options) }

  /// Sends a message and gives what the batch got of it, if anything.
  ///
  /// `nanoseconds` is nil for a frame without a time; `cut` bytes are missing at the end.
  @discardableResult public func send(
    _ payload: [UInt8], at nanoseconds: Int64? = 1_000_000_000, from source: String = "10.0.0.7",
    to destination: String? = nil, port: UInt16 = 5353, mac: UInt8 = 7, interface: Int = 0,
    hopLimit: UInt8 = 255, cut: Int = 0
  ) -> SniffedMessage? {
    guard let sender = IPAddress(parsing: source) else { return nil }
    let group = sender.isIPv6 ? "ff02::fb" : "224.0.0.251"
    guard let target = IPAddress(parsing: destination ?? group) else { return nil }
    let frame = Self.frame(
      payload, from: sender, to: target, port: port, mac: mac, hopLimit: hopLimit)
    return handle(Array(frame.dropLast(cut)), originalLength: frame.count, nanoseconds, interface)
  }

  /// Takes a frame as it is and gives the last message that the batch got of it, if any.
  @discardableResult public func handle(
    _ frame: [UInt8], originalLength: Int? = nil, _ nanoseconds: Int64? = 1_000_000_000,
    _ interface: Int = 0
  ) -> SniffedMessage? {
    number += 1
    let start = bytes.count
    bytes += frame
    let known = batch.messages.count
    let sniffed = SniffedFrame(
      bytes: start..<bytes.count, number: number,
      time: nanoseconds.map { CaptureTime(nanoseconds: $0, fractionDigits: 6) },
      interface: interface, linkType: .ethernet, originalLength: originalLength ?? frame.count)
    let all = bytes
    analyzer.handle(all.span, sniffed, into: &batch)
    return batch.messages.count > known ? batch.messages.last : nil
  }

  /// An Ethernet frame with a UDP datagram between two equal ports.
  public static func frame(
    _ payload: [UInt8], from source: IPAddress, to destination: IPAddress, port: UInt16 = 5353,
    mac: UInt8 = 7, hopLimit: UInt8 = 255
  ) -> [UInt8] {
    let length = UInt16(payload.count + 8)
    let ports = DNSBytes.uint16(port) + DNSBytes.uint16(port)
    let udp = ports + DNSBytes.uint16(length) + [0, 0] + payload
    let link: [UInt8] = [1, 0, 0x5E, 0, 0, 0xFB, 2, 0, 0, 0, 0, mac]
    switch (source, destination) {
    case (.v6(let source), .v6(let destination)):
      let head: [UInt8] = [0x86, 0xDD, 0x60, 0, 0, 0] + DNSBytes.uint16(length) + [17, hopLimit]
      return link + head + octets(source) + octets(destination) + udp
    case (.v4(let source), .v4(let destination)):
      let total = DNSBytes.uint16(length + 20)
      let head: [UInt8] = [8, 0, 0x45, 0] + total + [0, 1, 0, 0, hopLimit, 17, 0, 0]
      return link + head + octets(source.bits) + octets(destination.bits) + udp
    default: return []
    }
  }

  private static func octets(_ address: IPv6Address) -> [UInt8] {
    octets(address.high) + octets(address.low)
  }

  private static func octets<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<(Number.bitWidth / 8)).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
