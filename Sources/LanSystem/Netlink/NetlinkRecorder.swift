public import LanWire

/// Writes what goes over netlink, and the facts beside it, to a pcapng file that other tools open.
///
/// Every frame is written at once, so that a recording that is cut off is still one. Should the
/// medium fail, the recording ends there and `failure` says why; what is recorded goes on.
public final class NetlinkRecorder {
  /// What ended the recording early; nil while all is well.
  public private(set) var failure: FileError?
  private let output: CaptureFileOutput
  private let writer: PcapngWriter
  private var frame: [UInt8] = []
  private var block: [UInt8] = []

  /// Creates `path` (an old file is emptied); `-` is standard output.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - application: The name and version of the writing program, for the file's header.
  /// - Throws: `FileError` where the file cannot be made or written.
  public init(_ path: String, application: String) throws(FileError) {
    var start: [UInt8] = []
    var writer = PcapngWriter()
    writer.appendSection(application: application, to: &start)
    _ = writer.appendInterface(
      linkType: .netlink, snapLength: 262_144, name: "netlink", to: &start)
    self.writer = writer
    output = try CaptureFileOutput(path, flushing: .eachPacket) { start }
  }

  /// Writes one datagram.
  ///
  /// - Parameters:
  ///   - messages: The datagram.
  ///   - netlinkProtocol: The protocol of the socket.
  ///   - isToKernel: Which way it went.
  ///   - time: Nanoseconds since 1970.
  public func record(
    _ messages: Span<UInt8>, _ netlinkProtocol: NetlinkProtocol, isToKernel: Bool,
    time: Int64 = WallClock.now
  ) {
    write(messages, netlinkProtocol, isToKernel: isToKernel, time: time, comment: nil)
  }

  /// Writes a fact or a verdict.
  ///
  /// - Parameters:
  ///   - note: What it says.
  ///   - time: Nanoseconds since 1970.
  public func note(_ note: NetlinkNote, time: Int64 = WallClock.now) {
    var message: [UInt8] = []
    NetlinkHeader(length: 16, type: .noop, flags: [], sequence: 0, port: 0).append(to: &message)
    write(message.span, .route, isToKernel: false, time: time, comment: note.comment)
  }

  private func write(
    _ messages: Span<UInt8>, _ netlinkProtocol: NetlinkProtocol, isToKernel: Bool, time: Int64,
    comment: String?
  ) {
    guard failure == nil else { return }
    frame.removeAll(keepingCapacity: true)
    block.removeAll(keepingCapacity: true)
    NetlinkFrame.append(messages, netlinkProtocol, isToKernel: isToKernel, to: &frame)
    writer.appendPacket(
      frame.span, interface: 0, time: CaptureTime(nanoseconds: time, fractionDigits: 9),
      originalLength: frame.count, direction: isToKernel ? .outbound : .inbound,
      comment: comment, to: &block)
    let bytes = block
    do throws(FileError) { try output.write(bytes.span) } catch { failure = error }
  }

  /// Ends the recording.
  ///
  /// - Throws: What kept the last bytes from being written, or ended it early.
  public func close() throws(FileError) {
    try output.close()
    if let failure { throw failure }
  }
}
