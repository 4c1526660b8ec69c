import LanCore
import LanWire

/// What a run has found, and what follows from it.
struct BrowseLedger {
  /// What makes a service the same one: the same name on two links is two services.
  struct Key: Hashable {
    var name: DNSName
    var interfaceIndex: UInt32?

    init(_ service: DiscoveredService) {
      name = service.name
      interfaceIndex = service.interfaceIndex
    }
  }

  /// A service type or domain, where it was heard of.
  struct Place: Hashable {
    var text: String
    var interfaceIndex: UInt32?
  }

  /// Why a run is over.
  enum End: Hashable {
    /// The first list is complete and nothing more is waited for.
    case settled
    /// Everything that `--expect` names is there.
    case expected
    /// `--duration` has passed, or a signal came.
    case stopped
    /// `--timeout` has passed.
    case timedOut
    /// The capture was read to its end.
    case fileEnded
  }

  /// The services that are there.
  private(set) var services: [Key: DiscoveredService] = [:]
  private(set) var types: Set<Place> = []
  private(set) var domains: Set<Place> = []
  private(set) var isSettled = false
  private(set) var addedCount = 0
  private(set) var updatedCount = 0
  private(set) var removedCount = 0
  /// Own services that nobody wants to see.
  private var hidden: Set<Key> = []
  private var present: [Int: Set<Key>] = [:]
  private let configuration: BrowseConfiguration

  init(_ configuration: BrowseConfiguration) { self.configuration = configuration }

  // MARK: What comes

  /// Takes what happened to a service; gives what is to be shown of it, nil for nothing.
  mutating func take(_ service: DiscoveredService, _ change: ServiceChange) -> ServiceChange? {
    let key = Key(service)
    if !change.isPresent {
      forget(key)
      if hidden.remove(key) != nil { return nil }
      removedCount += 1
      return change
    }
    let isHidden = configuration.ignoresOwn && service.isOwn
    if isHidden, services[key] == nil {
      hidden.insert(key)
      return nil
    }
    // What was hidden and is no longer own is new to whoever looks.
    let shown = hidden.remove(key) != nil || services[key] == nil ? .added : change
    services[key] = service
    remember(service, key)
    if shown == .added { addedCount += 1 } else { updatedCount += 1 }
    return shown
  }

  private mutating func forget(_ key: Key) {
    services[key] = nil
    for index in present.keys { present[index]?.remove(key) }
  }

  private mutating func remember(_ service: DiscoveredService, _ key: Key) {
    for (index, expected) in configuration.expected.enumerated() where expected.matches(service) {
      if isThere(service) {
        present[index, default: []].insert(key)
      } else {
        present[index]?.remove(key)
      }
    }
  }

  private func isThere(_ service: DiscoveredService) -> Bool {
    !configuration.resolves || service.isComplete && !service.isPlaceholder
  }

  /// Takes a service type that came or went; true if it is news.
  mutating func take(type: ServiceType, interfaceIndex: UInt32?, isAdded: Bool) -> Bool {
    let isNews = Self.change(
      &types, Place(text: "\(type)".lowercased(), interfaceIndex: interfaceIndex), isAdded)
    if isNews, configuration.subject == .types { count(isAdded) }
    return isNews
  }

  /// Takes a recommended domain that came or went; true if it is news.
  mutating func take(
    domain: DNSName, _ kind: BrowsingDomainKind, interfaceIndex: UInt32?, isAdded: Bool
  ) -> Bool {
    let place = Place(
      text: "\(kind.rawValue) \(domain)".lowercased(), interfaceIndex: interfaceIndex)
    let isNews = Self.change(&domains, place, isAdded)
    if isNews, configuration.subject == .domains { count(isAdded) }
    return isNews
  }

  private mutating func count(_ isAdded: Bool) {
    if isAdded { addedCount += 1 } else { removedCount += 1 }
  }

  private static func change(_ set: inout Set<Place>, _ place: Place, _ isAdded: Bool) -> Bool {
    isAdded ? set.insert(place).inserted : set.remove(place) != nil
  }

  /// Takes that the first list is complete.
  mutating func settle() { isSettled = true }

  // MARK: What follows

  /// Why the run is over by what it has found; nil for not yet.
  var end: End? {
    if !configuration.expected.isEmpty, isFulfilled { return .expected }
    return isSettled && configuration.endsWhenSettled ? .settled : nil
  }

  /// Everything that `--expect` names is there; with `--any`, something.
  var isFulfilled: Bool {
    let there = configuration.expected.indices.map { present[$0]?.isEmpty == false }
    return configuration.isAny ? there.contains(true) : !there.contains(false)
  }

  /// The names of `--expect` that are not there.
  var missing: [String] {
    configuration.expected.enumerated().filter { present[$0.offset]?.isEmpty != false }
      .map(\.element.typed)
  }

  /// The exit status of a run that is over for this reason.
  func status(_ end: End) -> ExitStatus {
    let hasResult = configuration.expected.isEmpty ? addedCount > 0 : isFulfilled
    switch end {
    case .expected: return .success
    case .timedOut: return hasResult ? .success : .timedOut
    case .fileEnded: return configuration.expected.isEmpty || hasResult ? .success : .negative
    case .settled, .stopped: return hasResult ? .success : .negative
    }
  }

  /// The services to be listed: own ones only where they are wanted.
  var listed: [DiscoveredService] {
    services.values.filter { !(configuration.ignoresOwn && $0.isOwn) }
  }

  /// The run in numbers.
  func summary(duration: Int64) -> BrowseSummary {
    var summary = BrowseSummary()
    summary.subject = configuration.subject
    switch configuration.subject {
    case .services: summary.present = services.count
    case .types: summary.present = types.count
    case .domains: summary.present = domains.count
    }
    summary.names = Set(services.keys.map(\.name)).count
    summary.types = Set(services.values.map(\.type.base)).count
    summary.interfaces = Set(services.keys.map(\.interfaceIndex)).count
    (summary.added, summary.updated, summary.removed) = (addedCount, updatedCount, removedCount)
    summary.isSettled = isSettled
    summary.duration = duration
    return summary
  }
}
