import CLan
import Glibc
import LanCore
import LanWire

/// One question to DNS servers, on a thread that may block.
struct UnicastExchange {
  /// The servers, in the order in which they are asked.
  var servers: [SocketEndpoint]
  /// Seconds that each server is waited for, round by round.
  var timeouts: [Int32]
  /// TCP alone.
  var usesStreams = false
  /// False once nobody waits for the answer.
  var isWanted: () -> Bool = { true }

  /// Seconds that an answer over TCP may take at least.
  private static let streamTimeout: Int32 = 5
  /// Octets of a datagram that is not broken up on any usual path.
  private static let datagramOctets: UInt16 = 1_232

  /// Asks, and follows aliases that the server does not follow.
  func ask(_ question: DNSQuestion) -> UnicastAnswer {
    let begin = MonotonicClock.now
    var aliases: [DNSRecord] = []
    var current = question
    while true {
      let (result, server) = askServers(current)
      var outcome: UnicastOutcome
      switch result {
      case .success(.outcome(let found, let name)):
        outcome = found
        current.name = name
      case .success(.alias(let target, let records)):
        current.name = target
        aliases += records
        if aliases.count < UnicastReading.aliasLimit { continue }
        outcome = .failed(.tooManyAliases)
      case .failure(let failure): outcome = .failed(failure)
      }
      if case .answers(var message) = outcome, !aliases.isEmpty {
        message.answers = aliases + message.answers
        outcome = .answers(message)
      }
      return UnicastAnswer(
        question: question, outcome: outcome, name: current.name, server: server,
        elapsed: MonotonicClock.now - begin)
    }
  }

  /// Asks the servers in turn until one of them can tell.
  private func askServers(
    _ question: DNSQuestion
  ) -> (Result<UnicastReading, UnicastFailure>, SocketEndpoint?) {
    var reason = UnicastFailure.notSent("no DNS server is known")
    var blamed: SocketEndpoint?
    var left = servers
    for timeout in timeouts {
      for server in left {
        guard isWanted() else { return (.failure(.timeout), nil) }
        let failure: UnicastFailure
        do throws(UnicastFailure) {
          let reading = UnicastReading(try ask(server, question, timeout), question)
          guard case .outcome(.failed(let told), _) = reading else {
            return (.success(reading), server)
          }
          failure = told
        } catch {
          failure = error
        }
        // Silence may be a lost datagram, and says less than words.
        if failure != .timeout {
          left.removeAll { $0 == server }
          (reason, blamed) = (failure, server)
        } else if blamed == nil {
          reason = failure
        }
      }
    }
    return (.failure(reason), blamed)
  }

  /// Asks one server once: over UDP, and over TCP what that has no room for.
  private func ask(
    _ server: SocketEndpoint, _ question: DNSQuestion, _ timeout: Int32
  ) throws(UnicastFailure) -> DNSMessage {
    if usesStreams { return try exchange(server, question, timeout, overStream: true) }
    var hasOptions = true
    var message = try exchange(server, question, timeout)
    // Servers older than EDNS (RFC 6891 section 7).
    if [1, 4, 16].contains(UnicastReading.responseCode(message)) {
      hasOptions = false
      message = try exchange(server, question, timeout, hasOptions: false)
    }
    guard message.header.isTruncated else { return message }
    let patience = max(timeout, Self.streamTimeout)
    do throws(UnicastFailure) {
      return try exchange(server, question, patience, hasOptions: hasOptions, overStream: true)
    } catch {
      if case .unreachable(let why) = error { throw .truncated(why) }
      throw error == .timeout ? .truncated(error.description) : error
    }
  }

  private func exchange(
    _ server: SocketEndpoint, _ question: DNSQuestion, _ timeout: Int32, hasOptions: Bool = true,
    overStream: Bool = false
  ) throws(UnicastFailure) -> DNSMessage {
    var query = DNSMessage(
      id: .random(in: 0...UInt16.max), flags: Self.recursionDesired, questions: [question])
    if hasOptions { query.additionals = [.opt(udpPayloadSize: Self.datagramOctets)] }
    let bytes: [UInt8]
    do throws(WireError) { bytes = try query.encoded() } catch {
      throw .notSent("\(error)")
    }
    let response = try Self.send(bytes, to: server, timeout, overStream: overStream)
    let message: DNSMessage
    do throws(WireError) { message = try DNSMessage(response.span) } catch {
      // Cut off as it is, it says no more than that TCP is needed.
      let (part, _) = DNSMessage.lenient(response.span)
      guard part.id == query.id, part.header.isTruncated, !overStream else {
        throw .malformed(error)
      }
      return part
    }
    // A refusal comes without its question.
    let isHeaderAlone = response.count == DNSLimits.headerOctets
    guard message.header.isResponse, message.id == query.id,
      isHeaderAlone || message.questions == [question]
    else { throw .malformed(WireError(.badFormat, at: 0)) }
    if isHeaderAlone, message.header.rcode == 0, !message.header.isTruncated { throw .referral }
    return message
  }

  private static let recursionDesired: UInt16 = 0x0100

  private static func send(
    _ query: [UInt8], to server: SocketEndpoint, _ timeout: Int32, overStream: Bool
  ) throws(UnicastFailure) -> [UInt8] {
    var endpoint = server.raw
    var number: Int32 = 0
    let response = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      count = 0
      guard let start = buffer.baseAddress else { return }
      let length = unsafe query.withUnsafeBufferPointer { bytes in
        let ask = unsafe overStream ? lan_resolver_ask_stream : lan_resolver_ask
        return unsafe ask(&endpoint, timeout, bytes.baseAddress, bytes.count, start, buffer.count)
      }
      if length < 0 { number = errno } else { count = length }
    }
    guard number != 0 else { return response }
    switch number {
    case ETIMEDOUT: throw .timeout
    case EBADMSG, EMSGSIZE: throw .malformed(WireError(.badLength, at: 0))
    default: throw .unreachable(SystemError(call: "send", errno: number).reason)
    }
  }
}
