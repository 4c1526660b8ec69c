import LanCore
import LanSystem
import LanWire

/// Reads a capture file stretch by stretch and finds its messages; one thread at a time.
struct SniffFileReader {
  /// Enough frames for threads to work side by side, little enough for the cache.
  private static let stretch = 1 << 17

  private let configuration: SniffConfiguration
  /// What has been found so far.
  private(set) var analyzer: SniffAnalyzer
  /// Why reading ended before the end of the file.
  private(set) var failure: String?
  /// True when the expression of `--filter` cannot be used.
  private(set) var filterRefused = false
  /// True when `--timeout` ended the run.
  private(set) var isTimedOut = false
  private var parser = CaptureFileParser()
  private var input: CaptureFileInput?
  private var carry: [UInt8] = []
  private var filters: [LinkType: FilterProgram] = [:]
  private var firstTime: Int64?
  private var deadline: Int64?
  private var isFinished = false

  init(_ configuration: SniffConfiguration) {
    self.configuration = configuration
    analyzer = SniffAnalyzer(configuration.options)
    if let timeout = configuration.timeout {
      deadline = MonotonicClock.now + timeout.wholeNanoseconds
    }
  }

  mutating func open() throws(FileError) {
    input = try CaptureFileInput(
      configuration.file ?? "-", isInterruptible: configuration.file == "-")
  }

  /// The signal that ended standard input before its end; nil for none.
  var interruption: Int32? { input?.interruption }

  /// Frames of the file so far, counted as Wireshark counts them.
  var frames: Int { parser.frames }

  /// Frames lost at the time of the capture, as far as the file tells.
  var dropped: UInt64 {
    parser.interfaces.reduce(0) {
      let (sum, overflow) = $0.addingReportingOverflow(
        max($1.dropped ?? 0, $1.droppedBetweenPackets))
      return overflow ? .max : sum
    }
  }

  /// Name of an interface of the file.
  func interfaceName(_ index: Int) -> String? {
    parser.interfaces.indices.contains(index) ? parser.interfaces[index].name : nil
  }

  /// True when nothing could be read because of how the frames begin.
  var hasOnlyForeignLinks: Bool {
    analyzer.frames > 0 && analyzer.unsupported.values.reduce(0, +) == analyzer.frames
  }

  /// Says which link types are not decoded, so that their frames are not missed in silence.
  func complainOfLinkTypes() {
    let name = input?.name ?? "the file"
    Self.complain(ofLinkTypes: analyzer.unsupported, in: name, by: SniffCommand.complain)
  }

  /// Says which link types are not decoded, with the numbers of their frames.
  static func complain(
    ofLinkTypes unsupported: [LinkType: Int], in name: String, by complain: (String) -> Void
  ) {
    for (linkType, count) in unsupported.sorted(by: { $0.value > $1.value }) {
      complain(
        "\(name): \(count) frame\(count == 1 ? "" : "s") of link type "
          + "\(linkType) cannot be decoded; capture on an interface with Ethernet or IP framing")
    }
  }

  /// Reads the next stretch into `bytes` and its messages into `batch`; false at the end.
  mutating func fill(_ bytes: inout [UInt8], _ batch: inout SniffBatch) -> Bool {
    batch.removeAll()
    if isFinished { return false }
    var end = carry.count
    if bytes.count < max(Self.stretch, end) {
      bytes = Array(repeating: 0, count: max(Self.stretch, end))
    }
    for index in carry.indices { bytes[index] = carry[index] }
    carry.removeAll(keepingCapacity: true)
    while !isFinished {
      let count = read(&bytes, at: end)
      end += count
      var offset = 0
      let minimum = parse(bytes.span.extracting(0..<end), &offset, isEnd: count == 0, &batch)
      let rest = end - offset
      if isFinished || offset > 0 {
        carry.append(contentsOf: bytes[offset..<end])
        return true
      }
      // Not even one record yet: make room for it.
      if bytes.count < max(minimum, rest + 1) {
        bytes.append(contentsOf: repeatElement(0, count: max(minimum, rest * 2) - bytes.count + 1))
      }
    }
    return true
  }

  private mutating func read(_ bytes: inout [UInt8], at offset: Int) -> Int {
    guard let input else { return 0 }
    if let deadline, MonotonicClock.now >= deadline {
      isTimedOut = true
      isFinished = true
      return 0
    }
    do throws(FileError) {
      return try input.read(into: &bytes, at: offset, until: deadline)
    } catch {
      failure = "cannot read \(error)"
      isFinished = true
      return 0
    }
  }

  /// Takes whole records from `bytes`; gives how many bytes the next one needs at least.
  private mutating func parse(
    _ bytes: Span<UInt8>, _ offset: inout Int, isEnd: Bool, _ batch: inout SniffBatch
  ) -> Int {
    do throws(CaptureFileError) {
      while !isFinished {
        switch try parser.next(bytes, at: &offset, isEnd: isEnd) {
        case .packet(let packet): take(packet, bytes, &batch)
        case .needMore(let minimum):
          if isEnd { isFinished = true }
          return minimum
        case .end: isFinished = true
        }
      }
    } catch {
      isFinished = true
      // Whoever interrupts a pipe does not ask for its last record.
      if interruption == nil, !isTimedOut { failure = "\(input?.name ?? "input"): \(error)" }
    }
    return 0
  }

  private mutating func take(
    _ packet: CapturedPacket, _ bytes: Span<UInt8>, _ batch: inout SniffBatch
  ) {
    let frame = SniffedFrame(
      bytes: packet.bytes, number: packet.frame, time: packet.time, interface: packet.interface,
      linkType: packet.linkType, originalLength: packet.originalLength,
      fcsLength: packet.fcsLength)
    if let duration = configuration.duration, let time = packet.time {
      let first = firstTime ?? time.nanoseconds
      firstTime = first
      if time.nanoseconds - first > duration.wholeNanoseconds {
        isFinished = true
        return
      }
    }
    if !configuration.live.interfaces.isEmpty, !isOnWantedInterface(packet.interface) { return }
    if configuration.live.expression != nil, !passesFilter(frame, bytes) { return }
    analyzer.handle(bytes, frame, into: &batch)
    if analyzer.isFinished { isFinished = true }
  }

  private func isOnWantedInterface(_ index: Int) -> Bool {
    guard let name = interfaceName(index) else { return false }
    return configuration.live.interfaces.contains(name)
  }

  private mutating func passesFilter(_ frame: SniffedFrame, _ bytes: Span<UInt8>) -> Bool {
    guard let expression = configuration.live.expression else { return true }
    do throws(CaptureError) {
      let program: FilterProgram
      if let known = filters[frame.linkType] {
        program = known
      } else {
        program = try FilterProgram(expression, linkType: Int(frame.linkType.rawValue))
        filters[frame.linkType] = program
      }
      return program.matches(
        bytes.extracting(frame.bytes), originalLength: frame.originalLength)
    } catch {
      SniffCommand.complain("\(error)")
      filterRefused = true
      isFinished = true
      return false
    }
  }
}
