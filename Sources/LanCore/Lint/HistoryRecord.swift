import LanWire

/// The hashes of one record.
struct HistoryRecord {
  /// Index in the `DNSMessageIndex`.
  var position: Int32
  var type: DNSRecordType
  var section: DNSSection
  var sharing: HistorySharing
  var cacheFlush: Bool
  var ttl: UInt32
  /// Hash of the owner on this interface.
  var name: UInt64
  /// Hash of owner and type.
  var set: UInt64
  /// Hash of the data.
  var data: UInt64
  /// Hash of owner, type and data.
  var key: UInt64

  init(
    _ message: Span<UInt8>, _ record: DNSRecordView, _ position: Int,
    _ memo: inout HistoryNameMemo
  ) {
    self.position = Int32(truncatingIfNeeded: position)
    type = record.type
    section = record.section
    sharing = HistoryNames.sharing(message, record)
    cacheFlush = record.cacheFlush
    ttl = record.ttl
    name = memo.hash(message, at: Int(record.name))
    set = HistoryHash.mix(name, UInt64(record.type.rawValue))
    data = HistoryNames.dataHash(message, record)
    key = HistoryHash.mix(set, data)
  }

  /// When it expires, if it was heard at `now`.
  func expiry(_ now: Int64) -> Int64 { now &+ Int64(min(ttl, 1 << 31)) &* oneSecond }
}

/// Remembers the hashes of names that compression pointers of one message lead to.
struct HistoryNameMemo {
  private var offsets: (Int, Int, Int, Int) = (-1, -1, -1, -1)
  private var hashes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private let salt: UInt64

  init(salt: UInt64) { self.salt = salt }

  /// The hash of the name at `offset`, as `DNSNameView.hash` on this interface.
  mutating func hash(_ message: Span<UInt8>, at offset: Int) -> UInt64 {
    var place = offset
    if message[place] >= 0xC0, place &+ 1 < message.count {
      place = Int(message[place] & 0x3F) << 8 | Int(message[place &+ 1])
    }
    if place == offsets.0 { return hashes.0 }
    if place == offsets.1 { return hashes.1 }
    if place == offsets.2 { return hashes.2 }
    if place == offsets.3 { return hashes.3 }
    let hash = DNSNameView.hash(message, at: offset) ^ salt
    offsets = (place, offsets.0, offsets.1, offsets.2)
    hashes = (hash, hashes.0, hashes.1, hashes.2)
    return hash
  }
}
