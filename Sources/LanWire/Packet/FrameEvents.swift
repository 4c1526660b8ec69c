/// What a frame holds; owned by the caller and reused from frame to frame.
@frozen public struct FrameEvents: Sendable {
  /// The events, in the order of the frame.
  public var events: [FrameEvent] = []
  /// The tunnels that the events point to.
  public var tunnels: [Tunnel] = []
  /// True when a `.fragment` is among the events.
  public var hasFragments = false

  /// No events, with room for a few.
  public init() {
    events.reserveCapacity(16)
    tunnels.reserveCapacity(16)
  }

  /// Forgets all events and keeps the room.
  public mutating func removeAll() {
    // Most frames hold one event; taking that off is cheaper than emptying the array.
    if events.count == 1 {
      events.removeLast()
    } else {
      events.removeAll(keepingCapacity: true)
    }
    if !tunnels.isEmpty { tunnels.removeAll(keepingCapacity: true) }
    hasFragments = false
  }

  /// Tunnel `index` of `list`, outermost first; nil where there is none.
  @inlinable public func tunnel(_ index: Int, of list: TunnelList) -> Tunnel? {
    let place = Int(list.start) + index
    guard index >= 0, index < Int(list.count), place < tunnels.count else { return nil }
    return tunnels[place]
  }

  /// A list of `outer`'s tunnels and one more inside them.
  mutating func nest(_ tunnel: Tunnel, in outer: TunnelList) -> TunnelList {
    var list = TunnelList()
    list.start = UInt32(clamping: tunnels.count)
    for index in 0..<Int(outer.count) {
      if let layer = self.tunnel(index, of: outer) { tunnels.append(layer) }
    }
    tunnels.append(tunnel)
    list.count = outer.count &+ 1
    return list
  }
}
