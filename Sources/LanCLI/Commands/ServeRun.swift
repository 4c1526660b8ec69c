import LanCore
import LanSystem
import LanWire

/// One run of `lantool serve`: one thread, one loop.
final class ServeRun {
  /// How long a tile that was tapped by a key stays down: a terminal does not tell of its release.
  private static let press = Duration.milliseconds(120)
  /// How long the goodbye is waited for.
  private static let patience = Duration.seconds(2)

  private let configuration: ServeConfiguration
  private var text: [[UInt8]]
  private var ledger = ServeLedger()
  private var screen: ServeScreen
  private var reactor: Reactor?
  private var server: PeerServer?
  private var publication: ServePublication?
  private var keys: TerminalKeys?
  private let start = MonotonicClock.now
  private var status = ExitStatus.success
  private var isEnding = false
  private var wasPublished = false
  private var signal = EndingSignal()
  /// What was said on standard error; it is said once.
  private var said: Set<String> = []

  init(_ configuration: ServeConfiguration, text: [[UInt8]]) {
    self.configuration = configuration
    self.text = text
    screen = ServeScreen(configuration)
  }

  /// Serves until a limit or a signal and says how it went.
  func run() -> ExitStatus {
    if let failure = check() { return failure }
    do {
      let reactor = try Reactor()
      self.reactor = reactor
      let signals = try SignalSource(signalNumbers, on: reactor) { [unowned self] in take($0) }
      BrokenPipe.endWithReader(on: reactor)
      if configuration.serves, let failure = serve(on: reactor) { return failure }
      if configuration.hasTiles { try takeKeys(on: reactor) }
      schedule(on: reactor)
      publish(on: reactor)
      screen.flush()
      try reactor.run()
      keys?.stop()
      finish()
      signals.cancel()
    } catch {
      isEnding = true
      keys?.stop()
      complain("\(error)")
      return .undetermined
    }
    if let signal = signal.number, configuration.isBounded { SignalSource.die(by: signal) }
    return screen.isWritable ? status : .undetermined
  }

  private func finish() {
    screen.makeRoom()
    let elapsed = MonotonicClock.now - start
    screen.showSummary(ledger, elapsed: elapsed)
    screen.flush()
    guard case .text = configuration.output, status == .success else { return }
    if let line = ServeText.summary(
      ledger, serves: configuration.serves, isGame: configuration.isGame)
    {
      ServeCommand.complain(line)
    }
  }

  // MARK: Beginning

  private var signalNumbers: [Int32] {
    var numbers = SignalSource.ending
    if configuration.textFile != nil { numbers.append(SignalSource.hangup) }
    if configuration.hasTiles { numbers += SignalSource.ofTerminal }
    return numbers
  }

  /// Looks whether the service can be published at all, before anything is begun.
  private func check() -> ExitStatus? {
    guard configuration.publishes else { return nil }
    do throws(ServicePublisherError) {
      try ServePublication.publisherConfiguration(configuration, port: 0, text: text).check()
      return nil
    } catch {
      complain(ServeFailure.words(error))
      return ServeFailure.status(error)
    }
  }

  /// Takes the port; a status where that fails.
  private func serve(on reactor: Reactor) -> ExitStatus? {
    let server = PeerServer(configuration.server, on: reactor)
    server.onEvent = { [unowned self] in take($0) }
    self.server = server
    do throws(SystemError) {
      try server.start()
      return nil
    } catch {
      isEnding = true
      complain(ServeFailure.words(error, port: configuration.port))
      return error.isForbidden ? .notPermitted : .undetermined
    }
  }

  private func publish(on reactor: Reactor) {
    guard configuration.publishes else { return }
    let port = server?.port ?? configuration.port
    let publication = ServePublication(configuration, port: port, text: text, on: reactor) {
      [unowned self] in take($0)
    }
    self.publication = publication
    publication.want(true)
  }

