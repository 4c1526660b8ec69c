import LanSystem

/// Begins JSON Lines with the members of every subcommand: `schema`, `event`, `time` and `seq`.
struct JSONLineHead {
  private let schema: StaticString
  /// The number of the line that was begun last.
  private(set) var sequence: Int
  private var time = TimeText()

  /// Heads of `schema`, numbered on from `sequence`.
  init(_ schema: StaticString, after sequence: Int = 0) {
    self.schema = schema
    self.sequence = sequence
  }

  /// Writes the next line's head up to its last member; the line is the caller's to end.
  ///
  /// `wall` is nanoseconds since 1970, nil where there is no clock, as in a capture without times.
  mutating func append(_ event: StaticString, at wall: Int64?, to out: inout OutputBuffer) {
    sequence += 1
    out.append("{\"schema\":\"")
    out.append(schema)
    out.append("\",\"event\":\"")
    out.append(event)
    out.append("\"")
    if let wall {
      out.append(",\"time\":\"")
      time.appendUTC(wall, digits: 6, to: &out)
      out.append("\"")
    }
    out.appendJSON("seq", sequence)
  }
}
