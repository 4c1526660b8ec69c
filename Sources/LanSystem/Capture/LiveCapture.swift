/// Captures frames on one or more interfaces, on a reactor.
///
/// Make it, `add` the interfaces, and run the reactor. The handler is called on the loop with each
/// frame, whose bytes are lent for that call.
public final class LiveCapture {
  /// Called with each frame.
  public typealias Handler = (Span<UInt8>, CapturedFrame) -> Void

  /// Called when an interface's capture ended by itself; look at `interfaceCount` for what is left.
  public var onEnd: (CaptureError) -> Void = { _ in }
  /// What the system could not do as asked, such as promiscuous mode; no reason to stop.
  public private(set) var warnings: [String] = []
  /// How many interfaces are still captured on.
  public var interfaceCount: Int { sources.count }

  private final class Source {
    let handle: CaptureHandle
    var watch: WatchToken?
    var recheck: TimerToken?
    init(_ handle: CaptureHandle) { self.handle = handle }
  }
  private let options: CaptureOptions
  private let reactor: Reactor
  private let handler: Handler
  private var sources: [Source] = []
  private var ended = CaptureStatistics()

  /// A capture on no interface yet.
  ///
  /// - Parameters:
  ///   - options: How each interface is opened.
  ///   - reactor: The loop that the handler is called on.
  ///   - handler: Called with each frame.
  public init(
    options: CaptureOptions = CaptureOptions(), on reactor: Reactor, _ handler: @escaping Handler
  ) {
    self.options = options
    self.reactor = reactor
    self.handler = handler
  }

  deinit { stop() }

  /// Starts to capture on `interface`, or on all of them with `any`.
  ///
  /// - Throws: `CaptureError`, with what to do about it.
  public func add(_ interface: String) throws(CaptureError) {
    let source = Source(try CaptureHandle(interface, options, handler))
    do throws(SystemError) {
      source.watch = try reactor.watch(source.handle.descriptor) { [weak self, weak source] ready in
        guard let self, let source else { return }
        self.read(source, ready)
      }
    } catch {
      throw .failed(interface: interface, detail: error.description)
    }
    warnings += source.handle.warnings
    sources.append(source)
  }

  /// Ends all captures at once; also from inside the handler.
  ///
  /// The statistics stay.
  public func stop() {
    for source in sources { remove(source) }
    sources = []
  }

  /// The counts of all interfaces, ended ones included.
  public var statistics: CaptureStatistics {
    var sum = ended
    for source in sources { sum += source.handle.statistics() }
    return sum
  }

  private func read(_ source: Source, _ readiness: Readiness) {
    do throws(CaptureError) {
      try source.handle.read()
    } catch {
      return end(
        source, isGone(source) ? .interfaceGone(interface: source.handle.interface) : error)
    }
    if readiness.contains(.error), !source.handle.isStopped { checkLink(source) }
  }

  /// An interface that goes away reports "down" first and then may say nothing more, so while it is
  /// down it is looked at again four times a second.
  private func checkLink(_ source: Source) {
    source.recheck.map { _ = reactor.cancel($0) }
    source.recheck = nil
    let index = source.handle.index
    // One look decides: the list waits for a removal under way, so what was there before may be gone
    // from it.
    guard index != 0, let list = try? InterfaceList.all() else { return }
    guard let link = list.first(where: { $0.index == index }) else {
      return end(source, .interfaceGone(interface: source.handle.interface))
    }
    guard !link.isUp else { return }
    source.recheck = reactor.schedule(after: .milliseconds(250)) { [weak self, weak source] in
      guard let self, let source else { return }
      self.checkLink(source)
    }
  }

  private func isGone(_ source: Source) -> Bool {
    source.handle.index != 0 && InterfaceList.name(of: source.handle.index) == nil
  }

  private func end(_ source: Source, _ error: CaptureError) {
    remove(source)
    sources.removeAll { $0 === source }
    onEnd(error)
  }

  private func remove(_ source: Source) {
    ended += source.handle.statistics()
    source.handle.stop()
    source.watch.map { reactor.unwatch($0) }
    source.recheck.map { _ = reactor.cancel($0) }
    source.watch = nil
    source.recheck = nil
  }
}
