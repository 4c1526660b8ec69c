public import LanWire

/// Who answers requests of netlink: the kernel, or a recording of it.
public protocol NetlinkTransport: AnyObject {
  /// Asks for one thing and lends the answer.
  ///
  /// - Parameters:
  ///   - request: No dump.
  ///   - body: Is lent the reply and the bytes that it stands in.
  /// - Throws: `NetlinkError.refused` with the kernel's error, such as ENOENT.
  func ask(
    _ request: NetlinkRequest, _ body: (NetlinkMessage, Span<UInt8>) -> Void
  ) throws(NetlinkError)

  /// Asks for all things of a kind and lends each of them, in up to five attempts.
  ///
  /// - Parameters:
  ///   - request: A dump.
  ///   - restarted: A change came in between: what was lent so far comes again, or is gone.
  ///   - body: Is lent each reply and the bytes that it stands in.
  /// - Returns: False where even the last attempt missed changes. What all attempts gave together
  ///   is then the best there is: ask again later.
  /// - Throws: `NetlinkError` where the kernel refuses it or cannot be asked.
  func dump(
    _ request: NetlinkRequest, restarted: () -> Void,
    _ body: (NetlinkMessage, Span<UInt8>) -> Void
  ) throws(NetlinkError) -> Bool

  /// Looks up routes, many at a time, and gives each answer with its index in `lookups`.
  ///
  /// - Throws: `NetlinkError` where the kernel could not be asked; a route that is not there is an
  ///   answer.
  func lookUp(
    _ lookups: [RouteLookup], _ body: (Int, RouteAnswer) -> Void
  ) throws(NetlinkError)
}

/// The answer of a route look-up.
public enum RouteAnswer: Hashable, Sendable {
  /// A route.
  case route(RouteMessage)
  /// The kernel's error: ENETUNREACH, EHOSTUNREACH, EACCES, EINVAL and so on. A blackhole is EINVAL
  /// without a text; with one, the request was wrong.
  case refused(NetlinkErrorMessage)
  /// The answer could not be read.
  case malformed(WireError)

  init(_ message: NetlinkMessage, in bytes: Span<UInt8>) {
    do throws(WireError) {
      if message.header.type == .error {
        self = .refused(try NetlinkErrorMessage(message, in: bytes))
      } else {
        self = .route(try RouteMessage(message, in: bytes))
      }
    } catch {
      self = .malformed(error)
    }
  }
}

/// What a dump brought, read.
public struct NetlinkDump<Value: Sendable>: Sendable {
  /// The values, in the kernel's order.
  public var values: [Value]
  /// False where changes came in between each attempt: a value may be one that is gone.
  public var isConsistent: Bool
}

extension NetlinkTransport {
  /// All links of the namespace.
  ///
  /// - Throws: `NetlinkError` where the kernel could not be asked or its answer not be read.
  public func links() throws(NetlinkError) -> NetlinkDump<LinkMessage> {
    try collect(.links, of: .newLink, { $0.index }) { message, bytes throws(WireError) in
      try LinkMessage(message, in: bytes)
    }
  }

  /// All addresses of the namespace, or of one family.
  ///
  /// - Throws: `NetlinkError` where the kernel could not be asked or its answer not be read.
  public func addresses(
    _ family: NetlinkAddressFamily = .unspecified
  ) throws(NetlinkError) -> NetlinkDump<AddressMessage> {
    try collect(
      .addresses(family), of: .newAddress,
      { AddressKey(index: $0.index, length: $0.prefixLength, local: $0.local, peer: $0.peer) }
    ) { message, bytes throws(WireError) in try AddressMessage(message, in: bytes) }
  }

  /// All policy rules of a family.
  ///
  /// - Throws: `NetlinkError` where the kernel could not be asked or its answer not be read.
  public func rules(
    _ family: NetlinkAddressFamily
  ) throws(NetlinkError) -> NetlinkDump<RuleMessage> {
    try collect(.rules(family), of: .newRule, { $0 }) { message, bytes throws(WireError) in
      try RuleMessage(message, in: bytes)
    }
  }

  /// All neighbours of a family, or of one link of it.
  ///
  /// - Throws: `NetlinkError` where the kernel could not be asked or its answer not be read.
  public func neighbours(
    _ family: NetlinkAddressFamily, index: UInt32 = 0
  ) throws(NetlinkError) -> NetlinkDump<NeighbourMessage> {
    try collect(
      .neighbours(family, index: index), of: .newNeighbour,
      { AddressKey(index: $0.index, length: 0, local: $0.destination, peer: nil) }
    ) { message, bytes throws(WireError) in try NeighbourMessage(message, in: bytes) }
  }

