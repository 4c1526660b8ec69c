import LanCore
import LanSystem
import LanWire

/// Peers that are found first.
extension PingPeerRun {
  /// An empty list is not called empty before this.
  private static let silence = Duration.seconds(1)

  /// Looks for peers; the search has ended when the first probe is sent.
  func find(_ search: PingPeerConfiguration.Search) {
    guard let node, let reactor else { return }
    let finder = PingPeerFinder(search.types, configuration, node: node, on: reactor)
    self.finder = finder
    finder.onChange = { [unowned self] in
      if picker != nil { return refreshPicker() }
      guard let name = search.name else { return }
      if let peer = candidates.first(where: { $0.isNamed(name) && $0.isComplete }) {
        choose([peer])
      }
    }
    finder.onEnd = { [unowned self] in endSearch(search) }
    if screen.hasLine {
      reactor.schedule(after: Self.silence) { [unowned self] in
        guard !isEnding, trials.isEmpty, picker == nil else { return }
        screen.isSearching = true
        redraw()
        screen.flush()
      }
    }
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
    let canChoose = screen.hasLine && screen.isText && TerminalKeys.isPossible
    if peers.count > 1, !search.isAll, canChoose, openPicker() { return }
    choose(peers)
  }

  // MARK: Choosing

  /// Lets somebody choose; false where the terminal cannot be used for it.
  private func openPicker() -> Bool {
    guard let reactor else { return false }
    picker = PeerPicker()
    do throws(SystemError) {
      keys = try TerminalKeys(on: reactor, hidesCursor: true) { [unowned self] in take($0) }
    } catch {
      picker = nil
      return false
    }
    screen.makeRoom()
    refreshPicker()
    return true
  }

  func refreshPicker() {
    picker?.update(candidates)
    if let picker { screen.draw(picker) }
    screen.flush()
  }

  private func take(_ key: TerminalKey) {
    guard let outcome = picker?.take(key) else { return }
    switch outcome {
    case .open: refreshPicker()
    case .chosen(let peers):
      closePicker()
      choose(peers)
    case .cancelled:
      endStatus = .negative
      closePicker()
      stop()
    }
  }

  /// Takes the list away and gives the terminal back.
  func closePicker() {
    guard picker != nil else { return }
    screen.draw(nil)
    screen.flush()
    keys?.stop()
    (picker, keys) = (nil, nil)
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
