public import LanWire

/// Totals of a run: per host, per record type and per name.
///
/// Bounded: at `limit` hosts or names newcomers are counted together as "others".
public struct SniffStatistics: Sendable {
  /// Hosts and names kept at most, each.
  public static let limit = 16_384

  /// What one host sent.
  public struct HostTotals: Sendable {
    /// Its address.
    public var address: IPAddress
    /// Messages of each kind, by `MessageKind.rawValue`.
    public var kinds = InlineArray<5, Int>(repeating: 0)
    /// Malformed messages.
    public var malformed = 0
    /// Bytes of DNS payload.
    public var bytes = 0
    /// All messages.
    public var messages: Int { kinds[0] + kinds[1] + kinds[2] + kinds[3] + kinds[4] + malformed }
  }

  /// How often a type or name occurred.
  public struct Occurrences: Sendable {
    /// In questions.
    public var questions = 0
    /// In records of any section.
    public var records = 0
  }

  /// How often a name occurred.
  public struct NameTotals: Sendable {
    /// The name, in presentation form.
    public var name: [UInt8]
    /// How often.
    public var occurrences = Occurrences()
  }

  private var hostTable: [IPAddress: HostTotals] = [:]
  private var typeTable: [DNSRecordType: Occurrences] = [:]
  private var nameTable: [UInt64: NameTotals] = [:]
  /// Messages of hosts beyond the limit.
  public private(set) var otherHosts = 0
  /// Occurrences of names beyond the limit.
  public private(set) var otherNames = 0

  /// Empty totals.
  public init() {}

  /// Counts a message.
  public mutating func count(
    _ message: Span<UInt8>, _ view: DNSMessageView, _ index: DNSMessageIndex,
    _ envelope: MessageEnvelope, _ kind: MessageKind, isMalformed: Bool
  ) {
    countHost(envelope.source, kind, message.count, isMalformed)
    for place in view.questions {
      let question = index.questions[place]
      typeTable[question.type, default: Occurrences()].questions += 1
      countName(message, Int(question.name)) { $0.questions += 1 }
    }
    for place in view.records {
      let record = index.records[place]
      typeTable[record.type, default: Occurrences()].records += 1
      countName(message, Int(record.name)) { $0.records += 1 }
    }
  }

  private mutating func countHost(
    _ address: IPAddress, _ kind: MessageKind, _ bytes: Int, _ isMalformed: Bool
  ) {
    if hostTable[address] == nil, hostTable.count >= Self.limit {
      otherHosts += 1
      return
    }
    func add(_ totals: inout HostTotals) {
      if isMalformed {
        totals.malformed += 1
      } else {
        totals.kinds[Int(kind.rawValue)] += 1
      }
      totals.bytes += bytes
    }
    add(&hostTable[address, default: HostTotals(address: address)])
  }

  private mutating func countName(
    _ message: Span<UInt8>, _ name: Int, _ add: (inout Occurrences) -> Void
  ) {
    let hash = DNSNameView.hash(message, at: name)
    if nameTable[hash] == nil {
      guard nameTable.count < Self.limit else {
        otherNames += 1
        return
      }
      var text: [UInt8] = []
      DNSNameText.append(message, at: name, to: &text)
      nameTable[hash] = NameTotals(name: text)
    }
    add(&nameTable[hash, default: NameTotals(name: [])].occurrences)
  }

  /// Hosts, the busiest first.
  public var hosts: [HostTotals] {
    hostTable.values.sorted {
      ($1.messages, $0.address.description) < ($0.messages, $1.address.description)
    }
  }

  /// Types, the most frequent first.
  public var types: [(type: DNSRecordType, occurrences: Occurrences)] {
    typeTable.map { (type: $0.key, occurrences: $0.value) }.sorted {
      let left = $0.occurrences.questions + $0.occurrences.records
      let right = $1.occurrences.questions + $1.occurrences.records
      return (right, $0.type.rawValue) < (left, $1.type.rawValue)
    }
  }

  /// Names, the most frequent first.
  public var names: [NameTotals] {
    nameTable.values.sorted {
      let left = $0.occurrences.questions + $0.occurrences.records
      let right = $1.occurrences.questions + $1.occurrences.records
      return left != right ? left > right : $0.name.lexicographicallyPrecedes($1.name)
    }
  }
}
