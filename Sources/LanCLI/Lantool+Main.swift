public import LanCore

extension Lantool {
  /// Runs the command line `arguments` (without the program's name) and gives its exit status.
  public static func run() -> Int32 { 0 }
}
