import LanCore
import LanWire
import TestKit
import Testing

/// Responders of several machines on one wire, which takes a millisecond.
private struct Wire {
  var hosts: [MDNSResponder] = []
  var now: Int64 = 1_000 * ResponderBench.second
  /// The name that each host is known by, once it is announced.
  var names: [Int: String] = [:]
  var hostNames: [Int: String] = [:]
  var packets = 0
  private var flying: [(time: Int64, from: Int, packet: MDNSPacket)] = []

  static func address(_ host: Int) -> IPAddress {
    .v4(IPv4Address(bits: 0x0A00_0000 | UInt32(host + 1)))
  }

  mutating func add(_ host: String, _ instance: String) {
    let number = hosts.count
    var responder = MDNSResponder(
      MDNSResponder.Configuration(hostLabel: Array(host.utf8)), seed: UInt64(number + 1))
    responder.setLink(
      MDNSLink(
        index: 1, name: "v", families: .ipv4, prefixes: [IPPrefix(Self.address(number), 16)]),
      at: now)
    _ = responder.publish(
      ResponderBench.service(instance, port: UInt16(number + 1)), at: now)
    hosts.append(responder)
    collect(number)
  }

  mutating func collect(_ host: Int) {
    let output = hosts[host].output
    hosts[host].output = MDNSResponderOutput()
    for packet in output.packets {
      packets += 1
      flying.append((now + ResponderBench.millisecond, host, packet))
    }
    for event in output.events {
      if case .published(_, let name, let hostName, _) = event {
        names[host] = name.name.description
        hostNames[host] = hostName.description
      }
    }
  }

  mutating func run(_ seconds: Double) {
    let end = now + Int64(seconds * 1e9)
    while true {
      let arrival = flying.first?.time ?? .max
      let due = hosts.indices.min {
        hosts[$0].nextDeadline ?? .max < hosts[$1].nextDeadline ?? .max
      }
      let deadline = due.flatMap { hosts[$0].nextDeadline } ?? .max
      guard min(arrival, deadline) <= end else { break }
      now = max(now, min(arrival, deadline))
      if arrival <= deadline {
        let item = flying.removeFirst()
        deliver(item.packet, from: item.from)
      } else if let due {
        hosts[due].deadlineReached(at: now)
        collect(due)
      }
    }
    now = end
  }

  private mutating func deliver(_ packet: MDNSPacket, from sender: Int) {
    for host in hosts.indices {
      if let destination = packet.destination, destination.address != Self.address(host) {
        continue
      }
      hosts[host].handle(
        packet.bytes.span,
        MDNSArrival(
          interfaceIndex: 1, source: Self.address(sender),
          isMulticast: packet.destination == nil), at: now)
      collect(host)
    }
  }
}

@Suite("Responder: several machines on one wire") struct ResponderWireTests {
  @Test("hosts and services of one name that start together come apart (8.1, 8.2, 9)")
  func together() {
    for count in [2, 5, 20] {
      var wire = Wire()
      for _ in 0..<count { wire.add("deck", "Deck") }
      wire.run(120)
      #expect(wire.names.count == count)
      #expect(Set(wire.names.values).count == count)
      #expect(Set(wire.hostNames.values).count == count)
      #expect(wire.names.values.contains("Deck._t._tcp.local"))
      #expect(wire.hostNames.values.contains("deck.local"))
      // Then all is silent.
      let packets = wire.packets
      wire.run(3_600)
      #expect(wire.packets == packets)
      #expect(wire.hosts.allSatisfy { $0.nextDeadline == nil })
    }
  }

  @Test("who comes later takes another name, and the first is not disturbed (8.1, 9)") func later()
  {
    var wire = Wire()
    wire.add("deck", "Deck")
    wire.run(10)
    wire.add("deck", "Deck")
    wire.run(10)
    wire.add("deck", "Deck")
    wire.run(10)
    #expect(wire.names[0] == "Deck._t._tcp.local" && wire.hostNames[0] == "deck.local")
    #expect(wire.names[1] == "Deck (2)._t._tcp.local" && wire.hostNames[1] == "deck-2.local")
    #expect(wire.names[2] == "Deck (3)._t._tcp.local" && wire.hostNames[2] == "deck-3.local")
  }

  @Test("two wires that are joined: one of two equal names is changed, within seconds (9)")
  func joined() throws {
    var wire = Wire()
    wire.add("deck", "Deck")
    wire.run(10)
    var other = Wire()
    other.add("spare", "Spare")
    other.add("deck", "Deck")
    other.run(10)
    wire.add("spare", "Spare")
    wire.run(5)
    // Host 1 of the second wire appears on the first, as it is.
    wire.hosts[1] = other.hosts[1]
    wire.names[1] = other.names[1]
    wire.hostNames[1] = other.hostNames[1]
    // Somebody asks, and both answer.
    let query = try SampleMessage.query(["Deck._t._tcp.local"], type: .any)
    let host = try SampleMessage.query(["deck.local"], type: .any)
    for bytes in [query, host] {
      for index in wire.hosts.indices {
        wire.hosts[index].handle(
          bytes.span,
          MDNSArrival(
            interfaceIndex: 1, source: .v4(IPv4Address(bits: 0x0A00_00C8))), at: wire.now)
        wire.collect(index)
      }
    }
    wire.run(10)
    #expect(Set(wire.names.values) == ["Deck._t._tcp.local", "Deck (2)._t._tcp.local"])
    #expect(Set(wire.hostNames.values) == ["deck.local", "deck-2.local"])
    let packets = wire.packets
    wire.run(3_600)
    #expect(wire.packets == packets)
  }
}
