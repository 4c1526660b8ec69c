public import LanWire

/// One message that was seen, as places in the bytes of its batch.
@frozen public struct SniffedMessage: Sendable {
  /// How it travelled.
  public var envelope: MessageEnvelope
  /// Digits behind the point of its time; 0 when the frame has no time.
  public var fractionDigits: UInt8
  /// The protocol, by its port.
  public var nameProtocol: NameProtocol
  /// What it is for.
  public var kind: MessageKind
  /// True when it is malformed: `fault` says why.
  public var isMalformed: Bool
  /// True when the payload is in `SniffBatch.reassembled` instead of the lent bytes.
  public var isReassembled: Bool
  /// What is wrong beside the DNS message itself.
  public var fault: DatagramFault?
  /// How many records have TTL 0.
  public var goodbyes: Int32
  /// Index of the sender's name in `SniffBatch.names`; negative when none is known.
  public var sourceName: Int32
  /// Number of the line of output.
  public var sequence: Int
  /// Nanoseconds since the first message of the run.
  public var sinceFirst: Int64
  /// Nanoseconds since the message before.
  public var sinceLast: Int64
  /// Where the DNS payload is.
  public var payload: Range<Int>
  /// The message's entries in `SniffBatch.index`.
  public var view: DNSMessageView
  /// The findings in `SniffBatch.findings`.
  public var findings: Range<Int>
  /// VLAN tags, outermost first.
  public var vlan: VLANTags
  /// The outer packets in `SniffBatch.tunnels`, outermost first.
  public var tunnels: Range<Int>
}

/// A fault of the datagram that a message came in.
@frozen public enum DatagramFault: UInt8, Sendable {
  /// The UDP length is below the eight bytes of its own header (RFC 768).
  case udpLengthTooSmall
  /// The UDP length is more than the IP packet holds.
  case udpLengthTooLong
  /// The UDP length is less than the IP packet holds.
  case udpLengthTooShort

  init?(_ fault: UDPDatagram.LengthFault) {
    switch fault {
    case .none: return nil
    case .tooSmall: self = .udpLengthTooSmall
    case .longerThanPacket: self = .udpLengthTooLong
    case .shorterThanPacket: self = .udpLengthTooShort
    }
  }
}

/// Messages of one stretch of a capture, with room that is reused from stretch to stretch.
public struct SniffBatch: Sendable {
  /// The messages, in order.
  public var messages: [SniffedMessage] = []
  /// Questions and records of all messages.
  public var index = DNSMessageIndex()
  /// Payloads that were put together from fragments.
  public var reassembled: [UInt8] = []
  /// Outer packets of tunnelled messages.
  public var tunnels: [Tunnel] = []
  /// Names of senders, in presentation form.
  public var names: [[UInt8]] = []
  /// Findings that messages show by themselves.
  public var findings: [Finding] = []
  /// Frames that hold a selected message, for writing; filled only when asked for.
  public var frames: [SniffedFrame] = []

  /// An empty batch.
  public init() {}

  /// Forgets all messages and keeps the memory.
  public mutating func removeAll() {
    messages.removeAll(keepingCapacity: true)
    index.removeAll()
    if !reassembled.isEmpty { reassembled.removeAll(keepingCapacity: true) }
    if !tunnels.isEmpty { tunnels.removeAll(keepingCapacity: true) }
    if !names.isEmpty { names.removeAll(keepingCapacity: true) }
    if !findings.isEmpty { findings.removeAll(keepingCapacity: true) }
    if !frames.isEmpty { frames.removeAll(keepingCapacity: true) }
  }
}

/// A frame as the capture has it: where its bytes are and how it came.
@frozen public struct SniffedFrame: Sendable {
  /// Where its bytes are in the lent bytes.
  public var bytes: Range<Int>
  /// Number of the frame, from 1.
  public var number: Int
  /// When it was captured; nil where the source has no time.
  public var time: CaptureTime?
  /// Index of its interface in the capture; the kernel's index when live.
  public var interface: Int
  /// How it begins.
  public var linkType: LinkType
  /// Its length on the wire, bytes.
  public var originalLength: Int
  /// Bytes of frame check sequence at its end.
  public var fcsLength: Int

  /// A frame of these facts.
  @inlinable public init(
    bytes: Range<Int>, number: Int, time: CaptureTime?, interface: Int, linkType: LinkType,
    originalLength: Int, fcsLength: Int = 0
  ) {
    self.bytes = bytes
    self.number = number
    self.time = time
    self.interface = interface
    self.linkType = linkType
    self.originalLength = originalLength
    self.fcsLength = fcsLength
  }
}

extension SniffedMessage {
  init(_ envelope: MessageEnvelope, _ nameProtocol: NameProtocol, fractionDigits: UInt8) {
    self.envelope = envelope
    self.nameProtocol = nameProtocol
    self.fractionDigits = fractionDigits
    kind = .query
    isMalformed = false
    isReassembled = false
    fault = nil
    goodbyes = 0
    sourceName = -1
    sequence = 0
    sinceFirst = 0
    sinceLast = 0
    payload = 0..<0
    view = .empty
    findings = 0..<0
    vlan = VLANTags()
    tunnels = 0..<0
  }
}
