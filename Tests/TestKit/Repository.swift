import Foundation

/// Where tests find files: the checkout, the papers beside it, the built program.
public enum Repository {
  /// The top folder of the checkout.
  public static let top = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder `shared` beside the checkout; nil where there is none.
  public static let shared: URL? = {
    let folder = top.deletingLastPathComponent().appending(path: "shared")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// The bytes of `path`, relative to the top of the checkout.
  public static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: top.appending(path: path)))
  }

  /// Why tests that read `shared` are skipped, printed with the skip.
  public static let sharedMissing: String =
    "the folder ../shared is not beside this checkout, so its captures cannot be read"
}
