/// The state of one radio switch, as the rfkill device tells it (`struct rfkill_event`).
@frozen public struct RfkillEvent: Hashable, Sendable {
  /// What the radio is for (`RFKILL_TYPE_*`).
  @frozen public struct Radio: Hashable, Sendable {
    /// The kernel's number.
    public var rawValue: UInt8

    /// The radio of number `rawValue`.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Wi-Fi.
    public static let wifi = Radio(rawValue: 1)
    /// Bluetooth.
    public static let bluetooth = Radio(rawValue: 2)
    /// A modem for a cellular network.
    public static let cellular = Radio(rawValue: 5)
  }

  /// What happened to a switch (`RFKILL_OP_*`).
  public enum Operation: UInt8, Hashable, Sendable {
    /// It is there.
    case added
    /// It went.
    case removed
    /// Its state changed.
    case changed
    /// All switches of the type changed.
    case changedAll
  }

  /// The number of the switch.
  public var index: UInt32
  /// What the radio is for.
  public var radio: Radio
  /// What happened; nil for an operation that this version does not know.
  public var operation: Operation?
  /// Software keeps it off.
  public var isSoftBlocked: Bool
  /// A switch or the firmware keeps it off.
  public var isHardBlocked: Bool
  /// The kernel's bits for why it is hard blocked; nil where an older kernel does not tell.
  public var hardReasons: UInt8?

  /// Bytes that one event needs to be read: what `read` gave is one event, of 8 bytes or more.
  public static let readSize = 64

  /// Reads one event, which is all that one `read` of the device gives.
  ///
  /// - Throws: `.truncated` for less than 8 bytes.
  public init(_ bytes: Span<UInt8>) throws(WireError) {
    guard bytes.count >= 8 else { throw WireError(.truncated, at: bytes.count) }
    index = bytes.littleUInt32(at: 0)
    radio = Radio(rawValue: bytes[4])
    operation = Operation(rawValue: bytes[5])
    isSoftBlocked = bytes[6] != 0
    isHardBlocked = bytes[7] != 0
    hardReasons = bytes.count > 8 ? bytes[8] : nil
  }
}
