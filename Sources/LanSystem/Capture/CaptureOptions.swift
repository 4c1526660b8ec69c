/// How a live capture is set up.
public struct CaptureOptions: Hashable, Sendable {
  /// When frames are handed over.
  public enum Delivery: Hashable, Sendable {
    /// At once, for people who watch: one wake-up for each frame (TPACKET_V2).
    case immediate
    /// Together, at most 100 ms late, for recording and high rates (TPACKET_V3).
    case batched
  }

  /// When frames are handed over.
  public var delivery = Delivery.immediate
  /// The kernel's ring, in bytes.
  public var bufferSize = 2 << 20
  /// How many bytes of a frame are kept: the largest mDNS message (RFC 6762 section 17) with room for
  /// link, IP and tunnel headers.
  public var snapshotLength = 9216 + 128
  /// Also frames for other hosts.
  ///
  /// The groups do not need it, and Wi-Fi drivers dislike it.
  public var isPromiscuous = false
  /// What the kernel lets through; nil for everything.
  public var kernelFilter: LiveFilter? = LiveFilter()
  /// A pcap expression on top, matched in user space so that tags and extension headers don't hide
  /// anything from it; nil for none.
  public var expression: String?

  /// The defaults.
  public init() {}
}

/// What is known about a captured frame beside its bytes.
public struct CapturedFrame: Hashable, Sendable {
  /// Nanoseconds since 1970, by the kernel.
  public var time: Int64
  /// How long the frame was before it was cut to the snapshot length.
  public var originalLength: Int
  /// The LINKTYPE_ number that says how its bytes start.
  public var linkType: Int
  /// The kernel's number of the interface.
  public var interfaceIndex: UInt32
  /// The interface's name; with `any` that of the real one.
  public var interface: String
}

/// What happened to the frames of a capture, as Linux counts.
public struct CaptureStatistics: Hashable, Sendable {
  /// Frames that passed the kernel's filter, dropped ones included.
  public var received: UInt64 = 0
  /// Frames lost because the ring was full: the diagnosis may be incomplete.
  public var dropped: UInt64 = 0
  /// Frames that the interface or its driver lost; 0 where that cannot be known.
  public var interfaceDropped: UInt64 = 0
  /// Frames that were handed over.
  public var delivered: UInt64 = 0

  /// No frames.
  public init() {}

  /// Adds the counts of another capture.
  public static func += (left: inout Self, right: Self) {
    left.received += right.received
    left.dropped += right.dropped
    left.interfaceDropped += right.interfaceDropped
    left.delivered += right.delivered
  }
}

/// A count that the system keeps in 32 bits, carried on past its end.
struct WrappingCounter {
  private var last: UInt32 = 0
  private(set) var total: UInt64 = 0

  mutating func update(_ value: UInt32) {
    total += UInt64(value &- last)
    last = value
  }
}
