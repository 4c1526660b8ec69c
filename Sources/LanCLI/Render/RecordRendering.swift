import LanCore
import LanSystem
import LanWire

/// Writes owned records with the writers that messages are shown by, so that both look the same.
enum RecordRendering {
  /// The largest record in a message of its own; nil for one that fits into none.
  private static func message(_ data: DNSRecordData) -> [UInt8]? {
    var message = DNSMessage()
    message.answers = [DNSRecord(name: .root, ttl: 0, data: data)]
    return try? message.encoded(compression: .none)
  }

  /// Writes the members of a `data` object.
  static func appendJSON(_ data: DNSRecordData, to out: inout OutputBuffer) {
    guard let bytes = message(data) else { return }
    var index = DNSMessageIndex()
    _ = index.read(bytes.span)
    guard let record = index.records.first else { return }
    var writer = SniffJSON(interfaces: InterfaceNames())
    writer.names.begin()
    writer.appendData(record, bytes.span, to: &out)
  }

  /// Writes the data for people.
  static func appendText(_ data: DNSRecordData, to out: inout OutputBuffer) {
    guard let bytes = message(data) else { return }
    var index = DNSMessageIndex()
    _ = index.read(bytes.span)
    guard let record = index.records.first else { return }
    var writer = SniffText(
      format: .none, style: TerminalStyle(isOn: false), isOneLine: true,
      interfaces: InterfaceNames())
    writer.names.begin()
    writer.appendData(record, bytes.span, to: &out)
  }
}
