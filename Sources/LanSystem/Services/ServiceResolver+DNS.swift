import LanCore
import LanWire

/// Conventional DNS, asked directly: absolute names, with the server that answered.
extension ServiceResolver {
  /// Asks DNS if it serves `local`, which an SOA record of that name says.
  func checkLocal() {
    ask(.local, .soa) { [unowned self] answer in
      guard case .answers = answer.outcome else { return finish(.dnsIfLocalIsServed, .notFound) }
      confirmLocal()
      beginDNS(.dnsIfLocalIsServed)
    }
  }

  func beginDNS(_ source: ResolveSource) {
    switch query.subject {
    case .host:
      guard let name = query.name else { return finish(source, .notFound) }
      let collector = DNSCollector(of: addressTypes.count)
      for type in addressTypes {
        askAddresses(of: name, type, port: query.port, source, collector)
      }
    case .address(let address, _):
      ask(DNSName(reverseOf: address), .ptr) { [unowned self] answer in
        for record in answer.records {
          guard case .ptr(let name) = record.data else { continue }
          takeInRound(
            .address(
              ResolvedAddress(
                name: "\(name)", address: address, port: query.port,
                origin: origin(answer, record))), from: source)
        }
        finishRound(source, failure(answer))
      }
    case .service(let service): askService(service, source)
    case .record(let name, let type):
      ask(name, type) { [unowned self] answer in
        for record in answer.records {
          takeInRound(
            .record(
              ResolvedRecord(name: record.name, data: record.data, origin: origin(answer, record))),
            from: source)
        }
        finishRound(source, failure(answer))
      }
    }
  }

  private var addressTypes: [DNSRecordType] {
    (options.families.contains(.ipv4) ? [.a] : [])
      + (options.families.contains(.ipv6) ? [.aaaa] : [])
  }

  private func askAddresses(
    of name: DNSName, _ type: DNSRecordType, port: UInt16?, _ source: ResolveSource,
    _ collector: DNSCollector
  ) {
    ask(name, type) { [unowned self] answer in
      for record in answer.records {
        let address: IPAddress
        switch record.data {
        case .a(let value): address = .v4(value)
        case .aaaa(let value): address = .v6(value)
        default: continue
        }
        takeInRound(
          .address(
            ResolvedAddress(
              name: "\(name)", address: address, port: port, origin: origin(answer, record))),
          from: source)
      }
      collector.add(failure(answer))
      if collector.isComplete { finishRound(source, collector.failure) }
    }
  }

  /// SRV and TXT at once, then the addresses of the hosts that SRV names.
  private func askService(_ service: ServiceInstanceName, _ source: ResolveSource) {
    var text: [[UInt8]]?
    var targets: UnicastAnswer?
    var pending = 2
    func proceed() {
      pending -= 1
      guard pending == 0, let targets else { return }
      follow(targets, text, service, source)
    }
    ask(service.name, .txt) { answer in
      if case .txt(let strings)? = answer.records.first?.data { text = strings }
      proceed()
    }
    ask(service.name, .srv) { answer in
      targets = answer
      proceed()
    }
  }

  private func follow(
    _ answer: UnicastAnswer, _ text: [[UInt8]]?, _ service: ServiceInstanceName,
    _ source: ResolveSource
  ) {
    var found: [ResolvedService] = []
    for record in answer.records {
      guard case .srv(let priority, let weight, let port, let target) = record.data else {
        continue
      }
      found.append(
        ResolvedService(
          name: service, host: target, port: port, priority: priority, weight: weight, text: text,
          origin: origin(answer, record)))
    }
    found.sort { ($0.priority, $1.weight) < ($1.priority, $0.weight) }
    for entry in found { takeInRound(.service(entry), from: source) }
    let hosts = found.filter { !$0.isPlaceholder }
    guard !hosts.isEmpty else { return finishRound(source, failure(answer)) }
    let collector = DNSCollector(of: hosts.count * addressTypes.count)
    for entry in hosts {
      for type in addressTypes {
        askAddresses(of: entry.host, type, port: entry.port, source, collector)
      }
    }
  }

  // MARK: Parts

  private func ask(
    _ name: DNSName, _ type: DNSRecordType, _ handler: @escaping (UnicastAnswer) -> Void
  ) {
    let begun = start
    questions.append(
      context.dns.query(name, type) { [weak self] answer in
        guard let self, isRunning, start == begun else { return }
        handler(answer)
        proceed()
      })
  }

  private func origin(_ answer: UnicastAnswer, _ record: DNSRecord) -> ResolveOrigin {
    var origin = ResolveOrigin(.dns, elapsed: elapsed)
    origin.server = answer.server.map { $0.port == 53 ? "\($0.address)" : "\($0)" }
    origin.ttl = record.ttl
    return origin
  }

  private func failure(_ answer: UnicastAnswer) -> ResolveFailure? {
    switch answer.outcome {
    case .answers: return answer.records.isEmpty ? .notFound : nil
    case .noData:
      if case .host = query.subject { return .noAddress }
      return .notFound
    case .nxdomain: return .notFound
    case .failed(.timeout): return .noAnswer
    case .failed(let failure): return .failed("DNS: \(failure)")
    }
  }
}

/// Waits for the answers to several questions.
private final class DNSCollector {
  private var pending: Int
  private var failures: [ResolveFailure] = []
  private var hasAnswer = false

  init(of count: Int) { pending = count }

  func add(_ failure: ResolveFailure?) {
    pending -= 1
    if let failure { failures.append(failure) } else { hasAnswer = true }
  }

  var isComplete: Bool { pending == 0 }
  var failure: ResolveFailure? { hasAnswer ? nil : failures.first ?? .notFound }
}
