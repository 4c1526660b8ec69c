extension DNSRecordData {
  /// The data of a record of `type` from its bytes without compression pointers.
  ///
  /// Bytes that are not what the type demands become `unknown`.
  public init(_ type: DNSRecordType, uncompressed bytes: [UInt8]) {
    var record = DNSRecordView(
      name: 0, rdata: 0, rdataLength: UInt16(clamping: bytes.count), type: type, rawClass: 1,
      section: .answer, ttl: 0)
    var tally = DNSNameTally()
    do throws(WireError) {
      try DNSRecordDataCheck.check(bytes.span, record, &tally)
    } catch {
      record.problem = error.reason
    }
    do throws(WireError) {
      self = try DNSRecordData(record, bytes.span)
    } catch {
      self = .unknown(type, bytes)
    }
  }
}
