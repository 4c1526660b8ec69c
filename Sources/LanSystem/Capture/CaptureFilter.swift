/// A filter expression for frames of any link type, compiled for each as it turns up.
///
/// Not for several threads at once: make one each.
public final class CaptureFilter {
  /// The expression as it was given.
  public let expression: String
  private var programs: [Int: Result<FilterProgram, CaptureError>] = [:]
  private var latest: FilterProgram?

  /// Checks `expression` against Ethernet, so that a mistake shows before anything is read.
  ///
  /// - Throws: `libraryMissing`, or `badFilter` with libpcap's words.
  public init(_ expression: String) throws(CaptureError) {
    self.expression = expression
    latest = try FilterProgram(expression, linkType: 1)
    if let latest { programs[1] = .success(latest) }
  }

  /// True if the expression holds for a frame; see `FilterProgram.matches`.
  ///
  /// - Throws: `badFilter` where the expression cannot be asked of this link type, such as `vlan` of
  ///   bare IP; each time, but compiled only once.
  public func matches(
    _ frame: Span<UInt8>, originalLength: Int, linkType: Int
  ) throws(CaptureError) -> Bool {
    if let latest, latest.linkType == linkType {
      return latest.matches(frame, originalLength: originalLength)
    }
    let known =
      programs[linkType]
      ?? Result { () throws(CaptureError) in try FilterProgram(expression, linkType: linkType) }
    programs[linkType] = known
    let program = try known.get()
    latest = program
    return program.matches(frame, originalLength: originalLength)
  }
}
