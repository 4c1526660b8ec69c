public import LanWire

/// What a browser tells, in order.
public enum ServiceEvent: Hashable, Sendable {
  /// A new instance; not complete only when SRV, TXT or an address did not come in time.
  case added(DiscoveredService)
  /// Something about a known instance is different.
  case updated(DiscoveredService)
  /// The instance is gone, given as it was at last.
  case removed(DiscoveredService, MDNSRemovalCause)
  /// A service type exists on the link (RFC 6763 section 9).
  case typeAdded(ServiceType, domain: DNSName, interfaceIndex: UInt32?)
  /// No instance or announcement of the type is left.
  case typeRemoved(ServiceType, domain: DNSName, interfaceIndex: UInt32?)
  /// A domain that is recommended for browsing (RFC 6763 section 11).
  case domainAdded(DNSName, BrowsingDomainKind, interfaceIndex: UInt32?)
  /// The domain is not recommended any more.
  case domainRemoved(DNSName, BrowsingDomainKind, interfaceIndex: UInt32?)
  /// Nothing more waits now (`moreComing` is false): the moment to sort and redraw.
  case batchEnded
  /// The first list is complete, as far as one can know.
  case settled
  /// Something was left out or went wrong.
  case diagnostic(MDNSDiagnostic)
}
