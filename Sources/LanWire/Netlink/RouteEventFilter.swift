/// A program for the kernel (classic BPF) that drops the route events which cannot matter.
///
/// What is kept: everything but routes, default routes, and routes whose prefix covers one of the
/// targets. So a watcher of a few targets is not woken by a storm of other routes, and its queue
/// does not overflow. The kernel looks up next hops when a route is made, never later, so that no
/// other route can change what happens to a target; next hop objects and links have events of
/// their own.
public struct RouteEventFilter: Hashable, Sendable {
  /// How many targets a program may have: more would be slower than being woken.
  public static let maximumTargets = 128

  /// The instructions, each as the 8 bytes of `struct sock_filter` in a little-endian number.
  public private(set) var program: [UInt64] = []

  /// A filter for `targets`; nil for more than `maximumTargets` of them.
  public init?(targets: [IPAddress]) {
    guard targets.count <= Self.maximumTargets else { return nil }
    acceptUnlessRoute()
    step(Code.loadByte, 16)
    // A far jump, since a conditional one leads 255 steps at most.
    step(Code.jumpIfEqual, 2, no: 1)
    let toIPv4 = program.count
    step(Code.jump, 0)
    step(Code.jumpIfEqual, 10, no: 1)
    let toIPv6 = program.count
    step(Code.jump, 0)
    accept()
    land(toIPv4)
    match(
      targets.compactMap { if case .v4(let value) = $0 { [value.bits] } else { nil } }, words: 1)
    land(toIPv6)
    match(targets.compactMap { if case .v6(let value) = $0 { value.words } else { nil } }, words: 4)
  }

  private enum Code {
    static let loadByte: UInt16 = 0x30
    static let loadWord: UInt16 = 0x20
    static let loadConstant: UInt16 = 0x00
    static let loadIndexConstant: UInt16 = 0x01
    static let loadIndexedWord: UInt16 = 0x40
    static let load: UInt16 = 0x60
    static let loadIndex: UInt16 = 0x61
    static let store: UInt16 = 0x02
    static let toIndex: UInt16 = 0x07
    static let subtractIndex: UInt16 = 0x1C
    static let shiftLeftByIndex: UInt16 = 0x6C
    static let andIndex: UInt16 = 0x5C
    static let exclusiveOr: UInt16 = 0xA4
    static let jump: UInt16 = 0x05
    static let jumpIfEqual: UInt16 = 0x15
    static let jumpIfGreater: UInt16 = 0x25
    static let jumpIfNotLess: UInt16 = 0x35
    static let result: UInt16 = 0x06
  }
  /// Finds an attribute: A is where to begin and becomes its offset or 0, X is its type.
  private static let findAttribute: UInt32 = 0xFFFF_F000 + 12
  /// Scratch words: the prefix length, then from here the masks, then the destination.
  private static let length: UInt32 = 0
  private static let masks: UInt32 = 4
  private static let words: UInt32 = 8

  private mutating func step(_ code: UInt16, _ value: UInt32, yes: UInt8 = 0, no: UInt8 = 0) {
    program.append(
      UInt64(code) | UInt64(yes) << 16 | UInt64(no) << 24 | UInt64(value) << 32)
  }

  private mutating func accept() { step(Code.result, .max) }

  /// Lets the far jump at `place` lead here.
  private mutating func land(_ place: Int) {
    program[place] |= UInt64(program.count - place - 1) << 32
  }

  /// Keeps what is no route, and default routes.
  private mutating func acceptUnlessRoute() {
    step(Code.loadByte, 5)
    step(Code.jumpIfEqual, 0, yes: 1)
    accept()
    step(Code.loadByte, 4)
    step(Code.jumpIfEqual, UInt32(NetlinkType.newRoute.rawValue), yes: 2)
    step(Code.jumpIfEqual, UInt32(NetlinkType.deleteRoute.rawValue), yes: 1)
    accept()
    step(Code.loadByte, 17)
    step(Code.store, Self.length)
    step(Code.jumpIfEqual, 0, no: 1)
    accept()
  }

  /// Keeps a route whose prefix covers one of `targets`, which have `words` words each.
  private mutating func match(_ targets: [[UInt32]], words: UInt32) {
    step(Code.loadIndexConstant, 1)
    step(Code.loadConstant, 28)
    step(Code.loadWord, Self.findAttribute)
    step(Code.jumpIfEqual, 0, no: 1)
    accept()
    step(Code.toIndex, 0)
    for word in 0..<words {
      step(Code.loadIndexedWord, 4 + 4 * word)
      step(Code.store, Self.words + word)
    }
    for word in 0..<words { makeMask(word) }
    for target in targets {
      for word in 0..<words {
        step(Code.load, Self.words + word)
        step(Code.exclusiveOr, target[Int(word)])
        step(Code.loadIndex, Self.masks + word)
        step(Code.andIndex, 0)
        // Past the other words of this target, 5 steps each, and the acceptance.
        step(Code.jumpIfEqual, 0, no: UInt8(5 * (words - 1 - word) + 1))
      }
      accept()
    }
    step(Code.result, 0)
  }

  /// Which bits of a word the prefix has: all, none, or the upper ones.
  private mutating func makeMask(_ word: UInt32) {
    step(Code.load, Self.length)
    step(Code.jumpIfNotLess, 32 * (word + 1), no: 2)
    step(Code.loadConstant, .max)
    step(Code.jump, 9)
    step(Code.jumpIfGreater, 32 * word, yes: 2)
    step(Code.loadConstant, 0)
    step(Code.jump, 6)
    step(Code.loadIndex, Self.length)
    step(Code.loadConstant, 32 * (word + 1))
    step(Code.subtractIndex, 0)
    step(Code.toIndex, 0)
    step(Code.loadConstant, .max)
    step(Code.shiftLeftByIndex, 0)
    step(Code.store, Self.masks + word)
  }
}

extension IPv6Address {
  /// The four 32-bit words in network order of words.
  var words: [UInt32] {
    [high >> 32, high, low >> 32, low].map { UInt32(truncatingIfNeeded: $0) }
  }
}
