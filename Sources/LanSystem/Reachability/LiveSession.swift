import LanCore
import LanWire

/// One run of a `ReachabilityMonitor` over the running kernel, from its start to its stop.
final class LiveSession: ReachabilitySession {
  let driver: ReachabilityDriver
  private let reactor: Reactor
  private let emit: (ReachabilityEvent) -> Void
  private let recorder: NetlinkRecorder?
  private let resolver: NameResolver
  private let sideFacts: SideFacts
  private var feed: EventFeed?
  private var losses: LossGate?
  private var probes: ProbeRunner?
  private var timer: (token: TimerToken, deadline: Int64)?
  private var isStopped = false
  private var forged = 0
  private let receiveBuffer: Int

  init(
    _ configuration: ReachabilityMonitor.Configuration, _ reactor: Reactor,
    _ emit: @escaping (ReachabilityEvent) -> Void
  ) throws(ReachabilityError) {
    self.reactor = reactor
    self.emit = emit
    receiveBuffer = configuration.receiveBuffer
    recorder = try Self.recorder(configuration)
    resolver = NameResolver(reactor)
    sideFacts = SideFacts(configuration, recorder)
    do throws(NetlinkError) {
      driver = ReachabilityDriver(
        configuration.machine(at: MonotonicClock.now), try NetlinkSocket(recorder: recorder))
    } catch {
      throw .netlink(error)
    }
    guard let probe = configuration.probe else { return }
    probes = ProbeRunner(
      probe, timeout: configuration.probeTimeout, reactor: reactor, resolver: resolver,
      transport: driver.transport
    ) { [weak self] in self?.tell(.verification($0)) }
  }

  static func recorder(
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
    driver.inspect = { [weak self] in self?.sideFacts.inspect($0) ?? [] }
    let feed = EventFeed(reactor, receiveBuffer: receiveBuffer, recorder: recorder) {
      [weak self] message, bytes in
      self?.take(message, bytes)
    } onBatch: { [weak self] batch in
      self?.end(batch)
    } onLoss: { [weak self] loss in
      self?.recorder?.note(RecordedFacts.note(loss))
      self?.losses?.add(loss)
    }
    self.feed = feed
    losses = LossGate(reactor) { [weak self] in self?.lost($0, count: $1) }
    do throws(NetlinkError) {
      // Events first: what changes while the state is read waits in the queue.
      let watched = driver.machine.destinations
      _ = try feed.listen(to: watched) { watched }
      try driver.start()
    } catch {
      stop()
      throw .netlink(error)
    }
    listenAside()
    recorder?.note(RecordedFacts.beginning)
    if !feed.missing.isEmpty { tell(.diagnostic(.groupsMissing(feed.missing))) }
    run()
  }

  private func listenAside() {
    for message in sideFacts.radios() { driver.machine.handle(message, at: MonotonicClock.now) }
    sideFacts.listen(on: reactor) { [weak self] in
      self?.driver.machine.facts.links.all ?? []
    } _: { [weak self] messages in
      guard let self, !isStopped else { return }
      for message in messages { driver.machine.handle(message, at: MonotonicClock.now) }
      run()
    }
  }

  func stop() {
    isStopped = true
    feed?.stop()
    losses?.stop()
    sideFacts.stop()
    probes?.stop()
    resolver.stop()
    if let timer { reactor.cancel(timer.token) }
    timer = nil
  }

  func closeRecording() throws(FileError) { try recorder?.close() }

  func refresh() {
    driver.machine.refresh(at: MonotonicClock.now)
    run()
    probes?.repeatAll()
  }

  // MARK: Events

  private func take(_ message: NetlinkMessage, _ bytes: Span<UInt8>) {
    let now = MonotonicClock.now
    do throws(WireError) {
      let type = message.header.type
      // Of most routes only the destination matters; there may be very many.
      if type == .newRoute || type == .deleteRoute,
        !driver.machine.routeTouched(try RoutePrefix(message, in: bytes), at: now)
      {
        return
      }
      let event = try RouteNetlinkEvent(message, in: bytes)
      driver.machine.handle(KernelMessage(event, flags: message.header.flags), at: now)
    } catch {
      tell(.diagnostic(.malformedMessage))
    }
  }

  private func end(_ batch: NetlinkEventSource.Batch) {
    if batch.isMalformed { tell(.diagnostic(.malformedMessage)) }
    if batch.isOverrun { driver.machine.overrun(at: MonotonicClock.now) }
    if let count = feed?.forged, count > forged {
      forged = count
      tell(.diagnostic(.forgedMessages(count)))
    }
    run()
  }

  private func lost(_ losses: Set<ReachabilityMachine.Loss>, count: Int) {
    driver.machine.lost(losses, at: MonotonicClock.now)
    tell(.resync(overruns: count))
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
    resolver.resolve(name) { [weak self] answer in
      guard let self, !isStopped else { return }
      let answer = answer.inOrder(of: driver.machine.facts.names[name])
      if let note = RecordedFacts.note(name, answer) { recorder?.note(note) }
      driver.machine.resolved(name, answer, at: MonotonicClock.now)
      if case .addresses(let addresses) = answer { listen(to: addresses) }
      run()
    }
  }

  /// Hears of the routes to new addresses, before these are looked up.
  private func listen(to addresses: [IPAddress]) {
    do throws(NetlinkError) {
      let isStale = try feed?.listen(to: addresses) { driver.machine.destinations }
      if isStale == true { driver.resynchronise() }
    } catch {
      tell(.diagnostic(.kernelNotAsked(error)))
    }
  }

  private func tell(_ content: ReachabilityEvent.Content) {
    guard !isStopped else { return }
    if case .report(let report) = content { recorder?.note(RecordedFacts.note(report)) }
    emit(
      ReachabilityEvent(time: MonotonicClock.now, wallTime: WallClock.now, content: content))
    if case .report(let report) = content, !isStopped { probes?.submit(report) }
  }
}

extension NameResolution {
  /// The same addresses in the order in which they were known, so that a resolver that deals them
  /// out in turn makes no change.
  func inOrder(of known: NameResolution?) -> NameResolution {
    guard case .addresses(let new) = self, case .addresses(let old)? = known,
      Set(new) == Set(old)
    else { return self }
    return .addresses(old)
  }
}
