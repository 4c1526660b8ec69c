// Rules about how a message travelled and about its header. Their order is that of `MessageRule`.
extension LintRules {
  static let headerRules = [
    respSrcPort, ipTTL, idNonzeroResponse, idNonzeroQuery, opcode, rcode, aaClearResponse,
    aaSetQuery, tcResponse, reservedBits, questionInResponse, emptyResponse, authorityInResponse,
    oversize, fragmented, notDNS, malformedName, malformedMessage, forwardPointer, trailingBytes,
  ]

  static let respSrcPort = LintRule(
    "resp-src-port", .error, "RFC 6762 section 6",
    "A response is sent from UDP port 5353.",
    "Receivers must ignore the response, so the host stays invisible. Send from the socket that "
      + "is bound to port 5353; address translation between the hosts also changes the port.")
  static let ipTTL = LintRule(
    "ip-ttl", .warning, "RFC 6762 section 11",
    "Messages are sent with an IP TTL or hop limit of 255.",
    "Old receivers that check for 255 drop the message; 1 is harmless elsewhere. Set "
      + "IP_MULTICAST_TTL, IP_TTL and IPV6_MULTICAST_HOPS to 255.")
  static let idNonzeroResponse = LintRule(
    "id-nonzero-response", .error, "RFC 6762 section 18.1",
    "A multicast response has query id 0.",
    "Tools that pair by id misread the response. Set the id to 0 unless the query was a legacy one."
  )
  static let idNonzeroQuery = LintRule(
    "id-nonzero-query", .warning, "RFC 6762 section 18.1",
    "A multicast query from port 5353 has query id 0.",
    "Responders answer all the same, without the id. Set the id to 0.")
  static let opcode = LintRule(
    "opcode", .error, "RFC 6762 section 18.3",
    "The opcode is 0.",
    "Receivers must ignore the message. Find out what sends other operations to this port.")
  static let rcode = LintRule(
    "rcode", .error, "RFC 6762 section 18.11",
    "The response code is 0; there are no errors in multicast DNS.",
    "Receivers must ignore the message. A negative answer is an NSEC record, or silence.")
  static let aaClearResponse = LintRule(
    "aa-clear-response", .error, "RFC 6762 section 18.4",
    "A response has the AA bit set.",
    "Strict receivers may ignore the response. Set AA in every response.")
  static let aaSetQuery = LintRule(
    "aa-set-query", .error, "RFC 6762 section 18.4",
    "A query has the AA bit clear.",
    "Strict receivers may ignore the query. Clear AA in queries.")
  static let tcResponse = LintRule(
    "tc-response", .error, "RFC 6762 section 18.5",
    "A multicast response has the TC bit clear.",
    "Receivers ignore the bit and never fetch the rest. Split the answers over several responses.")
  static let reservedBits = LintRule(
    "reserved-bits", .info, "RFC 6762 section 18.6",
    "RD, RA, Z, AD and CD are 0, but for RD in a legacy query.",
    "Receivers ignore these bits. Clear them.")
  static let questionInResponse = LintRule(
    "question-in-response", .error, "RFC 6762 section 6",
    "A multicast response holds no question.",
    "avahi drops the whole response. Repeat the question in legacy unicast answers only.")
  static let emptyResponse = LintRule(
    "empty-response", .error, "RFC 6762 section 6",
    "A response holds at least one answer.",
    "It tells nobody anything and costs air time. Send nothing where there is nothing to say.")
  static let authorityInResponse = LintRule(
    "authority-in-response", .info, "RFC 6762 section 6",
    "A response has an empty authority section.",
    "avahi drops the whole response. Move the records to the answers or the additional section.")
  static let oversize = LintRule(
    "oversize", .error, "RFC 6762 section 17",
    "A message with its IP and UDP headers has at most 9,000 bytes.",
    "Receivers need not have room for it. Split the records over several messages.")
  static let fragmented = LintRule(
    "fragmented", .info, "RFC 6762 section 17",
    "Only a message of one large record is sent in IP fragments.",
    "One lost fragment loses all records, and simple stacks reassemble nothing. Split the message.")
  static let notDNS = LintRule(
    "not-dns", .warning, "RFC 6762 section 18",
    "What is sent to port 5353 is a DNS message.",
    "Every responder on the link must look at it and drop it. Move that protocol to its own port.")
  static let malformedName = LintRule(
    "malformed-name", .error, "RFC 1035 section 4.1.4",
    "A name ends within the message, in at most 255 octets, and its pointers lead to earlier names.",
    "Receivers drop the message, and weak ones crash. Correct the sender's name compression.")
  static let malformedMessage = LintRule(
    "malformed-message", .error, "RFC 1035 section 4.1",
    "The message holds what its counts and length fields announce.",
    "Receivers drop the message or the rest of it. Correct the sender.")
  static let forwardPointer = LintRule(
    "forward-pointer", .warning, "RFC 1035 section 4.1.4",
    "A compression pointer leads to a prior occurrence of the name.",
    "Strict decoders drop the message. Compress against what was written before only.")
  static let trailingBytes = LintRule(
    "trailing-bytes", .warning, "RFC 1035 section 4.1",
    "A message ends with its last announced record.",
    "Strict decoders drop the message. Send the length that was written, not the buffer's.")
}
