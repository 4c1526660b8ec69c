/// What is known of one connection of a server.
struct PeerConnection {
  /// The socket; the table's owner closes it.
  var descriptor: Int32
  var peer: SocketEndpoint
  var watch: WatchToken?
  var bytesIn = 0
  var bytesOut = 0
  /// The round of the sweep for silent connections when the last bytes came.
  var activeRound: UInt32 = 0
  /// The round of the sweep for stalled connections when the last bytes could be sent.
  var sentRound: UInt32 = 0
  /// The peer leaves unread what it gets back.
  var isBlocked = false
  /// It has done so once: nothing is taken from it any more before it was sent back.
  var isCareful = false
}

/// The connections of a server in numbered places, which are used again.
struct PeerConnectionTable {
  /// A place without a connection has no descriptor.
  private var places: [PeerConnection] = []
  private var free: [Int32] = []
  private(set) var count = 0

  /// Puts a connection into a place and gives its number.
  mutating func insert(_ connection: PeerConnection) -> Int {
    count += 1
    guard let place = free.popLast() else {
      places.append(connection)
      return places.count - 1
    }
    places[Int(place)] = connection
    return Int(place)
  }

  /// Takes a connection out; nil where there is none.
  mutating func remove(_ index: Int) -> PeerConnection? {
    guard let connection = self[index] else { return nil }
    places[index].descriptor = -1
    free.append(Int32(truncatingIfNeeded: index))
    count -= 1
    return connection
  }

  /// The connection in a place; nil where there is none.
  subscript(index: Int) -> PeerConnection? {
    isUsed(index) ? places[index] : nil
  }

  /// Changes a connection where it stands.
  @inline(__always) mutating func update(_ index: Int, _ body: (inout PeerConnection) -> Void) {
    if isUsed(index) { body(&places[index]) }
  }

  /// The numbers of places with a connection that is so.
  func indices(where isWanted: (PeerConnection) -> Bool = { _ in true }) -> [Int] {
    places.indices.filter { isUsed($0) && isWanted(places[$0]) }
  }

  /// How many connections there are from the address of `peer`.
  func count(from peer: SocketEndpoint) -> Int {
    places.count { $0.descriptor >= 0 && $0.peer.address == peer.address }
  }

  @inline(__always) private func isUsed(_ index: Int) -> Bool {
    index < places.count && places[index].descriptor >= 0
  }
}
