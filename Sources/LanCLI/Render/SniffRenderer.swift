import LanCore
import LanSystem
import LanWire

/// Renders messages in the form that was asked for.
///
/// One belongs to one thread.
struct SniffRenderer {
  private enum Form {
    case json(SniffJSON)
    case text(SniffText)
    case columns(SniffColumns)
    case nothing
  }

  private var form: Form

  init(_ configuration: SniffConfiguration, interfaces: InterfaceNames = InterfaceNames()) {
    switch configuration.output {
    case .json: form = .json(SniffJSON(interfaces: interfaces))
    case .text, .oneLine:
      let isOneLine = if case .oneLine = configuration.output { true } else { false }
      form = .text(
        SniffText(
          format: configuration.time, style: TerminalStyle(isOn: configuration.isColoured),
          isOneLine: isOneLine, interfaces: interfaces))
    case .fields(let fields): form = .columns(SniffColumns(fields, interfaces: interfaces))
    case .quiet: form = .nothing
    }
  }

  /// Gives an interface of a live capture its name.
  mutating func set(_ name: String, for index: Int) {
    switch form {
    case .json(var json): form = .json(json.naming(index, name))
    case .text(var text): form = .text(text.naming(index, name))
    case .columns(var columns): form = .columns(columns.naming(index, name))
    case .nothing: break
    }
  }

  /// Writes all messages of `batch`, whose frames are in `bytes`.
  mutating func append(
    _ batch: borrowing SniffBatch, _ bytes: Span<UInt8>, to out: inout OutputBuffer
  ) {
    // Taken out of the enum for the whole batch, so that nothing is copied for each message.
    switch form {
    case .json(var json):
      json.append(batch, bytes, to: &out)
      form = .json(json)
    case .text(var text):
      text.append(batch, bytes, to: &out)
      form = .text(text)
    case .columns(var columns):
      columns.append(batch, bytes, to: &out)
      form = .columns(columns)
    case .nothing: break
    }
  }
}

/// One form of output.
protocol MessageRenderer {
  /// Names of interfaces by the kernel's index; empty for a file.
  var interfaces: InterfaceNames { get set }

  /// Writes one message. `payload` is exactly the bytes of the DNS message.
  mutating func append(
    _ message: SniffedMessage, _ payload: Span<UInt8>, _ batch: borrowing SniffBatch,
    to out: inout OutputBuffer)
}

extension MessageRenderer {
  /// Itself with a name for an interface.
  mutating func naming(_ index: Int, _ name: String) -> Self {
    interfaces.set(name, for: index)
    return self
  }

  /// Writes all messages of `batch`, whose frames are in `bytes`.
  mutating func append(
    _ batch: borrowing SniffBatch, _ bytes: Span<UInt8>, to out: inout OutputBuffer
  ) {
    for index in batch.messages.indices {
      let message = batch.messages[index]
      if message.isReassembled {
        let whole = batch.reassembled.span
        append(message, whole.extracting(message.payload), batch, to: &out)
      } else {
        append(message, bytes.extracting(message.payload), batch, to: &out)
      }
    }
  }
}
