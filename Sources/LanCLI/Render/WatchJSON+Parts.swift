import LanCore
import LanSystem
import LanWire

extension IPAddress {
  /// The address as text; one that means nothing without an interface carries `zone`.
  func text(zone: String?) -> String {
    guard needsZone, let zone else { return "\(self)" }
    return "\(self)%\(zone)"
  }
}

extension WhyFact {
  /// Writes the fact as a JSON object.
  func appendJSON(zone: String?, to out: inout OutputBuffer) {
    out.append("{\"fact\":\"")
    out.append(text: word.rawValue)
    out.append("\",\"bearing\":\"")
    out.append(text: bearing.rawValue)
    out.append("\"")
    if let isIPv6 { out.appendJSON("family", isIPv6 ? "ipv6" : "ipv4") }
    switch subject {
    case .none: break
    case .interface(let name): out.appendJSON("interface", name)
    case .address(let address): out.appendJSON("address", address.text(zone: ownZone ?? zone))
    case .prefix(let prefix): out.appendJSON("prefix", "\(prefix)")
    case .name(let name): out.appendJSON("name", name)
    }
    for value in values {
      out.append(",")
      out.appendJSON(string: value.key)
      out.append(":")
      switch value.content {
      case .text(let text): out.appendJSON(string: text)
      case .number(let number): out.append(number)
      case .flag(let flag): out.append(bool: flag)
      case .address(let address): out.appendJSON(string: address.text(zone: ownZone ?? zone))
      case .list(let list): out.appendJSON(list: list)
      }
    }
    out.append("}")
  }

  /// The interface that the fact itself names.
  var ownZone: String? {
    if case .interface(let name) = subject { return name }
    if case .text(let name)? = value("interface") { return name }
    return nil
  }
}

extension LinkTable {
  /// The name of a link; its number where it is not known any more.
  func name(of index: UInt32) -> String { self[index]?.name ?? "\(index)" }
}

extension KernelEvent {
  /// False for a change of a link of which nothing would show.
  var isTelling: Bool {
    guard action == .changed, case .link(let link, let previous?) = subject else { return true }
    return link.flags != previous.flags || link.operational != previous.operational
      || link.master != previous.master || link.isProtocolDown != previous.isProtocolDown
      || link.name != previous.name
  }

  /// The word in `event`.
  var word: StaticString {
    switch subject {
    case .link: "link"
    case .address: "address"
    case .route: "route"
    case .neighbour: "neighbour"
    }
  }

  /// Writes the members that tell what the event is about.
  func appendJSON(_ links: LinkTable, to out: inout OutputBuffer) {
    switch subject {
    case .link(let link, let previous):
      out.appendJSON("operState", link.operational.word)
      out.appendJSON("carrier", link.hasCarrier)
      out.appendJSON("up", link.isUp)
      if let previous, previous.name != link.name { out.appendJSON("previousName", previous.name) }
      if let master = link.master { out.appendJSON("master", links.name(of: master)) }
      if let master = previous?.master, master != link.master {
        out.appendJSON("previousMaster", links.name(of: master))
      }
    case .address(let address):
      out.appendJSON("family", address.address.isIPv6 ? "ipv6" : "ipv4")
      out.appendJSON("address", address.text(zone: interface))
      out.appendJSON("standing", address.standing.rawValue)
      if let peer = address.peer { out.appendJSON("peer", peer.text(zone: interface)) }
    case .route(let route, let previous):
      appendJSON(route, previous, to: &out)
    case .neighbour(let key, let state):
      out.appendJSON("family", key.address.isIPv6 ? "ipv6" : "ipv4")
      out.appendJSON("address", key.address.text(zone: interface))
      out.appendJSON("state", state.rawValue)
    }
  }

  private func appendJSON(
    _ route: DefaultRoute, _ previous: DefaultRoute?, to out: inout OutputBuffer
  ) {
    out.appendJSON("family", route.destination.address.isIPv6 ? "ipv6" : "ipv4")
    out.appendJSON("destination", "\(route.destination)")
    if let gateway = route.legs.lazy.compactMap(\.gateway).first {
      out.appendJSON("gateway", gateway.text(zone: interface))
    }
    if route.legs.count > 1 {
      out.appendJSON("gateways", route.legs.compactMap { $0.gateway?.text(zone: interface) })
    }
    if let gateway = previous?.legs.lazy.compactMap(\.gateway).first {
      out.appendJSON("previousGateway", gateway.text(zone: interface))
    }
    out.appendJSON("table", route.table)
    out.appendJSON("metric", route.priority)
  }
}

extension InterfaceAddress {
  /// The address with its prefix length, and its zone where it needs one.
  func text(zone: String?) -> String { "\(address.text(zone: zone))/\(prefixLength)" }
}
