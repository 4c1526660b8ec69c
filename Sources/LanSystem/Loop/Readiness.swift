import CLan

/// What a descriptor is ready for, as epoll reports it.
public struct Readiness: OptionSet, Sendable {
  /// The bits of epoll.
  public let rawValue: UInt32

  /// A set from epoll's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// There is something to read, or a connection to accept.
  public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  /// Writing would not block.
  public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// An error waits (`SO_ERROR`, an error queue); reported even when not asked for.
  public static let error = Readiness(rawValue: EPOLLERR.rawValue)
  /// Both directions are shut; reported even when not asked for.
  public static let hangup = Readiness(rawValue: EPOLLHUP.rawValue)
}

/// Names one watched descriptor; stays harmless after `unwatch`.
public struct WatchToken: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32

  var bits: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

  init(slot: UInt32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  init(bits: UInt64) {
    slot = UInt32(truncatingIfNeeded: bits)
    generation = UInt32(truncatingIfNeeded: bits >> 32)
  }
}

/// The handlers of watched descriptors, keyed by slot and generation rather than by number: a number
/// is reused at once, and an event for its predecessor may still be in the batch at hand.
struct WatchTable {
  private struct Slot {
    var generation: UInt32 = 0
    var descriptor: Int32 = -1
    var handler: ((Readiness) -> Void)?
  }
  private var slots: [Slot] = []
  private var free: [UInt32] = []

  mutating func insert(
    _ descriptor: Int32, _ handler: @escaping (Readiness) -> Void
  ) -> WatchToken {
    let slot = free.popLast() ?? UInt32(slots.count)
    if Int(slot) == slots.count { slots.append(Slot()) }
    slots[Int(slot)].descriptor = descriptor
    slots[Int(slot)].handler = handler
    return WatchToken(slot: slot, generation: slots[Int(slot)].generation)
  }

  /// Forgets a handler and gives its descriptor; nil if it is gone already.
  mutating func remove(_ token: WatchToken) -> Int32? {
    guard let descriptor = descriptor(of: token) else { return nil }
    slots[Int(token.slot)].handler = nil
    slots[Int(token.slot)].generation &+= 1
    free.append(token.slot)
    return descriptor
  }

  func descriptor(of token: WatchToken) -> Int32? {
    handler(of: token) == nil ? nil : slots[Int(token.slot)].descriptor
  }

  func handler(of token: WatchToken) -> ((Readiness) -> Void)? {
    guard Int(token.slot) < slots.count, slots[Int(token.slot)].generation == token.generation
    else { return nil }
    return slots[Int(token.slot)].handler
  }
}
