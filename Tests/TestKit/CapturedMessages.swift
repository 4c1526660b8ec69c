import Foundation

/// A DNS message out of a capture file.
public struct CapturedMessage: Sendable, CustomStringConvertible {
  /// The file and the number of the frame, from 1.
  public let description: String
  /// The comment of the frame, as in pcapng.
  public let comment: String
  /// The UDP payload.
  public let bytes: [UInt8]
}

/// The DNS payloads of plain captures; it knows nothing of the code under test.
///
/// Plain: pcap or pcapng (little-endian), Ethernet, IPv4 or IPv6 and UDP without options,
/// fragments or tunnels.
public func capturedMessages(_ file: URL) throws -> [CapturedMessage] {
  let bytes = [UInt8](try Data(contentsOf: file))
  let name = file.lastPathComponent
  if name.hasSuffix(".bin") {
    return [CapturedMessage(description: name, comment: "", bytes: bytes)]
  }
  let frames: [(bytes: ArraySlice<UInt8>, comment: String)] =
    bytes.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) ? pcapngFrames(bytes) : pcapFrames(bytes)
  return frames.enumerated().compactMap { number, frame in
    dnsPayload(Array(frame.bytes)).map {
      CapturedMessage(
        description: "\(name) frame \(number + 1) \(frame.comment)", comment: frame.comment,
        bytes: $0)
    }
  }
}

private func little(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
  (0..<size).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
}

private func big(_ bytes: [UInt8], _ offset: Int) -> Int {
  Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
}

private func pcapFrames(_ bytes: [UInt8]) -> [(bytes: ArraySlice<UInt8>, comment: String)] {
  guard bytes.count >= 24, [0xA1B2_C3D4, 0xA1B2_3C4D].contains(little(bytes, 0, 4)),
    little(bytes, 20, 4) == 1
  else { return [] }
  var frames: [(bytes: ArraySlice<UInt8>, comment: String)] = []
  var offset = 24
  while offset + 16 <= bytes.count {
    let length = little(bytes, offset + 8, 4)
    guard length <= bytes.count - offset - 16 else { break }
    frames.append((bytes[(offset + 16)..<(offset + 16 + length)], ""))
    offset += 16 + length
  }
  return frames
}

private func pcapngFrames(_ bytes: [UInt8]) -> [(bytes: ArraySlice<UInt8>, comment: String)] {
  var frames: [(bytes: ArraySlice<UInt8>, comment: String)] = []
  var isEthernet = true
  var offset = 0
  while offset + 12 <= bytes.count {
    let block = little(bytes, offset, 4)
    let length = little(bytes, offset + 4, 4)
    guard length >= 12, length % 4 == 0, length <= bytes.count - offset else { break }
    if block == 1, length >= 20 { isEthernet = little(bytes, offset + 8, 2) == 1 }
    if block == 6, length >= 32, isEthernet {
      let captured = little(bytes, offset + 20, 4)
      guard captured <= length - 32 else { break }
      let start = offset + 28
      frames.append(
        (
          bytes[start..<(start + captured)],
          comment(bytes, from: start + (captured + 3) / 4 * 4, to: offset + length - 4)
        ))
    }
    offset += length
  }
  return frames
}

private func comment(_ bytes: [UInt8], from start: Int, to end: Int) -> String {
  guard start + 4 <= end, little(bytes, start, 2) == 1 else { return "" }
  let length = min(little(bytes, start + 2, 2), end - start - 4)
  return String(decoding: bytes[(start + 4)..<(start + 4 + length)], as: UTF8.self)
}

private func dnsPayload(_ frame: [UInt8]) -> [UInt8]? {
  guard frame.count >= 42 else { return nil }
  let udp: Int
  switch big(frame, 12) {
  case 0x0800 where frame[14] == 0x45 && frame[23] == 17 && big(frame, 20) & 0x3FFF == 0: udp = 34
  case 0x86DD where frame[20] == 17: udp = 54
  default: return nil
  }
  guard udp + 8 <= frame.count,
    [53, 5353, 5355].contains(where: { [big(frame, udp), big(frame, udp + 2)].contains($0) })
  else { return nil }
  let length = big(frame, udp + 4)
  guard length >= 8, udp + length <= frame.count else { return nil }
  return Array(frame[(udp + 8)..<(udp + length)])
}
