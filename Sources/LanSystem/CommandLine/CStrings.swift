import Glibc

/// Strings laid out for C: one block of bytes, each string ended by a zero byte.
struct CStrings {
  private var bytes: [CChar] = []
  private var offsets: [Int] = []

  /// Copies `strings`; one that holds a zero byte ends there for C.
  init(_ strings: [[UInt8]]) {
    for string in strings {
      offsets.append(bytes.count)
      bytes += string.map { CChar(bitPattern: $0) }
      bytes.append(0)
    }
  }

  /// Lends pointers to the strings, with a null pointer behind the last.
  mutating func withPointers<Result>(
    _ body: (UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let offsets = offsets
    return unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      var pointers = unsafe offsets.map { unsafe bytes.baseAddress?.advanced(by: $0) } + [nil]
      return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0) }
    }
  }
}

/// The length of a C string in bytes.
func length(of string: UnsafePointer<CChar>) -> Int { unsafe strlen(string) }
