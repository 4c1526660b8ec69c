import LanWire

// Domain enumeration (RFC 6763 section 11).
extension ServiceBrowserMachine {
  /// The domains that are recommended, and where.
  struct DomainListing: Sendable {
    /// A recommendation on a link.
    struct Key: Hashable, Sendable {
      var domain: DNSName
      var kind: BrowsingDomainKind
      var link: UInt32
    }

    /// What each name that is asked for recommends for.
    var kinds: [DNSName: BrowsingDomainKind] = [:]
    /// The names that recommend each domain.
    var owners: [Key: [DNSName]] = [:]
  }

  mutating func startDomains() {
    for kind in BrowsingDomainKind.allCases {
      guard let name = kind.name(in: configuration.domain) else { continue }
      domainListing.kinds[name] = kind
      ask(name, .ptr, .start)
    }
    for link in links.keys.sorted() {
      refreshReverseDomains(on: link, old: [], new: links[link]?.prefixes ?? [])
    }
  }

  mutating func stopDomains() {
    guard configuration.listsDomains else { return }
    for kind in BrowsingDomainKind.allCases {
      if let name = kind.name(in: configuration.domain) { ask(name, .ptr, .stop) }
    }
    for link in links.keys.sorted() {
      refreshReverseDomains(on: link, old: links[link]?.prefixes ?? [], new: [])
    }
  }

  /// Asks for what the link's own networks recommend, by the reverse name of each one's first
  /// address; link-local networks are the same everywhere and recommend nothing.
  mutating func refreshReverseDomains(on link: UInt32, old: [IPPrefix], new: [IPPrefix]) {
    guard isStarted, configuration.listsDomains else { return }
    let oldDomains = Self.reverseDomains(old)
    let newDomains = Self.reverseDomains(new)
    for domain in newDomains where !oldDomains.contains(domain) {
      for kind in BrowsingDomainKind.allCases {
        guard let name = kind.name(in: domain) else { continue }
        domainListing.kinds[name] = kind
        ask(name, .ptr, on: link, .start)
      }
    }
    for domain in oldDomains where !newDomains.contains(domain) {
      for kind in BrowsingDomainKind.allCases {
        guard let name = kind.name(in: domain) else { continue }
        ask(name, .ptr, on: link, .stop)
        forgetDomains(of: name, on: link)
      }
    }
  }

  private static func reverseDomains(_ prefixes: [IPPrefix]) -> [DNSName] {
    var domains: [DNSName] = []
    for prefix in prefixes {
      guard let domain = BrowsingDomainKind.reverseDomain(of: prefix), !domains.contains(domain)
      else { continue }
      domains.append(domain)
    }
    return domains
  }

  mutating func takeDomain(_ answer: MDNSAnswer, _ domain: DNSName) {
    guard let kind = domainListing.kinds[answer.name] else { return }
    let key = DomainListing.Key(domain: domain, kind: kind, link: answer.interfaceIndex)
    if let owners = domainListing.owners[key] {
      if !owners.contains(answer.name) { domainListing.owners[key]?.append(answer.name) }
      return
    }
    guard domainListing.owners.count < configuration.instanceLimit else {
      tellLimit(configuration.instanceLimit)
      return
    }
    domainListing.owners[key] = [answer.name]
    noteNews()
    tell(.domainAdded(domain, kind, interfaceIndex: shown(key.link)))
  }

  mutating func loseDomain(_ answer: MDNSAnswer, _ domain: DNSName) {
    guard let kind = domainListing.kinds[answer.name] else { return }
    forget(
      DomainListing.Key(domain: domain, kind: kind, link: answer.interfaceIndex), answer.name)
  }

  private mutating func forgetDomains(of owner: DNSName, on link: UInt32) {
    for key in domainListing.owners.keys where key.link == link { forget(key, owner) }
  }

  private mutating func forget(_ key: DomainListing.Key, _ owner: DNSName) {
    guard let index = domainListing.owners[key]?.firstIndex(of: owner) else { return }
    domainListing.owners[key]?.remove(at: index)
    guard domainListing.owners[key]?.isEmpty == true else { return }
    domainListing.owners[key] = nil
    tell(.domainRemoved(key.domain, key.kind, interfaceIndex: shown(key.link)))
  }
}
