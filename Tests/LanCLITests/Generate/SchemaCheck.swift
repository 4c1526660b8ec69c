import Foundation

/// Holds JSON Lines against the schemas of the project.
enum SchemaCheck {
  /// What is wrong with the lines of a subcommand, line by line; empty where nothing is.
  ///
  /// Nothing is looked at, with a printed reason, where Python or its jsonschema are missing.
  static func faults(_ lines: String, of command: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
    try Data(lines.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    // By the shell, so that it is the Python that the user's path names.
    let script = """
      python3 -c 'import jsonschema' 2>/dev/null || exit 77
      python3 schema/check.py schema/lantool.\(command).schema.json < "$1" || echo "failed: $?"
      """
    let run = try Shell.run("sh", ["-c", script, "sh", file.path])
    if run.status != 77 { return run.text }
    print("skipped: python3 has no jsonschema")
    return ""
  }
}