  private func schedule(on reactor: Reactor) {
    if let duration = configuration.duration {
      reactor.schedule(after: duration) { [unowned self] in end(.success) }
    }
    if let timeout = configuration.timeout {
      reactor.schedule(after: timeout) { [unowned self] in
        let hasResult = configuration.serves ? ledger.connections > 0 : wasPublished
        end(hasResult ? .success : .timedOut)
      }
    }
  }

  // MARK: The end

  /// Takes the service back, then ends connections and the run.
  private func end(_ status: ExitStatus) {
    guard !isEnding else { return }
    isEnding = true
    self.status = status
    guard let publication, let reactor else { return stop() }
    reactor.schedule(after: Self.patience) { [unowned self] in stop() }
    publication.end { [unowned self] in stop() }
  }

  private func stop() {
    server?.stop()
    screen.flush()
    reactor?.stop()
  }

  private func take(_ number: Int32) {
    if takeJobControl(number) { return }
    switch number {
    case SignalSource.hangup: return rereadText()
    case SignalSource.windowChanged:
      screen.redraw()
      return screen.flush()
    default: break
    }
    if signal.take(number) { end(.success) }
  }

  private func rereadText() {
    guard let publication, let new = ServeCommand.strings(configuration), new != text else {
      return
    }
    text = new
    publication.update(text: new)
    show(.updated(text: new))
  }

  // MARK: What comes

  private func take(_ event: PeerServerEvent) {
    ledger.take(event)
    if let shown = ServeEvent(event, mode: configuration.modeWord) { show(shown) }
    switch event {
    case .gameBegan(let peer):
      screen.setPlayer(peer)
      if !isEnding { publication?.want(false) }
    case .gameEnded:
      screen.setPlayer(nil)
      if !isEnding { publication?.want(true) }
    case .closed:
      if let count = configuration.count, ledger.closed >= count { end(.success) }
    case .cannotAccept(let error):
      complain(
        "no more connections for now: \(error.reason)"
          + (error.isDescriptorShortage ? "; raise the limit with 'ulimit -n'" : ""))
    case .listening, .connection, .tap: break
    }
    screen.flush()
    if !screen.isWritable { end(.undetermined) }
  }

  private func take(_ event: ServicePublisherEvent) {
    switch event {
    case .willPublish: return
    case .didPublish(let service):
      wasPublished = true
      show(.published(service, text: text))
    case .renamed(let from, let to, let rival): show(.renamed(from: from, to: to, rival: rival))
    case .hostRenamed(let from, let to, let rival):
      show(.hostRenamed(from: from, to: to, rival: rival))
    case .didStop: show(.withdrawn(publication?.name))
    case .diagnostic(let diagnostic): complain("\(diagnostic)")
    case .didNotPublish(let error):
      show(.notPublished(error))
      complain(ServeFailure.words(error))
      end(ServeFailure.status(error))
    }
  }

  private func show(_ event: ServeEvent) {
    screen.show(event)
    screen.flush()
  }

  private func complain(_ text: String) {
    guard said.insert(text).inserted else { return }
    screen.makeRoom()
    ServeCommand.complain(text)
    if isEnding { return }
    screen.redraw()
    screen.flush()
  }

  // MARK: Keys

  private func takeKeys(on reactor: Reactor) throws(SystemError) {
    keys = try TerminalKeys(on: reactor, hidesCursor: true) { [unowned self] in take($0) }
    screen.redraw()
  }

  private func take(_ key: TerminalKey) {
    switch key {
    case .character(let character) where "1"..."9" ~= character:
      let tile = Int(character.value) - 0x31
      guard server?.send(TapByte(tile: tile, isDown: true)) == true else { return }
      reactor?.schedule(after: Self.press) { [unowned self] in
        server?.send(TapByte(tile: tile, isDown: false))
      }
    case .character("q"), .endOfInput: end(.success)
    default: break
    }
  }
}

extension ServeRun: LiveRun {
  func leaveTerminal() {
    screen.makeRoom()
    keys?.stop()
  }

  func returnToTerminal() {
    keys?.resume()
    screen.forget()
    screen.redraw()
    screen.flush()
  }
}
