/// A verdict with what it rests on.
public struct Evaluation: Sendable {
  /// The verdict; of unknown status while look-ups are missing.
  public var verdict: Verdict
  /// The look-ups that have to be answered before the verdict is complete.
  public var missing: [KernelLookup]
  /// What may change the verdict.
  public var dependencies: Dependencies
  /// Hundredths of a second until a route of the way ends by itself; nil for never.
  public var expiresTicks: Int32?
}

/// What a verdict rests on: a change of anything else cannot change it.
public struct Dependencies: Hashable, Sendable {
  /// The links of the ways, by number.
  public var links: Set<UInt32> = []
  /// Any link may change it, as no way was found.
  public var anyLink = false
  /// Any address may change it, as the source is missing or on another link.
  public var anyAddress = false
  /// The first hops.
  public var neighbours: Set<NeighbourKey> = []
  /// A next hop object is part of a way.
  public var usesNextHopObjects = false

  /// Nothing.
  public init() {}

  mutating func formUnion(_ other: Dependencies) {
    links.formUnion(other.links)
    anyLink = anyLink || other.anyLink
    anyAddress = anyAddress || other.anyAddress
    neighbours.formUnion(other.neighbours)
    usesNextHopObjects = usesNextHopObjects || other.usesNextHopObjects
  }
}
