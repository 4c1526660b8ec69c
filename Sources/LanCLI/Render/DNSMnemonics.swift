import LanSystem
import LanWire

extension OutputBuffer {
  /// Writes a type: its mnemonic, or `TYPE` and the number (RFC 3597 section 5).
  @inline(__always) mutating func append(_ type: DNSRecordType) {
    if let mnemonic = type.mnemonic {
      append(mnemonic)
    } else {
      append("TYPE")
      append(decimal: UInt64(type.rawValue))
    }
  }

  /// Writes a class: its mnemonic, or `CLASS` and the number (RFC 3597 section 5).
  @inline(__always) mutating func append(_ dnsClass: DNSClass) {
    if dnsClass.rawValue == 1 {
      append("IN")
    } else if let mnemonic = dnsClass.mnemonic {
      append(mnemonic)
    } else {
      append("CLASS")
      append(decimal: UInt64(dnsClass.rawValue))
    }
  }
}
