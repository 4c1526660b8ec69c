import LanCore
import LanSystem
import LanWire

/// Facts behind a verdict in sentences for people.
struct WatchWhy {
  let fact: WhyFact

  /// The sign in front: what the fact does to the verdict.
  var sign: String {
    switch fact.bearing {
    case .supports: "+"
    case .decides: "!"
    case .notes: "-"
    }
  }

  /// The fact in one line, without a full stop.
  var line: String { "\(family)\(sentence)\(reason)" }

  private var family: String { fact.isIPv6.map { $0 ? "IPv6: " : "IPv4: " } ?? "" }

  private var reason: String {
    guard case .text(let word)? = fact.value("reason"), let reason = VerdictReason(rawValue: word)
    else { return "" }
    return ": \(reason.localizedText)"
  }

  private var subject: String {
    switch fact.subject {
    case .none: ""
    case .interface(let name), .name(let name): name
    case .address(let address): address.text(zone: fact.ownZone)
    case .prefix(let prefix): "\(prefix)"
    }
  }

  private func text(_ key: String) -> String? { fact.value(key)?.description }
  private func isSet(_ key: String) -> Bool { fact.value(key) == .flag(true) }

  private var sentence: String {
    switch fact.word {
    case .name: name
    case .localAddress: "local address \(subject)"
    case .rule:
      "rule \(text("priority") ?? "")\(text("mark").map { " for mark \($0)" } ?? "") leads to \(table)"
    case .route: route
    case .noRoute: subject.isEmpty ? "nothing leads out" : "\(subject) is not led to"
    case .leg:
      "next hop \(text("gateway").map { "\($0) " } ?? "")on \(subject) is "
        + "\(text("state") ?? "")\(isSet("chosen") ? ", and chosen" : "")"
    case .partial: "only a part of the ways works"
    case .link: link
    case .members:
      "members of \(subject): \(text("members") ?? ""); carrying: \(nonEmpty("carrying") ?? "none")"
    case .source: "source \(subject)\(text("standing").map { " is \($0)" } ?? "")"
    case .nextHop: "first hop \(subject) is \(text("state") ?? "unknown")"
    case .nextHopFailed: "first hop \(subject) does not answer"
    case .radio:
      "radio (\(text("kind") ?? "other")) blocked by software: \(text("soft") ?? "no"), "
        + "by a switch: \(text("hard") ?? "no")"
    case .wireless: wireless
    case .tunnelLiveness: "whether the far end of \(subject) lives is not known to the kernel"
    case .groupAddress: "\(subject) is a \(text("kind") ?? "group") address"
    case .linkLocalByGateway:
      "link-local \(subject) leaves through gateway \(text("gateway") ?? "")"
    case .expires: "the route \(subject) ends by itself"
    case .portal: "the network announces a captive portal: \(text("uri") ?? subject)"
    case .nat64: "the network announces the NAT64 prefix \(subject)"
    case .metered: "metered: \(text("metered") ?? "unknown")"
    }
  }

  private func nonEmpty(_ key: String) -> String? { text(key).flatMap { $0.isEmpty ? nil : $0 } }

  private var name: String {
    guard let addresses = nonEmpty("addresses") else {
      return "name \(subject)\(text("error").map { " (\($0))" } ?? "")"
    }
    return "name \(subject) has \(addresses)"
  }

  private var table: String {
    switch text("table") {
    case "254"?: "table main"
    case "255"?: "table local"
    case "253"?: "table default"
    case let other?: "table \(other)"
    case nil: "no table"
    }
  }

  private var route: String {
    let kind = text("kind").map { $0 == "unicast" ? "" : " (\($0))" } ?? ""
    let origins = ["2": "kernel", "3": "boot", "4": "static", "9": "RA", "16": "DHCP"]
    let origin = text("protocol").map { " by \(origins[$0] ?? "protocol \($0)")" } ?? ""
    let metric = text("metric").map { ", metric \($0)" } ?? ""
    return "route \(subject)\(kind) in \(table)\(origin)\(metric)"
  }

  private var link: String {
    guard fact.value("operState") != nil else { return "link \(subject)" }
    let below = fact.value("below") == nil ? "link" : "link below,"
    var parts = [isSet("up") ? "up" : "off", isSet("carrier") ? "carrier" : "no carrier"]
    parts.append("state \(text("operState") ?? "unknown")")
    if isSet("protoDown") { parts.append("held down by a protocol") }
    if isSet("lowerInOtherNamespace") { parts.append("its lower link is in another namespace") }
    return "\(below) \(subject) (\(text("medium") ?? "unknown")): \(parts.joined(separator: ", "))"
  }

  private var wireless: String {
    var parts = ["\(subject) is a wireless \(text("role") ?? "link")"]
    if let network = text("network") { parts.append("network \"\(network)\"") }
    if let authorized = text("authorized") { parts.append("authorized: \(authorized)") }
    return parts.joined(separator: ", ")
  }
}
