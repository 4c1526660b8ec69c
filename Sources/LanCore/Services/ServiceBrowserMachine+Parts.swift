import LanWire

extension ServiceBrowserMachine {
  /// What is known of a link.
  struct LinkFacts: Sendable {
    var name: String
    var prefixes: [IPPrefix]
    var own: Set<IPAddress>
    var isGone = false

    init(_ link: MDNSLink) {
      name = link.name
      prefixes = link.prefixes
      own = Set(link.prefixes.map(\.address))
    }
  }

  /// A name on a link.
  struct LinkName: Hashable, Sendable {
    var name: DNSName
    var link: UInt32
  }

  /// A name whose PTR records are instances.
  struct Pointer: Sendable {
    var name: DNSName
    var type: ServiceType
    /// The name of the type itself, which instances' names end in.
    var base: DNSName
    /// The user asked for it, so it stays.
    var isConfigured: Bool
    /// How many instances it has.
    var instanceCount = 0
    /// On how many links the type is announced (RFC 6763 section 9).
    var announcements = 0
    /// The records on each link, where only types are listed.
    var heard: [UInt32: Set<DNSName>] = [:]
  }

  /// A PTR record that points to an instance.
  struct Source: Sendable {
    var pointer: Int32
    var ttl: UInt32
    var families: MDNSFamilies
  }

  /// An instance on a link.
  struct Instance: Sendable {
    var name: DNSName
    var link: UInt32
    /// The number of the SRV target's host; -1 for none.
    var host: Int32 = -1
    var isTold = false
    var isDirty = false
    /// `added` has waited long enough.
    var isLate = false
    /// The PTR records were doubted since the last SRV record came.
    var isDoubted = false
    var sources: [Source]
    var resolution = InstanceResolution()
    /// A hash of the facts that were told last.
    var toldFacts = 0
  }

  /// A host on a link whose addresses are asked for.
  struct Host: Sendable {
    var name: DNSName
    var link: UInt32
    /// The instances that are served there.
    var users: Set<Int32>
    var addresses = HostAddresses()
    /// The questions were asked a second time.
    var isRetried = false
  }

  /// What is looked at again although nothing came.
  enum Recheck: Sendable {
    case instance(SlotReference)
    case host(SlotReference)
  }

  /// What happens to a question.
  enum Asking { case start, stop }

  /// Questions for SRV and TXT records on a link before they are given up: 0, 1, 3, 7, 15, 31 s.
  static let recordAttempts = 6
  /// Questions for each family's addresses: 0, 1, 3, 7 s.
  static let addressAttempts = 4

  /// Starts or stops a question on all links that are browsed.
  mutating func ask(
    _ name: DNSName, _ type: DNSRecordType, _ asking: Asking, _ effort: MDNSEffort = .unlimited
  ) {
    if configuration.interfaces.isEmpty {
      demand(MDNSQuestion(name, type), asking, effort)
    } else {
      for link in configuration.interfaces.sorted() {
        demand(MDNSQuestion(name, type, interfaceIndex: link), asking, effort)
      }
    }
  }

  /// Starts or stops a question on one link.
  mutating func ask(
    _ name: DNSName, _ type: DNSRecordType, on link: UInt32, _ asking: Asking,
    _ effort: MDNSEffort = .unlimited
  ) {
    let link = configuration.origin == .mdns ? link : nil
    demand(MDNSQuestion(name, type, interfaceIndex: link), asking, effort)
  }

  private mutating func demand(
    _ question: MDNSQuestion, _ asking: Asking, _ effort: MDNSEffort
  ) {
    switch asking {
    case .start: demands.append(.start(question, configuration.isPassive ? .passive : effort))
    case .stop: demands.append(.stop(question))
    }
  }

  /// Notes that there is something new.
  mutating func noteNews() { settling.lastNews = clock }
}
