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
    case .json(var json):
      json.interfaces.set(name, for: index)
      form = .json(json)
    case .text(var text):
      text.interfaces.set(name, for: index)
      form = .text(text)
    case .columns(var columns):
      columns.interfaces.set(name, for: index)
      form = .columns(columns)
    case .nothing: break
    }
  }

  /// Writes all messages of `batch`, whose frames are in `bytes`.
  mutating func append(
    _ batch: borrowing SniffBatch, _ bytes: Span<UInt8>, to out: inout OutputBuffer
  ) {
    // Taken out of the enum for the loop, so that nothing is copied for each message.
    switch form {
    case .json(var json):
      for index in batch.messages.indices {
        let message = batch.messages[index]
        if message.isReassembled {
          let whole = batch.reassembled.span
          json.append(message, whole.extracting(message.payload), batch, to: &out)
        } else {
          json.append(message, bytes.extracting(message.payload), batch, to: &out)
        }
      }
      form = .json(json)
    case .text(var text):
      for index in batch.messages.indices {
        let message = batch.messages[index]
        if message.isReassembled {
          let whole = batch.reassembled.span
          text.append(message, whole.extracting(message.payload), batch, to: &out)
        } else {
          text.append(message, bytes.extracting(message.payload), batch, to: &out)
        }
      }
      form = .text(text)
    case .columns(var columns):
      for index in batch.messages.indices {
        let message = batch.messages[index]
        if message.isReassembled {
          let whole = batch.reassembled.span
          columns.append(message, whole.extracting(message.payload), batch, to: &out)
        } else {
          columns.append(message, bytes.extracting(message.payload), batch, to: &out)
        }
      }
      form = .columns(columns)
    case .nothing: break
    }
  }
}
