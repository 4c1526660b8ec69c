import LanCore
import LanWire
import TestKit

/// Hosts that answer questions as responders do: not what is known already, and after a while.
struct ScriptedResponder {
  /// The records of each host; each answers in a packet of its own.
  var hosts: [[DNSRecord]]
  /// The part of the answers that is lost.
  var loss = 0.0
  /// The part of the answers that comes twice.
  var duplication = 0.0
  var random = SeededGenerator(seed: 7)
  var pending: [(time: Int64, bytes: [UInt8])] = []

  init(hosts: [[DNSRecord]], loss: Double = 0, duplication: Double = 0) {
    self.hosts = hosts
    self.loss = loss
    self.duplication = duplication
  }

  /// Answers what was sent at one time.
  mutating func answer(_ messages: [DNSMessage], at now: Int64) {
    let questions = messages.flatMap(\.questions)
    let known = Set(messages.flatMap(\.answers).map { Known(name: $0.name, data: $0.data) })
    let asked = Set(questions.map { MDNSQuestion($0.name, $0.type) })
    for host in hosts {
      let answers = host.filter { record in
        (asked.contains(MDNSQuestion(record.name, record.type))
          || asked.contains(MDNSQuestion(record.name, .any)))
          && !known.contains(Known(name: record.name, data: record.data))
      }
      guard !answers.isEmpty, let bytes = try? SampleMessage.response(answers) else { continue }
      for _ in 0..<(Double.random(in: 0..<1, using: &random) < duplication ? 2 : 1)
      where Double.random(in: 0..<1, using: &random) >= loss {
        let delay = Int64.random(in: 1...100, using: &random) * QuerierBench.millisecond
        pending.append((now + delay, bytes))
      }
    }
  }

  private struct Known: Hashable {
    var name: DNSName
    var data: DNSRecordData
  }
}

extension QuerierBench {
  /// Does what is due up to `end` while hosts answer.
  mutating func run(until end: Int64, with responder: inout ScriptedResponder) {
    while true {
      let next = responder.pending.indices.min {
        responder.pending[$0].time < responder.pending[$1].time
      }
      let arrival = next.map { responder.pending[$0].time } ?? .max
      let deadline = querier.nextDeadline ?? .max
      guard min(arrival, deadline) <= end else { break }
      if let next, arrival <= deadline {
        now = max(now, arrival)
        take(responder.pending.remove(at: next).bytes)
        continue
      }
      now = max(now, deadline)
      wakes += 1
      let before = sent.count
      querier.deadlineReached(at: now)
      collect()
      responder.answer(sent[before...].map(\.message), at: now)
    }
    now = max(now, end)
  }
}
