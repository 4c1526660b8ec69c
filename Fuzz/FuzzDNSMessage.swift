import LanWire

/// The DNS message codec: reads the input as a message, walks all of it, writes it again.
func examine(_ input: Span<UInt8>) {
  let isReadable = walk(input)
  rewrite(input, isReadable: isReadable)
}

/// Steps through all of the message; true when nothing was wrong with it or one of its records.
private func walk(_ input: Span<UInt8>) -> Bool {
  var index = DNSMessageIndex()
  let view = index.read(input)
  require(
    Int(view.questionCount) * 5 + Int(view.recordCount) * 11 <= input.count,
    "entries are bounded by the bytes they take")
  if let problem = view.problem {
    require(problem.offset >= 0 && problem.offset <= input.count, "an offset is in the message")
  }
  var text: [UInt8] = []
  for question in index.questions[view.questions] {
    text.removeAll(keepingCapacity: true)
    DNSNameText.append(input, at: Int(question.name), to: &text)
    require(!text.isEmpty, "a name has a text")
  }
  for record in index.records[view.records] {
    _ = DNSNameView.hash(input, at: Int(record.name))
    require(
      DNSNameView.equal(input, at: Int(record.name), input, at: Int(record.name)),
      "a name equals itself")
    walk(record.data(input), input)
  }
  return view.problem == nil && index.records.allSatisfy { $0.problem == nil }
}

private func walk(_ data: DNSRecordDataView, _ input: Span<UInt8>) {
  var text: [UInt8] = []
  switch data {
  case .a, .aaaa: break
  case .name(let name): DNSNameText.append(input, at: name, to: &text)
  case .srv(_, _, _, let target): DNSNameText.append(input, at: target, to: &text)
  case .txt(let range): walkStrings(range, input)
  case .nsec(let next, let bitmaps):
    DNSNameText.append(input, at: next, to: &text)
    var types = NSECTypeIterator(bitmaps)
    while types.next(input) != nil {}
  case .hinfo(let cpu, let os):
    require(max(cpu.upperBound, os.upperBound) <= input.count, "a string is in the message")
  case .opt(let range):
    var options = EDNSOptionIterator(range)
    while let option = options.next(input) {
      require(option.range.upperBound <= range.upperBound, "an option is in its record")
    }
  case .soa(let primary, let mailbox, _):
    DNSNameText.append(input, at: primary, to: &text)
    DNSNameText.append(input, at: mailbox, to: &text)
  case .mx(_, let exchange): DNSNameText.append(input, at: exchange, to: &text)
  case .svcb(_, let target, _): DNSNameText.append(input, at: target, to: &text)
  case .opaque(let range):
    require(range.upperBound <= input.count, "record data is in the message")
  }
}

private func walkStrings(_ range: Range<Int>, _ input: Span<UInt8>) {
  var strings = DNSStringIterator(range)
  while let string = strings.next(input) {
    require(string.upperBound <= range.upperBound, "a string is in its record")
    if let entry = DNSTextEntryView(input, string: string) {
      require(entry.key.upperBound <= string.upperBound, "a key is in its string")
    }
  }
}

/// A message read, written and read again is the same message.
///
/// Record data that is not what its type demands is kept as bytes; a pointer among them means
/// something else where it is written, so such a message is only written.
private func rewrite(_ input: Span<UInt8>, isReadable: Bool) {
  guard let message = try? DNSMessage(input) else {
    _ = DNSMessage.lenient(input)
    return
  }
  for compression in [DNSCompression.unicast, .multicast] {
    // Names that were compressed may not fit once they are written out.
    guard let written = try? message.encoded(compression: compression), isReadable else { continue }
    let again = try? DNSMessage(written.span)
    require(again == message, "a message read, written and read again is the same")
  }
}
