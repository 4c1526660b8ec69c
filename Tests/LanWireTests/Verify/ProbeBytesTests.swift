import LanWire
import Testing

@Suite
struct ProbeBytesTests {
  @Test("an echo request has the checksum of RFC 1071, and its reply is read back")
  func echo() throws {
    let request = EchoMessage(identifier: 0x1234, sequence: 1, payload: [1, 2, 3], isIPv6: false)
    #expect(request.bytes == [8, 0, 0xE1, 0xC8, 0x12, 0x34, 0, 1, 1, 2, 3])
    var reply = request.bytes
    reply[0] = 0
    #expect(EchoMessage(reply: reply.span, isIPv6: false, hasIPHeader: false) == request)
    let header: [UInt8] = [0x46] + [UInt8](repeating: 0, count: 23)
    let packet = header + reply
    #expect(EchoMessage(reply: packet.span, isIPv6: false, hasIPHeader: true) == request)
    #expect(EchoMessage(reply: request.bytes.span, isIPv6: false, hasIPHeader: false) == nil)
    for length in 0..<packet.count {
      let part = Array(packet[..<length])
      let read = EchoMessage(reply: part.span, isIPv6: false, hasIPHeader: true)
      #expect(read == nil || length >= 32)
    }
  }

  @Test("the head of an answer is read once it is whole, whatever its line ends")
  func head() throws {
    for end in ["\r\n", "\n"] {
      let text = "HTTP/1.1 302 Found\(end)location:  http://a/b\(end)X\(end)\(end)body"
      let bytes = Array(text.utf8)
      let head = try #require(try HTTPResponseHead(bytes.span))
      #expect(head.status == 302 && head.location == "http://a/b" && !head.isChunked)
      #expect(head.body(bytes.span) == Array("body".utf8))
      for length in 0..<(bytes.count - 4) {
        let part = Array(bytes[..<length])
        #expect(try HTTPResponseHead(part.span) == nil)
      }
    }
  }

  @Test("what is no answer is found out early, and a head without end is given up")
  func hostile() throws {
    let wrong = [
      "SSH-2.0", "H\n\n", "\n\n", "HTTP/1.1 abc\n\n", "HTTP/1.1\n\n", "HTTP/1.1 99 x\n\n",
      "HTTP/1.1 999 x\n\n",
    ]
    for text in wrong {
      #expect(throws: HTTPResponseHead.Fault.notHTTP) {
        _ = try HTTPResponseHead(Array(text.utf8).span)
      }
    }
    let endless = Array("HTTP/1.1 200 OK\r\n".utf8) + [UInt8](repeating: 65, count: 20_000)
    #expect(throws: HTTPResponseHead.Fault.tooLong) { _ = try HTTPResponseHead(endless.span) }
  }

  @Test("the first chunk's size is not part of the body")
  func chunked() throws {
    let bytes = Array(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nsuccess\n\r\n0\r\n\r\n".utf8)
    let head = try #require(try HTTPResponseHead(bytes.span))
    #expect(head.isChunked && head.body(bytes.span).starts(with: "success".utf8))
    let cut = Array(bytes[..<(head.bodyStart + 1)])
    #expect(head.body(cut.span) == [])
  }
}
