public import LanWire

extension IPAddress {
  /// How many leading bits two addresses of one family have in common; 0 for different families.
  public func commonPrefixLength(with other: IPAddress) -> Int {
    switch (self, other) {
    case (.v4(let left), .v4(let right)): (left.bits ^ right.bits).leadingZeroBitCount
    case (.v6(let left), .v6(let right)):
      left.high == right.high
        ? 64 + (left.low ^ right.low).leadingZeroBitCount
        : (left.high ^ right.high).leadingZeroBitCount
    default: 0
    }
  }
}
