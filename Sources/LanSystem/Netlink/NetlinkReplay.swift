public import LanWire

/// A recording of netlink that answers as the kernel did then, and gives the events in order.
///
/// The owner takes one item after the other and moves its clock to the item's time. What it asks in
/// between is answered from the place in the recording that the last item stands at: by the next
/// answer to the same request that was not used yet and came before the next event, else by the last
/// one known. So a program that asks more often, or less, than the recorded one still gets what was
/// true at that time.
public final class NetlinkReplay {
  /// One item of a recording.
  public enum Item: Hashable, Sendable {
    /// The kernel told of changes: the messages, to be read with `NetlinkMessages`.
    case events(NetlinkProtocol, [UInt8])
    /// A fact beside netlink, a verdict, or an overrun.
    case note(NetlinkNote)
    /// The recorded program asked the kernel: a good place to ask as well.
    case asked
  }

  /// Items that are left.
  public var remaining: Int { items.count - next }
  /// When the next item came, in nanoseconds since 1970; nil at the end.
  public var nextTime: Int64? { next < items.count ? items[next].time : nil }

  struct Entry {
    var time: Int64
    var item: Item
  }
  /// An answer: one or more messages, each in bytes of its own.
  struct Answer {
    /// The item that it belongs to.
    var place: Int
    var messages: [[UInt8]]
    var isUsed = false
  }
  var items: [Entry] = []
  var answers: [[UInt8]: [Answer]] = [:]
  private var next = 0

  /// Reads the recording at `path`; `-` is standard input.
  ///
  /// Frames of other link types, and netlink messages that cannot be read, are skipped.
  ///
  /// - Throws: `NetlinkReplayError` where the file cannot be read, is broken, or holds no netlink.
  public convenience init(_ path: String) throws(NetlinkReplayError) {
    var bytes: [UInt8] = []
    do throws(FileError) {
      let input = try CaptureFileInput(path)
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = try input.read(into: &chunk)
        guard count > 0 else { break }
        bytes.append(contentsOf: chunk[..<count])
      }
    } catch {
      throw .file(error)
    }
    try self.init(bytes)
  }

  /// Reads a recording that is in memory already.
  ///
  /// - Throws: `NetlinkReplayError.capture` where it is no capture or a damaged one, `.empty`
  ///   where it holds no netlink.
  public init(_ bytes: [UInt8]) throws(NetlinkReplayError) {
    var loader = NetlinkReplayLoader()
    do throws(CaptureFileError) {
      try loader.load(bytes)
    } catch {
      // A recording that was cut off, as by a crash, is good up to there.
      guard case .endsInsideRecord = error.reason else { throw .capture(error) }
    }
    guard loader.hasFrames else { throw .empty }
    items = loader.items
    answers = loader.answers
  }

  /// Takes the next item with its time; nil at the end.
  public func advance() -> (time: Int64, item: Item)? {
    guard next < items.count else { return nil }
    defer { next += 1 }
    return (items[next].time, items[next].item)
  }

  /// The answer to a request, given as its bytes with sequence and port 0.
  private func answer(_ request: [UInt8]) -> [[UInt8]]? {
    guard let known = answers[request], !known.isEmpty else { return nil }
    let here = max(next - 1, 0)
    let behind = items[next...].firstIndex { if case .events = $0.item { true } else { false } }
    let end = behind ?? items.count
    let fresh = known.firstIndex { !$0.isUsed && $0.place >= here && $0.place < end }
    let index = fresh ?? known.lastIndex { $0.place < end } ?? 0
    answers[request]?[index].isUsed = true
    return known[index].messages
  }
}

/// Why a recording cannot be replayed.
public enum NetlinkReplayError: Error, Hashable, Sendable {
  /// The file cannot be read.
  case file(FileError)
  /// It is no capture, or a damaged one.
  case capture(CaptureFileError)
  /// It has no netlink frames.
  case empty
}

extension NetlinkReplayError: CustomStringConvertible {
  /// What is wrong, in one line.
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .capture(let error): "\(error)"
    case .empty: "there are no netlink messages in it"
    }
  }
}

extension NetlinkReplay: NetlinkTransport {
  /// Gives the recorded answer; see `NetlinkTransport`.
  ///
  /// - Throws: `NetlinkError` as the kernel refused it then, or where nothing was recorded.
  public func ask(
    _ request: NetlinkRequest, _ body: (NetlinkMessage, Span<UInt8>) -> Void
  ) throws(NetlinkError) {
    _ = try dump(request, restarted: {}, body)
  }

  /// Gives the recorded answers, attempt by attempt; see `NetlinkTransport`.
  ///
  /// - Throws: `NetlinkError` as the kernel refused it then, or where nothing was recorded.
  public func dump(
    _ request: NetlinkRequest, restarted: () -> Void,
    _ body: (NetlinkMessage, Span<UInt8>) -> Void
  ) throws(NetlinkError) -> Bool {
    var bytes: [UInt8] = []
    request.append(to: &bytes, sequence: 0)
    for attempt in 0..<NetlinkSocket.attempts {
      if attempt > 0 { restarted() }
      guard let replies = answer(bytes) else { throw .notRecorded(request.type) }
      if try lend(replies, body) { return true }
    }
    return false
  }

  /// Lends the messages of one attempt; false where that was in vain.
  private func lend(
    _ replies: [[UInt8]], _ body: (NetlinkMessage, Span<UInt8>) -> Void
  ) throws(NetlinkError) -> Bool {
    var isConsistent = true
    for reply in replies {
      guard let message = Self.message(reply) else { continue }
      if message.isInterrupted { isConsistent = false }
      guard message.header.type == .error || message.header.type == .done else {
        body(message, reply.span)
        continue
      }
      let end: NetlinkErrorMessage
      do throws(WireError) {
        end = try NetlinkErrorMessage(message, in: reply.span)
      } catch {
        throw .malformed(error)
      }
      // EINTR and EBUSY: this attempt was in vain.
      if end.errno == 4 || end.errno == 16 {
        isConsistent = false
      } else if end.errno != 0 {
        throw .refused(end)
      }
    }
    return isConsistent
  }

  /// Gives the recorded answers; see `NetlinkTransport`.
  ///
  /// - Throws: `NetlinkError` where nothing was recorded.
  public func lookUp(
    _ lookups: [RouteLookup], _ body: (Int, RouteAnswer) -> Void
  ) throws(NetlinkError) {
    var bytes: [UInt8] = []
    for (index, lookup) in lookups.enumerated() {
      bytes.removeAll(keepingCapacity: true)
      lookup.append(to: &bytes, sequence: 0)
      guard let reply = answer(bytes)?.first, let message = Self.message(reply)
      else { throw .notRecorded(.getRoute) }
      body(index, RouteAnswer(message, in: reply.span))
    }
  }

  private static func message(_ bytes: [UInt8]) -> NetlinkMessage? {
    var messages = NetlinkMessages(bytes.span)
    return (try? messages.next(bytes.span)) ?? nil
  }
}
