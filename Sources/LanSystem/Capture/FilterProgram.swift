import CPcap

/// A pcap filter expression, compiled for one link type, that is matched in user space.
///
/// Beyond what libpcap does, `udp port 5353` also matches frames with VLAN tags and IPv6 packets with
/// extension headers, as people expect. An expression that speaks of tags (`vlan`, `0x8100`) or of
/// extension headers (`ip6[6]`, `protochain`) itself sees the frame as it is. A fragment that is not
/// the first passes an expression about ports: only the message put together can be judged by them.
///
/// Not for several threads at once: make one each.
@safe public final class FilterProgram {
  /// The expression as it was given.
  public let expression: String
  /// The link type (LINKTYPE_ number) it was compiled for.
  public let linkType: Int

  private let library: PcapLibrary
  private var program = unsafe bpf_program()
  private let speaksOfTags: Bool
  private let speaksOfExtensions: Bool
  private let speaksOfPorts: Bool
  private var plain: [UInt8] = []

  /// Compiles `expression`; an empty one matches everything.
  ///
  /// - Parameters:
  ///   - expression: As pcap-filter(7) has it. Host names in it are looked up.
  ///   - linkType: The LINKTYPE_ number of the frames.
  /// - Throws: `libraryMissing`, or `badFilter` with libpcap's words.
  public init(_ expression: String, linkType: Int) throws(CaptureError) {
    self.expression = expression
    self.linkType = linkType
    library = try PcapLibrary.load()
    let words = expression.lowercased()
    speaksOfTags = ["vlan", "0x8100", "0x88a8", "0x9100", "ether["].contains { words.contains($0) }
    speaksOfExtensions = ["ip6[", "protochain", "ip6 proto"].contains { words.contains($0) }
    speaksOfPorts = words.contains("port")
    let type = PcapLibrary.compilerLinkType(linkType)
    guard let handle = library.call.open_dead(type, 65535) else {
      throw .badFilter(expression: expression, detail: "out of memory")
    }
    defer { unsafe library.call.close(handle) }
    guard unsafe library.call.compile(handle, &program, expression, 1, ~0) == 0 else {
      let detail = unsafe library.error(of: handle)
      throw .badFilter(expression: expression, detail: detail)
    }
  }

  deinit { unsafe library.call.freecode(&program) }

  /// True if the expression holds for a frame.
  ///
  /// - Parameters:
  ///   - frame: The captured bytes, from the link header on.
  ///   - originalLength: How long the frame was before it was cut, for `less`, `greater` and `len`.
  /// - Returns: Whether it holds.
  public func matches(_ frame: Span<UInt8>, originalLength: Int) -> Bool {
    guard let layout = FrameLayout(frame, linkType: linkType), !layout.isPlain else {
      return run(frame, originalLength)
    }
    if layout.isLaterFragment, speaksOfPorts { return true }
    if speaksOfTags, speaksOfExtensions { return run(frame, originalLength) }
    layout.write(
      frame, withoutTags: !speaksOfTags, withoutExtensions: !speaksOfExtensions, into: &plain)
    return unsafe plain.withUnsafeBufferPointer { unsafe run($0, originalLength) }
  }

  private func run(_ frame: Span<UInt8>, _ originalLength: Int) -> Bool {
    unsafe frame.withUnsafeBufferPointer { unsafe run($0, originalLength) }
  }

  private func run(_ frame: UnsafeBufferPointer<UInt8>, _ originalLength: Int) -> Bool {
    var header = pcap_pkthdr()
    header.caplen = UInt32(clamping: frame.count)
    header.len = UInt32(clamping: originalLength)
    return unsafe library.call.offline_filter(&program, &header, frame.baseAddress) != 0
  }
}
