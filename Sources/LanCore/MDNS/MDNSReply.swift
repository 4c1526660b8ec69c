import LanWire

/// A set that a message asks for.
struct MDNSChoice: Sendable {
  var set: Int32
  /// The asker takes a unicast answer (RFC 6762 section 5.4).
  var wantsUnicast: Bool
  /// The asker is about to take the name (RFC 6762 section 8.1).
  var isProbe: Bool
}

/// What is told to one asker.
struct MDNSReply: Sendable {
  var interfaceIndex: UInt32
  var destination: MDNSDestination
  var due: Int64
  var sets: [MDNSSetReference]
  var style = MDNSPacketStyle.multicast
}

/// Answers that wait for the known answers of further packets (RFC 6762 section 7.2).
struct MDNSHeldQuery: Sendable {
  /// A set, which of its records the asker knows, and how it wants it.
  struct Answer: Sendable {
    var set: MDNSSetReference
    var known: UInt64
    var wantsUnicast: Bool
  }

  var interfaceIndex: UInt32
  var source: IPAddress
  var arrived: Int64
  var due: Int64
  var answers: [Answer]
}

/// How a response is written.
struct MDNSPacketStyle: Sendable {
  /// For one that asks as conventional resolvers do: short times, no flush bit, id and questions
  /// repeated (RFC 6762 section 6.7).
  var isLegacy = false
  var id: UInt16 = 0
  var questions: [DNSQuestion] = []

  /// As all responses of multicast DNS are, those to one asker too.
  static let multicast = MDNSPacketStyle()
  /// Seconds that conventional resolvers may keep a record.
  static let legacyTTL: UInt32 = 10
  /// Octets that all of them take (RFC 1035 section 2.3.4).
  static let legacyOctets = 512
}
