import Foundation
import Glibc
import LanCore
import LanWire
import Synchronization
import TestKit

@testable import LanSystem

/// What a node told its client, in order.
final class RecordingClient: MDNSClient {
  var links: [UInt32: MDNSLink] = [:]
  /// One line for each call, with the link's name.
  var log: [String] = []
  var changes: [MDNSChange] = []
  var diagnostics: [MDNSNodeDiagnostic] = []
  var demands: [MDNSDemand] = []
  var batches = 0

  func setLink(_ link: MDNSLink, at now: Int64) {
    log.append("set \(link.name)")
    links[link.index] = link
  }
  func removeLink(_ index: UInt32, at now: Int64) {
    log.append("remove \(links.removeValue(forKey: index)?.name ?? "?")")
  }
  func handle(_ change: MDNSChange, at now: Int64) { changes.append(change) }
  func batchEnded(at now: Int64) { batches += 1 }
  var nextDeadline: Int64? { nil }
  func deadlineReached(at now: Int64) {}
  func takeDemands() -> [MDNSDemand] {
    defer { demands = [] }
    return demands
  }
  func nodeDidReport(_ diagnostic: MDNSNodeDiagnostic) { diagnostics.append(diagnostic) }

  func link(_ name: String) -> MDNSLink? { links.values.first { $0.name == name } }
}

extension Reactor {
  /// Runs until `condition` holds; false if it does not in time.
  func run(seconds: Double = 5, until condition: @escaping () -> Bool) throws -> Bool {
    let end = MonotonicClock.now + Int64(seconds * 1e9)
    var holds = false
    func look() {
      holds = condition()
      if holds || MonotonicClock.now >= end { return stop() }
      schedule(after: .milliseconds(5)) { look() }
    }
    schedule(after: .zero) { look() }
    try run()
    return holds
  }

  /// Runs for a time, and nothing of its own wakes it meanwhile.
  func run(for duration: Duration) throws {
    schedule(after: duration) { self.stop() }
    try run()
  }
}

/// A socket on port 5353 in another namespace than that of the thread that uses it.
final class Peer: @unchecked Sendable {
  struct Datagram {
    var bytes: [UInt8]
    var info: DatagramInfo
  }
  let socket: DatagramSocket
  let indexes: [String: UInt32]
  private let batch: DatagramBatch

  /// A socket in `namespace`, bound to everything and joined on all its cables.
  init(_ family: DatagramSocket.Family, in namespace: String, port: UInt16 = 5353) throws {
    let made = Mutex<Result<(Box<DatagramSocket>, [String: UInt32]), any Error>?>(nil)
    let thread = try WorkerThread {
      let result = Result { () throws in
        try NetworkNamespace.enter(namespace)
        let socket = try DatagramSocket(family, isShared: true)
        try socket.setHopLimit(255)
        socket.setReceiveBuffer(1 << 20)
        try socket.bind(to: SocketEndpoint(Self.everything(family), port: port))
        var indexes: [String: UInt32] = [:]
        for interface in try InterfaceList.all() where interface.name.hasPrefix("v") {
          try socket.join(MDNSSocket.group(family), on: interface)
          indexes[interface.name] = interface.index
          // igmp_max_memberships; whoever has more cables only sends on the rest.
          if indexes.count == 20 { break }
        }
        for interface in try InterfaceList.all() { indexes[interface.name] = interface.index }
        return (Box(socket), indexes)
      }
      made.withLock { $0 = result }
    }
    thread.join()
    guard let result = made.withLock({ $0 }), let batch = DatagramBatch() else {
      throw LabError(what: "no peer")
    }
    let (box, indexes) = try result.get()
    (socket, self.indexes, self.batch) = (box.value, indexes, batch)
  }

  private static func everything(_ family: DatagramSocket.Family) -> IPAddress {
    family == .ipv4 ? .v4(IPv4Address(bits: 0)) : .v6(IPv6Address(high: 0, low: 0))
  }

  /// Sends to the group on one cable.
  func send(_ bytes: [UInt8], on interface: String) throws {
    let index = indexes[interface] ?? 0
    let to = SocketEndpoint(
      MDNSSocket.group(socket.family), port: 5353, scope: socket.family == .ipv6 ? index : 0)
    while try !socket.send(bytes.span, to: to, interfaceIndex: index) { usleep(100) }
  }

  /// Sends to one host.
  func send(_ bytes: [UInt8], to address: String) throws {
    guard let address = IPAddress(parsing: address) else { throw LabError(what: address) }
    _ = try socket.send(bytes.span, to: SocketEndpoint(address, port: 5353))
  }

  /// Everything that has come by now.
  func received() throws -> [Datagram] {
    var all: [Datagram] = []
    while try socket.receive(into: batch) > 0 {
      batch.forEach { bytes, info in
        all.append(Datagram(bytes: bytes.withUnsafeBufferPointer { Array($0) }, info: info))
      }
    }
    return all
  }
}

private final class Box<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
