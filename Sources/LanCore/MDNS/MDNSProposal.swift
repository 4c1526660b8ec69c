import LanWire

/// The records that a host proposes for a name, in the order that decides between two hosts
/// (RFC 6762 section 8.2.1).
struct MDNSProposal: Comparable {
  /// A record: its class without the flush bit, type, and data without compression.
  struct Record: Comparable {
    var dnsClass: UInt16
    var type: UInt16
    var data: [UInt8]

    static func < (left: Record, right: Record) -> Bool {
      if left.dnsClass != right.dnsClass { return left.dnsClass < right.dnsClass }
      if left.type != right.type { return left.type < right.type }
      return left.data.lexicographicallyPrecedes(right.data)
    }
  }

  private let records: [Record]

  init(_ records: [Record]) { self.records = records.sorted() }

  /// Pairwise, the first difference decides; else the longer list is greater.
  static func < (left: MDNSProposal, right: MDNSProposal) -> Bool {
    left.records.lexicographicallyPrecedes(right.records)
  }
}

extension MDNSZone {
  /// What is proposed for a claim.
  func records(of claim: Int32) -> [MDNSProposal.Record] {
    claims[claim].sets.flatMap { id in
      sets[id].bytes.map {
        MDNSProposal.Record(
          dnsClass: DNSClass.in.rawValue, type: sets[id].type.rawValue, data: $0)
      }
    }
  }
}
