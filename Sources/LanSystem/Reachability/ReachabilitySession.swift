import LanCore
import LanWire

/// One run of a `ReachabilityMonitor`, from its start to its stop.
final class ReachabilitySession {
  let configuration: ReachabilityMonitor.Configuration
  let driver: ReachabilityDriver
  let reactor: Reactor
  private let emit: (ReachabilityEvent) -> Void
  private let recorder: NetlinkRecorder?
  private let resolver: NameResolver
  private var sources: [NetlinkEventSource] = []
  private var timer: (token: TimerToken, deadline: Int64)?
  private var isStopped = false

  init(
    _ configuration: ReachabilityMonitor.Configuration, _ reactor: Reactor,
    _ emit: @escaping (ReachabilityEvent) -> Void
  ) throws(ReachabilityError) {
    self.configuration = configuration
    self.reactor = reactor
    self.emit = emit
    recorder = try Self.recorder(configuration)
    resolver = NameResolver(reactor)
    do throws(NetlinkError) {
      driver = ReachabilityDriver(
        configuration.machine(at: MonotonicClock.now), try NetlinkSocket(recorder: recorder))
    } catch {
      throw .netlink(error)
    }
  }

  private static func recorder(
    _ configuration: ReachabilityMonitor.Configuration
  ) throws(ReachabilityError) -> NetlinkRecorder? {
    guard let path = configuration.recording else { return nil }
    do throws(FileError) {
      let recorder = try NetlinkRecorder(path, application: configuration.application)
      for setting in configuration.recordedSettings {
        recorder.note(NetlinkNote(.setting, setting.name, setting.value))
      }
      return recorder
    } catch {
      throw .recording(error)
    }
  }

  func start() throws(ReachabilityError) {
    driver.onDemand = { [weak self] in self?.perform($0) }
    do throws(NetlinkError) {
      // Events first: what changes while the state is read waits in the queue.
      try listen(NetlinkGroup.facts, linger: .zero)
      try listen(NetlinkGroup.routes, linger: .milliseconds(50))
      try listen([.neighbours], linger: .milliseconds(50))
      try driver.start()
    } catch {
      stop()
      throw .netlink(error)
    }
    run()
  }

  func stop() {
    isStopped = true
    for source in sources { source.stop() }
    sources = []
    if let timer { reactor.cancel(timer.token) }
    timer = nil
    resolver.stop()
  }

  func closeRecording() throws(FileError) { try recorder?.close() }

  func refresh() {
    driver.machine.refresh(at: MonotonicClock.now)
    run()
  }

  // MARK: Events

  private func listen(_ groups: [NetlinkGroup], linger: Duration) throws(NetlinkError) {
    let source = try NetlinkEventSource(
      groups: groups, receiveBuffer: configuration.receiveBuffer, recorder: recorder)
    try source.start(on: reactor, linger: linger) { [weak self] message, bytes in
      self?.take(message, bytes)
    } onBatch: { [weak self] batch in
      self?.end(batch)
    }
    sources.append(source)
    if !source.missing.isEmpty { tell(.diagnostic(.groupsMissing(source.missing))) }
  }

  private func take(_ message: NetlinkMessage, _ bytes: Span<UInt8>) {
    do throws(WireError) {
      let event = try RouteNetlinkEvent(message, in: bytes)
      driver.machine.handle(
        KernelMessage(event, flags: message.header.flags), at: MonotonicClock.now)
    } catch {
      tell(.diagnostic(.malformedMessage))
    }
  }

  private func end(_ batch: NetlinkEventSource.Batch) {
    if batch.isMalformed { tell(.diagnostic(.malformedMessage)) }
    if batch.isOverrun { driver.machine.overrun(at: MonotonicClock.now) }
    run()
  }

  // MARK: The machine

  /// Does what is due, and sets the timer for what will be.
  private func run() {
    guard !isStopped else { return }
    driver.run()
    guard !isStopped else { return }
    setTimer()
  }

  private func setTimer() {
    let deadline = driver.machine.nextDeadline
    if deadline == timer?.deadline { return }
    if let timer { reactor.cancel(timer.token) }
    timer = nil
    guard let deadline, deadline < .max else { return }
    let token = reactor.schedule(at: deadline) { [weak self] in
      self?.timer = nil
      self?.run()
    }
    timer = (token, deadline)
  }

  private func perform(_ demand: ReachabilityDriver.Demand) {
    switch demand {
    case .tell(let content): tell(content)
    case .resolve(let name): resolve(name)
    }
  }

  private func resolve(_ name: String) {
    resolver.resolve(name) { [weak self] resolution in
      guard let self, !isStopped else { return }
      driver.machine.resolved(name, resolution, at: MonotonicClock.now)
      run()
    }
  }

  private func tell(_ content: ReachabilityEvent.Content) {
    guard !isStopped else { return }
    emit(
      ReachabilityEvent(time: MonotonicClock.now, wallTime: WallClock.now, content: content))
  }
}
