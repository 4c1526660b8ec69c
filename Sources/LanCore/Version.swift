/// The version of the toolkit, as `--version` prints it.
public enum Lantool {
  /// Semantic version; the same in the man pages and the changelog.
  public static let version = "0.1.0"
}
