import Foundation
import LanWire
import TestKit
import Testing

@Suite("Hostile messages")
struct DNSHostileTests {
  static let fixtures = [
    "syn-dns-traps.pcapng", "syn-rfc6762-faults.pcapng", "syn-llmnr-poisoner.pcapng",
  ]

  @Test("cut anywhere, a message gives an error inside it", arguments: fixtures)
  func cut(file: String) throws {
    var index = DNSMessageIndex()
    for message in try DNSTrapTests.fixture(file) where message.bytes.count < 3_000 {
      index.removeAll()
      let whole = index.read(message.bytes.span)
      guard whole.problem == nil else { continue }
      let needed = message.bytes.count - Int(whole.trailingBytes)
      for length in 0..<needed {
        index.removeAll()
        let view = index.read(message.bytes.span.extracting(..<length))
        let problem = try #require(view.problem, "\(message) at \(length)")
        #expect(problem.offset <= length, "\(message) at \(length)")
      }
    }
  }

  @Test("ten thousand mutations are read to an end, and sound ones written again")
  func mutations() throws {
    let seeds = try Self.fixtures.flatMap { try DNSTrapTests.fixture($0) }
      .map(\.bytes).filter { (12..<700).contains($0.count) }
    var generator = SeededGenerator(seed: 6762)
    var sound = 0
    for _ in 0..<10_000 {
      var bytes = try #require(seeds.randomElement(using: &generator))
      mutate(&bytes, &generator)
      let (message, problem) = DNSMessage.lenient(bytes.span)
      if let problem {
        #expect(problem.offset <= bytes.count)
        continue
      }
      sound += 1
      let written = try message.encoded(compression: .multicast)
      // Data that has the wrong size keeps its bytes, and a pointer in these may now lead to
      // something else; all the rest is the same.
      let again = DNSMessage.lenient(written.span).message
      #expect(again.questions == message.questions)
      if !hasUnreadable(message) { #expect(again == message) }
    }
    #expect(sound > 1_000)
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 2: bytes[place] = [0, 0xC0, 0x3F, 0x40, 0xFF].randomElement(using: &generator) ?? 0
      case 3 where bytes.count > 1: bytes.remove(at: place)
      default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
      }
    }
  }

  private func hasUnreadable(_ message: DNSMessage) -> Bool {
    (message.answers + message.authorities + message.additionals).contains {
      if case .unknown = $0.data { true } else { false }
    }
  }

  @Test("a chain of 128 pointers is followed, one of 129 refused")
  func chains() {
    func read(_ pointers: Int) -> DNSMessageView {
      // The data of an unknown type holds the root and the chain, the last pointer asks.
      var data: [UInt8] = [0]
      for number in 0..<(pointers - 1) {
        data += DNSBytes.pointer(number == 0 ? 23 : 24 + (number - 1) * 2)
      }
      let message = DNSBytes.message(
        counts: [0, 2, 0, 0], DNSBytes.record([0], type: 65_280, data),
        DNSBytes.record(
          DNSBytes.pointer(pointers == 1 ? 23 : 24 + (pointers - 2) * 2), type: 1,
          [192, 0, 2, 1]))
      var index = DNSMessageIndex()
      return index.read(message.span)
    }
    #expect(read(1).problem == nil)
    #expect(read(128).problem == nil)
    #expect(read(128).answerCount == 2)
    #expect(read(129).problem?.reason == .pointerChain)
    #expect(read(5_000).problem?.reason == .pointerChain)
  }

  @Test("a loop longer than any name is refused as a chain, without being walked to its end")
  func longLoops() throws {
    func problem(_ pointers: Int) throws -> WireError.Reason? {
      let bytes = dearest(pointers: pointers, loops: true)
      var index = DNSMessageIndex()
      _ = index.read(bytes.span)
      return try #require(index.records.last).problem
    }
    #expect(try problem(2) == .pointerLoop)
    #expect(try problem(128) == .pointerLoop)
    #expect(try problem(300) == .pointerChain)
    #expect(try problem(8_000) == .pointerChain)
  }

  @Test("a forward pointer in record data is noticed")
  func forwardInData() {
    let forward = DNSBytes.message(
      counts: [0, 2, 0, 0], DNSBytes.record([0], type: 12, DNSBytes.pointer(25)),
      DNSBytes.record(DNSBytes.name("later"), type: 1, [192, 0, 2, 1]))
    var index = DNSMessageIndex()
    let view = index.read(forward.span)
    #expect(view.problem == nil)
    #expect(view.hasForwardPointer)
  }

  @Test("counts of 65,535 cost no more than the bytes that are there")
  func counts() throws {
    let questions = (0..<10_000).flatMap { _ in DNSBytes.question([0]) }
    let bytes = DNSBytes.message(counts: [65_535, 65_535, 65_535, 65_535], questions)
    let (message, problem) = DNSMessage.lenient(bytes.span)
    #expect(message.questions.count == 10_000)
    #expect(problem == WireError(.nameUnterminated, at: bytes.count))
  }

  @Test("a small message cannot expand into megabytes of names")
  func expansion() {
    let long = DNSBytes.name(
      Array(repeating: String(repeating: "x", count: 61), count: 4).joined(separator: "."))
    let pointers = (0..<5_000).flatMap { _ in DNSBytes.question(DNSBytes.pointer(12)) }
    let bytes = DNSBytes.message(counts: [5_001, 0, 0, 0], DNSBytes.question(long), pointers)
    let (message, problem) = DNSMessage.lenient(bytes.span)
    #expect(problem?.reason == .expansionLimit)
    // Eight-fold at most; each question but the first is six bytes and means 249.
    #expect(message.questions.count * 249 <= 8 * bytes.count + 249)
  }

  /// A message of 65,535 bytes whose every name is the dearest to read: a chain or loop of
  /// `pointers` pointers, asked for by the data of as many PTR records as there is room for.
  private func dearest(pointers: Int, loops: Bool) -> [UInt8] {
    var chain: [UInt8] = [0]
    let first = 23
    for number in 0..<pointers {
      let before = number == 0 ? first : first + 1 + (number - 1) * 2
      let last = first + 1 + (pointers - 1) * 2
      chain += DNSBytes.pointer(number == 0 && loops ? last : before)
    }
    let end = first + 1 + (pointers - 1) * 2
    let asking = DNSBytes.record([0], type: 12, DNSBytes.pointer(end))
    let room = (65_535 - 23 - chain.count) / asking.count
    return DNSBytes.message(
      counts: [0, UInt16(room + 1), 0, 0], DNSBytes.record([0], type: 65_280, chain),
      [UInt8]((0..<room).map { _ in asking }.joined()))
  }

  @Test(
    "the dearest messages are read in time that the bytes bound",
    arguments: [(127, false), (127, true), (8_000, false), (8_000, true), (1_000, true)])
  func boundedTime(pointers: Int, loops: Bool) {
    let bytes = dearest(pointers: pointers, loops: loops)
    var index = DNSMessageIndex()
    let times = (0..<3).map { _ in
      ContinuousClock().measure {
        index.removeAll()
        _ = index.read(bytes.span)
      }
    }
    let best = times.min() ?? .zero
    print("\(bytes.count) bytes, \(pointers) pointers, loop \(loops): \(best)")
    // 512 names of 127 jumps, or 128 refused ones, are all that one message may ask for.
    #expect(index.records.count < 520)
    // For unoptimized code on a busy machine; the figure printed is what matters.
    #expect(best < .seconds(5))
  }
}
