import LanCore
import LanSystem
import LanWire

/// Saves the frames of selected messages (`-w`).
///
/// pcapng by default, which keeps interfaces and link types apart. A name that ends in `.pcap`,
/// `.cap` or `.dmp` gets the older format; there frames of a second link type are refused.
struct SniffFrameWriter {
  /// Longest frame that a file announces, as other tools do.
  private static let snapLength: UInt32 = 262_144

  private let output: CaptureFileOutput
  private let classic: ClassicState?
  private let modern: ModernState?
  private var encoded: [UInt8] = []
  /// True when some frame could not be saved because of its link type.
  private(set) var hasRefused = false

  /// What the header of the next file of a ring needs.
  private final class ClassicState {
    var linkType: LinkType?
    let writer = PcapWriter(.nanoseconds)
  }

  private final class ModernState {
    struct Key: Hashable {
      let interface: Int
      let linkType: LinkType
    }
    var writer = PcapngWriter()
    var numbers: [Key: UInt32] = [:]
  }

  init(_ configuration: SniffWriteConfiguration) throws(FileError) {
    let classic = configuration.isClassic ? ClassicState() : nil
    let modern = configuration.isClassic ? nil : ModernState()
    self.classic = classic
    self.modern = modern
    output = try CaptureFileOutput(
      configuration.path, ring: configuration.ring,
      flushing: configuration.isPacketBuffered ? .eachPacket : .buffered
    ) {
      var header: [UInt8] = []
      if let modern {
        modern.writer = PcapngWriter()
        modern.numbers = [:]
        modern.writer.appendSection(
          application: "lantool \(Lantool.version)", to: &header)
      } else if let classic, let linkType = classic.linkType {
        classic.writer.appendHeader(
          linkType: linkType, snapLength: Self.snapLength, to: &header)
      }
      return header
    }
  }

  /// Saves one frame.
  mutating func write(
    _ bytes: Span<UInt8>, _ frame: SniffedFrame, _ interfaceName: (Int) -> String?
  ) throws(FileError) {
    encoded.removeAll(keepingCapacity: true)
    if let modern {
      let key = ModernState.Key(interface: frame.interface, linkType: frame.linkType)
      // Checked again after the file may have changed: a new file of a ring knows no interfaces.
      try output.makeRoom(
        for: Self.packetSize(bytes.count)
          + (modern.numbers[key] == nil ? Self.interfaceSize(interfaceName(frame.interface)) : 0))
      let number: UInt32
      if let known = modern.numbers[key] {
        number = known
      } else {
        number = modern.writer.appendInterface(
          linkType: frame.linkType, snapLength: Self.snapLength,
          name: interfaceName(frame.interface), to: &encoded)
        modern.numbers[key] = number
      }
      modern.writer.appendPacket(
        bytes, interface: number, time: frame.time, originalLength: frame.originalLength,
        to: &encoded)
    } else if let classic {
      if classic.linkType == nil {
        classic.linkType = frame.linkType
        classic.writer.appendHeader(
          linkType: frame.linkType, snapLength: Self.snapLength, to: &encoded)
      }
      guard classic.linkType == frame.linkType else { return refuse(frame.linkType) }
      classic.writer.appendPacket(
        bytes, time: frame.time, originalLength: frame.originalLength, to: &encoded)
    }
    try output.write(encoded.span, rotating: classic != nil)
  }

  /// Bytes of an enhanced packet block.
  private static func packetSize(_ count: Int) -> Int { 32 + (count + 3) & ~3 }

  /// Bytes of an interface description block.
  private static func interfaceSize(_ name: String?) -> Int {
    32 + (name.map { 4 + ($0.utf8.count + 3) & ~3 } ?? 0)
  }

  private mutating func refuse(_ linkType: LinkType) {
    guard !hasRefused else { return }
    hasRefused = true
    SniffCommand.complain(
      "\(output.name): frames of link type \(linkType) do not fit into this pcap file; "
        + "give it a name that ends in .pcapng")
  }

  mutating func close() throws(FileError) {
    // An empty capture is one all the same.
    if let classic, classic.linkType == nil {
      encoded.removeAll(keepingCapacity: true)
      classic.writer.appendHeader(
        linkType: .ethernet, snapLength: Self.snapLength, to: &encoded)
      try output.write(encoded.span)
    }
    try output.close()
  }

  func complain(_ error: FileError) {
    if case .closedPipe = error { BrokenPipe.end() }
    SniffCommand.complain("cannot write \(error)")
  }
}
