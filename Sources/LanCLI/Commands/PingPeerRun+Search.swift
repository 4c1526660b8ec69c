import LanCore
import LanSystem
import LanWire

/// Peers that are found first.
extension PingPeerRun {
  /// Looks for peers; the search has ended when the first probe is sent.
  func find(_ search: PingPeerConfiguration.Search) {
    guard let node, let reactor else { return }
    let finder = PingPeerFinder(search.types, configuration, node: node, on: reactor)
    self.finder = finder
    finder.onChange = { [unowned self] in
      guard let name = search.name else { return }
      if let peer = candidates.first(where: { $0.isNamed(name) && $0.isComplete }) {
        choose([peer])
      }
    }
    finder.onEnd = { [unowned self] in endSearch(search) }
    do throws(ServiceBrowserError) {
      try finder.start(PingPeerConfiguration.patience)
    } catch {
      endStatus = .undetermined
      screen.showFailure("searchFailed", "\(error)", of: nil)
      complain("\(error)")
      stop()
    }
  }

  /// The peers on the network but for this host's own.
  private var candidates: [FoundPeer] { finder?.peers.filter { !$0.isOwn } ?? [] }

  private func endSearch(_ search: PingPeerConfiguration.Search) {
    let peers = candidates
    if let name = search.name {
      if let peer = peers.first(where: { $0.isNamed(name) }) { return choose([peer]) }
      return findNothing(search, peers)
    }
    if peers.isEmpty { return findNothing(search, []) }
    choose(peers)
  }

  private func choose(_ peers: [FoundPeer]) {
    finder?.stop()
    test(
      peers.map { peer in
        let text = "\(peer.name.name)"
        return PingPeerTarget(
          text: text, query: ResolveQuery(text: text, subject: .service(peer.name)))
      })
  }

  private func findNothing(_ search: PingPeerConfiguration.Search, _ others: [FoundPeer]) {
    let types = search.types.map { "\($0)" }.joined(separator: " or ")
    var text: String
    if let name = search.name {
      text = "no peer '\(printable(Array(name.utf8)))' of type \(types) was found"
      if !others.isEmpty {
        let names = others.map { "'\(printable(Array($0.title.utf8)))'" }
        text += "; there are \(names.joined(separator: ", "))"
      }
    } else {
      text = "no peer of type \(types) was found"
    }
    if others.isEmpty {
      text +=
        search.isDefault
        ? "; start one with 'lantool serve', or name a TARGET such as host:port"
        : "; 'lantool browse' lists what there is"
    }
    endStatus = .negative
    finder?.stop()
    screen.showFailure("notFound", text, of: nil)
    complain(text)
    stop()
  }
}

extension FoundPeer {
  /// True for the instance's label or the whole name, the case of letters ignored.
  func isNamed(_ text: String) -> Bool {
    title.lowercased() == text.lowercased() || "\(name.name)".lowercased() == text.lowercased()
  }
}
