import Foundation
public import LanWire

/// A frame of a capture file with its own copy of the bytes.
public struct CapturedFrame {
  /// What the parser said about it.
  public var packet: CapturedPacket
  /// The captured bytes.
  public var bytes: [UInt8]
  /// The comments, as text.
  public var comments: [String]
}

/// A capture file, read to its end or its fault.
public struct CaptureFile {
  /// The frames before the end or the fault.
  public private(set) var frames: [CapturedFrame] = []
  /// The fault that ended the reading.
  public private(set) var error: CaptureError?
  /// The interfaces of the file.
  public private(set) var interfaces: [CaptureInterface] = []

  /// Reads `file`, lending it to the parser in refills of `chunk` bytes.
  public init(_ file: [UInt8], chunk: Int = .max) {
    var parser = CaptureFileParser()
    var buffer: [UInt8] = []
    var given = 0
    var offset = 0
    do throws(CaptureError) {
      reading: while true {
        switch try parser.next(buffer.span, at: &offset, isEnd: given == file.count) {
        case .packet(let packet): frames.append(Self.frame(packet, buffer))
        case .end: break reading
        case .needMore(let minimum):
          buffer.removeFirst(offset)
          offset = 0
          let wanted = max(minimum - buffer.count, 1)
          let count = min(max(wanted, chunk), file.count - given)
          buffer.append(contentsOf: file[given..<(given + count)])
          given += count
        }
      }
    } catch {
      self.error = error
    }
    interfaces = parser.interfaces
  }

  private static func frame(_ packet: CapturedPacket, _ buffer: [UInt8]) -> CapturedFrame {
    let comments = (0..<packet.commentCount).compactMap { index in
      packet.comment(index, in: buffer.span).map { String(decoding: buffer[$0], as: UTF8.self) }
    }
    return CapturedFrame(packet: packet, bytes: Array(buffer[packet.bytes]), comments: comments)
  }

  /// The bytes of a fixture of `Tests/Fixtures/pcap`.
  public static func fixture(_ name: String) throws -> [UInt8] {
    try Repository.bytes("Tests/Fixtures/pcap/\(name)")
  }

  /// The names of all fixtures.
  public static let fixtures: [String] = {
    let folder = Repository.top.appending(path: "Tests/Fixtures/pcap")
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).sorted()
  }()
}
