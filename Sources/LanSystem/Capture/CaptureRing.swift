import Glibc

/// How an output is spread over several files of bounded size.
public struct CaptureRing: Hashable, Sendable {
  /// A new file starts before this many bytes would be passed.
  public var fileSize: Int
  /// How many files are kept, the oldest being deleted; nil keeps all.
  public var fileCount: Int?

  /// A ring from its bounds; both are at least 1.
  public init(fileSize: Int, fileCount: Int? = nil) {
    self.fileSize = max(fileSize, 1)
    self.fileCount = fileCount.map { max($0, 1) }
  }

  /// The name of a file of the ring: `name_00001_20261130150102.pcapng` for `name.pcapng`.
  ///
  /// - Parameters:
  ///   - path: The path that the user gave.
  ///   - sequence: 1 for the first file.
  ///   - time: Seconds since 1970; the name has the local time.
  /// - Returns: The path of that file.
  public static func path(_ path: String, sequence: Int, time: Int) -> String {
    var seconds = time
    var fields = unsafe tm()
    unsafe localtime_r(&seconds, &fields)
    let numbers = unsafe [
      (Int(fields.tm_year) + 1900, 4), (Int(fields.tm_mon) + 1, 2), (Int(fields.tm_mday), 2),
      (Int(fields.tm_hour), 2), (Int(fields.tm_min), 2), (Int(fields.tm_sec), 2),
    ]
    let stamp = numbers.map { padded($0.0, to: $0.1) }.joined()
    let file = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
    let start = file ?? path.startIndex
    // A dot that starts the name makes a hidden file, not an ending.
    let dot = path[start...].lastIndex(of: ".").flatMap { $0 == start ? nil : $0 } ?? path.endIndex
    return "\(path[..<dot])_\(padded(sequence, to: 5))_\(stamp)\(path[dot...])"
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}
