/// What a capture file says about one interface that frames were captured on.
public struct CaptureInterface: Hashable, Sendable {
  /// How the interface's frames begin.
  public var linkType: LinkType
  /// Bytes of frame check sequence at the end of each frame, as far as the file tells.
  public var fcsLength: Int
  /// How many bytes of a frame were kept at most; 0 for no limit.
  public var snapLength: UInt32
  /// Digits behind the point of its times, from 6 to 9.
  public var fractionDigits: UInt8
  /// Name of the interface, such as `eth0`.
  public var name: String?
  /// Description of the interface.
  public var details: String?
  /// The capture filter's text.
  public var filter: String?
  /// Frames received, from the last statistics block.
  public var received: UInt64?
  /// Frames that the interface or the system dropped, from the last statistics block.
  public var dropped: UInt64?
  /// Frames dropped between packets, as the packets' own drop counts add up.
  public var droppedBetweenPackets: UInt64

  init(linkType: LinkType, snapLength: UInt32) {
    self.linkType = linkType
    self.snapLength = snapLength
    fcsLength = 0
    fractionDigits = 6
    droppedBetweenPackets = 0
  }
}
