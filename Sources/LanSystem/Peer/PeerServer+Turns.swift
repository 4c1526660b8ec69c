import CLan
import Glibc
import LanCore

/// What is done with bytes that have come, and how connections end.
extension PeerServer {
  /// Does what there is to do at a connection.
  func serve(_ index: Int) {
    guard let connection = connections[index] else { return }
    if connection.isBlocked, !sendRest(index, connection) { return }
    let limit = configuration.byteLimit.map { max($0 - connection.bytesIn, 0) } ?? .max
    var turn = lan_peer_turn()
    switch configuration.mode {
    case .echo:
      unsafe lan_peer_echo(
        connection.descriptor, buffer.bytes, buffer.capacity, limit, connection.isCareful ? 1 : 0,
        &turn)
      if turn.rest > 0 { rests[index] = (0..<turn.rest).map { unsafe buffer.bytes[$0] } }
    case .tap:
      let size = min(buffer.capacity, limit)
      unsafe lan_peer_receive(connection.descriptor, buffer.bytes, size, &turn)
    case .discard, .connect: unsafe lan_peer_discard(connection.descriptor, limit, &turn)
    }
    count(turn, index)
    if isGame { play(turn.bytes, connection.peer, index) }
    if isOver(turn, index, connection) { return }
    if turn.bytes >= limit, turn.rest == 0 {
      close(index, .byteLimit)
    } else if (turn.blocked != 0) != connection.isBlocked {
      setBlocked(index, turn.blocked != 0)
    }
  }

  /// Ends a connection that has come to its end.
  private func isOver(
    _ turn: lan_peer_turn, _ index: Int, _ connection: PeerConnection
  ) -> Bool {
    if turn.error != 0 {
      let subject = "\(connection.peer)"
      close(index, .system(SystemError(call: "read", errno: turn.error, subject: subject)))
    } else if turn.ended != 0 {
      close(index, .endOfStream)
    } else {
      return false
    }
    return true
  }

  /// Sends what was left over; false while there is more of it, or the connection has ended.
  private func sendRest(_ index: Int, _ connection: PeerConnection) -> Bool {
    guard let rest = rests[index] else { return true }
    var turn = lan_peer_turn()
    unsafe rest.withUnsafeBufferPointer { bytes in
      unsafe lan_peer_send_rest(connection.descriptor, bytes.baseAddress, bytes.count, &turn)
    }
    count(turn, index)
    rests[index] = turn.rest > 0 ? Array(rest.suffix(turn.rest)) : nil
    return !isOver(turn, index, connection) && turn.rest == 0
  }

  private func count(_ turn: lan_peer_turn, _ index: Int) {
    guard turn.bytes > 0 || turn.sent > 0 else { return }
    let (active, sent) = (idleSweep.round, stallSweep.round)
    connections.update(index) { connection in
      connection.bytesIn &+= turn.bytes
      connection.bytesOut &+= turn.sent
      connection.activeRound = active
      connection.sentRound = sent
    }
  }

  /// Waits until the peer has read some of what it gets, or for more of it.
  private func setBlocked(_ index: Int, _ isBlocked: Bool) {
    let round = stallSweep.round
    connections.update(index) { connection in
      connection.isBlocked = isBlocked
      connection.isCareful = connection.isCareful || isBlocked
      connection.sentRound = round
    }
    blockedCount += isBlocked ? 1 : -1
    if isBlocked, stallSweep.timer == nil { scheduleStallSweep() }
    guard let watch = connections[index]?.watch else { return }
    // The end of the stream is not waited for meanwhile: it would be told without pause.
    try? reactor.change(watch, to: isBlocked ? .writable : .readable)
  }

  // MARK: Limits of time

  func scheduleIdleSweep() {
    guard let period = idleSweep.period else { return }
    idleSweep.timer = reactor.schedule(after: period) { [unowned self] in
      idleSweep.advance()
      // Those that do not read are another limit's.
      for index in connections.indices(where: { !$0.isBlocked && idleSweep.isOver($0.activeRound) })
      {
        close(index, .idle)
      }
      if isRunning, connections.count > 0, idleSweep.timer == nil { scheduleIdleSweep() }
    }
  }

  private func scheduleStallSweep() {
    guard let period = stallSweep.period else { return }
    stallSweep.timer = reactor.schedule(after: period) { [unowned self] in
      stallSweep.advance()
      for index in connections.indices(where: { $0.isBlocked && stallSweep.isOver($0.sentRound) }) {
        close(index, .stalled)
      }
      if isRunning, blockedCount > 0, stallSweep.timer == nil { scheduleStallSweep() }
    }
  }

  // MARK: The end

  /// Ends a connection and tells why.
  func close(_ index: Int, _ reason: PeerCloseReason) {
    guard let connection = connections.remove(index) else { return }
    if connection.isBlocked { rests[index] = nil }
    if let watch = connection.watch { reactor.unwatch(watch) }
    if connection.isBlocked { blockedCount -= 1 }
    lan_peer_close(connection.descriptor, reason == .stalled ? 1 : 0)
    let wasPlayer = player == index
    if wasPlayer {
      player = nil
      game.reset()
    }
    resume()
    tell(
      .closed(
        connection.peer, bytesIn: connection.bytesIn, bytesOut: connection.bytesOut, reason))
    if wasPlayer { tell(.gameEnded(connection.peer)) }
  }
}
