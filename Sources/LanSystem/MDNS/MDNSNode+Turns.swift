import LanCore
import LanWire

extension MDNSNode {
  // MARK: Input

  /// How many receive calls one wake-up makes before others get their turn.
  private static let rounds = 64
  /// Nanoseconds after which a batch ends although more waits: the first of two thousand services
  /// is to be seen before the last one came.
  private static let batchPatience: Int64 = 5_000_000

  /// Reads what waits at a socket.
  func receive(from socket: MDNSSocket) {
    guard isRunning, let batch else { return }
    statistics.wakeUps += 1
    var isEmpty = false
    var count = 0
    let began = batchBegan ?? MonotonicClock.now
    batchBegan = began
    for _ in 0..<Self.rounds {
      // A pending error of an earlier send; the receive clears it.
      guard let got = try? socket.socket.receive(into: batch) else { continue }
      count += got
      take(batch)
      // A queue that did not fill the batch is empty: the next call would only say so.
      isEmpty = got < batch.capacity
      if isEmpty || MonotonicClock.now - began > Self.batchPatience { break }
    }
    if count >= batch.capacity { countLosses(socket) }
    if !isEmpty { isBatchOpen = true }
    turn?.schedule(on: reactor)
  }

  private func take(_ batch: DatagramBatch) {
    let now = MonotonicClock.now
    var tooLarge = 0
    batch.forEach { bytes, info in
      if info.isTruncated { return tooLarge += 1 }
      guard links[info.interfaceIndex] != nil else { return }
      statistics.received += 1
      let arrival = MDNSArrival(
        interfaceIndex: info.interfaceIndex, source: info.source.address,
        sourcePort: info.source.port, isMulticast: info.destination.address.isMulticast,
        hopLimit: info.hopLimit)
      querier.handle(bytes, arrival, at: now)
      publishing?.handle(bytes, arrival, at: now)
    }
    guard tooLarge > 0 else { return }
    statistics.tooLarge += tooLarge
    report(.datagramsTooLarge(statistics.tooLarge))
  }

  private func countLosses(_ socket: MDNSSocket) {
    let lost = socket.takeLost()
    guard lost > 0 else { return }
    statistics.lost += lost
    report(.datagramsLost(statistics.lost))
  }

  /// All descriptors that were ready together have been read.
  func turnEnded() {
    guard isRunning else { return }
    let now = MonotonicClock.now
    querier.deadlineReached(at: now)
    publishing?.deadlineReached(at: now)
    // More may wait: the batch goes on in the next round of the loop, and ends there if not.
    if isBatchOpen, now - (batchBegan ?? now) <= Self.batchPatience {
      isBatchOpen = false
      converse(at: now)
      setTimer()
      turn?.schedule(on: reactor)
    } else {
      finishTurn(at: now)
    }
  }

  private func timerFired() {
    timer = nil
    guard isRunning else { return }
    statistics.timers += 1
    let now = MonotonicClock.now
    if let deadline = querier.nextDeadline, deadline <= now { querier.deadlineReached(at: now) }
    publishing?.deadlineReached(at: now)
    for (id, registration) in clients {
      guard clients[id] != nil, let deadline = registration.client.nextDeadline, deadline <= now
      else { continue }
      registration.client.deadlineReached(at: now)
    }
    finishTurn(at: now)
  }

  // MARK: Conversation

  /// Ends a batch for everybody, sends, and sets the timer.
  func finishTurn(at now: Int64) {
    // Called from inside a client: whoever called that one goes on.
    guard !isConversing else { return }
    (isBatchOpen, batchBegan) = (false, nil)
    converse(at: now)
    isConversing = true
    for (id, registration) in clients where clients[id] != nil {
      registration.client.batchEnded(at: now)
    }
    isConversing = false
    converse(at: now)
    setTimer()
  }

  /// How many rounds of changes and demands one conversation has at most: each is a step from a
  /// type to an instance, to a host, to its addresses, so that this is far more than any takes.
  private static let conversationLimit = 1_000

  /// Lets querier, responder and clients talk until none has anything to say, then sends.
  private func converse(at now: Int64) {
    guard !isConversing else { return }
    isConversing = true
    defer { isConversing = false }
    for _ in 0..<Self.conversationLimit where isRunning {
      let output = querier.output
      querier.output = MDNSOutput()
      packets += output.packets
      tell(output.changes, at: now)
      for diagnostic in output.diagnostics { report(.querier(diagnostic)) }
      var hasDemands = false
      for id in Array(clients.keys) { hasDemands = performDemands(of: id, at: now) || hasDemands }
      packets += publishing?.talk(at: now) ?? []
      if !hasDemands, querier.output.isEmpty, publishing?.isSilent ?? true { break }
    }
    let packets = packets
    self.packets = []
    for packet in packets where isRunning { sockets?.send(packet) }
    statistics.sent = sockets?.sent ?? statistics.sent
    publishing?.packetsLeft(isDrained: sockets?.isDrained ?? true)
  }

  private func tell(_ changes: [MDNSChange], at now: Int64) {
    guard !changes.isEmpty else { return }
    for (id, registration) in clients {
      for change in changes where clients[id] != nil { registration.client.handle(change, at: now) }
    }
  }

  private func performDemands(of id: ObjectIdentifier, at now: Int64) -> Bool {
    guard let client = clients[id]?.client else { return false }
    let demands = client.takeDemands()
    for demand in demands {
      guard isRunning, clients[id] != nil else { break }
      switch demand {
      case .start(let question, let effort):
        clients[id]?.questions[question, default: 0] += 1
        start(question, effort, for: client, at: now)
      case .stop(let question):
        guard let count = clients[id]?.questions[question] else { continue }
        clients[id]?.questions[question] = count > 1 ? count - 1 : nil
        querier.stop(question, at: now)
      case .reconfirm(let name, let type, let data, let index):
        querier.reconfirm(name, type, data: data, interfaceIndex: index, at: now)
      }
    }
    return !demands.isEmpty
  }

  /// Begins a question; what the cache knows of it is news to this client alone.
  private func start(
    _ question: MDNSQuestion, _ effort: MDNSEffort, for client: any MDNSClient, at now: Int64
  ) {
    let first = querier.output.changes.count
    querier.start(question, effort, at: now)
    guard querier.output.changes.count > first else { return }
    let known = querier.output.changes[first...]
    querier.output.changes.removeSubrange(first...)
    for change in known {
      if case .added = change {
        client.handle(change, at: now)
      } else {
        querier.output.changes.append(change)
      }
    }
  }

  // MARK: Time

  /// One timer for the earliest deadline of all.
  private func setTimer() {
    guard isRunning else { return }
    var deadline = querier.nextDeadline
    if let next = publishing?.nextDeadline { deadline = min(deadline ?? next, next) }
    for registration in clients.values {
      guard let next = registration.client.nextDeadline else { continue }
      deadline = min(deadline ?? next, next)
    }
    if deadline == timer?.deadline { return }
    if let timer { reactor.cancel(timer.token) }
    timer = nil
    guard let deadline, deadline < .max else { return }
    let token = reactor.schedule(at: deadline) { [weak self] in self?.timerFired() }
    timer = (token, deadline)
  }

  // MARK: Diagnostics

  func report(_ diagnostic: MDNSNodeDiagnostic) {
    onDiagnostic?(diagnostic)
    for registration in clients.values { registration.client.nodeDidReport(diagnostic) }
  }
}