  /// One neighbour; nil where the kernel has no entry, which is no bad news.
  ///
  /// - Throws: `NetlinkError` where the kernel could not be asked or its answer not be read.
  public func neighbour(
    _ address: IPAddress, index: UInt32
  ) throws(NetlinkError) -> NeighbourMessage? {
    try one(.neighbour(address, index: index)) { message, bytes throws(WireError) in
      try NeighbourMessage(message, in: bytes)
    }
  }

  /// One link; nil where there is none of that index.
  ///
  /// - Throws: `NetlinkError` where the kernel could not be asked or its answer not be read.
  public func link(_ index: UInt32) throws(NetlinkError) -> LinkMessage? {
    try one(.link(index)) { message, bytes throws(WireError) in
      try LinkMessage(message, in: bytes)
    }
  }

  /// One next hop object; nil where there is none of that number.
  ///
  /// - Throws: `NetlinkError` where the kernel could not be asked or its answer not be read.
  public func nextHop(_ id: UInt32) throws(NetlinkError) -> NextHopMessage? {
    try one(.nextHop(id)) { message, bytes throws(WireError) in
      try NextHopMessage(message, in: bytes)
    }
  }

  /// A family of generic netlink; nil where the kernel has none of that name.
  ///
  /// - Throws: `NetlinkError` where the kernel could not be asked or its answer not be read.
  public func genericFamily(_ name: String) throws(NetlinkError) -> GenericFamilyMessage? {
    try one(.genericFamily(name)) { message, bytes throws(WireError) in
      try GenericFamilyMessage(message, in: bytes)
    }
  }

  /// The Wi-Fi facts of a link; nil where it is no Wi-Fi link.
  ///
  /// - Parameters:
  ///   - family: The number of `nl80211`, from `genericFamily`.
  ///   - index: The link.
  /// - Returns: What nl80211 says about it.
  /// - Throws: `NetlinkError` where the kernel refuses it or cannot be asked.
  public func wirelessInterface(
    _ family: NetlinkType, index: UInt32
  ) throws(NetlinkError) -> WirelessMessage? {
    try one(.wirelessInterface(family, index: index)) { message, bytes throws(WireError) in
      try WirelessMessage(message, in: bytes)
    }
  }

  /// Looks up one route.
  ///
  /// - Throws: `NetlinkError` where the kernel could not be asked; a refusal is an answer.
  public func lookUp(_ lookup: RouteLookup) throws(NetlinkError) -> RouteAnswer {
    var answer: RouteAnswer?
    try lookUp([lookup]) { answer = $1 }
    guard let answer else { throw .noAnswer }
    return answer
  }

  private func one<Value>(
    _ request: NetlinkRequest,
    _ read: (NetlinkMessage, Span<UInt8>) throws(WireError) -> Value
  ) throws(NetlinkError) -> Value? {
    var result: Result<Value, WireError>?
    do throws(NetlinkError) {
      try ask(request) { message, bytes in
        result = Result { () throws(WireError) in try read(message, bytes) }
      }
    } catch {
      // ENOENT, ENODEV and ENXIO: there is no such thing.
      if case .refused(let refusal) = error, [2, 6, 19].contains(refusal.errno) { return nil }
      throw error
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): throw .malformed(error)
    case nil: return nil
    }
  }

  /// Reads a dump; where every attempt was interrupted, the union of all, the latest word winning.
  private func collect<Value: Sendable, Key: Hashable>(
    _ request: NetlinkRequest, of type: NetlinkType, _ key: (Value) -> Key,
    _ read: (NetlinkMessage, Span<UInt8>) throws(WireError) -> Value
  ) throws(NetlinkError) -> NetlinkDump<Value> {
    var earlier: [Value] = []
    var values: [Value] = []
    var failure: WireError?
    let isConsistent = try dump(
      request,
      restarted: {
        earlier.append(contentsOf: values)
        values.removeAll(keepingCapacity: true)
      },
      { message, bytes in
        guard message.header.type == type else { return }
        do throws(WireError) { values.append(try read(message, bytes)) } catch { failure = error }
      })
    if let failure { throw .malformed(failure) }
    if !isConsistent {
      var known = Set(values.map(key))
      for value in earlier.reversed() where known.insert(key(value)).inserted {
        values.append(value)
      }
    }
    return NetlinkDump(values: values, isConsistent: isConsistent)
  }
}

private struct AddressKey: Hashable {
  var index: UInt32
  var length: UInt8
  var local: IPAddress?
  var peer: IPAddress?
}
