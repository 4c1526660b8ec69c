import LanCore
import LanWire
import Testing

/// What is told of things that went wrong on the network.
@Suite("words of diagnostics")
struct DiagnosticWordsTests {
  @Test("a broken message is told in words, with where it came from and what is wrong")
  func malformed() throws {
    let source = try #require(IPAddress(parsing: "192.0.2.20"))
    let error = WireError(.truncated, at: 7)
    let diagnostic = MDNSDiagnostic.malformed(source: source, interfaceIndex: 3, error)
    #expect("\(diagnostic)" == "a broken message from 192.0.2.20: \(error)")
  }

  @Test("a full cache tells how much it holds")
  func cacheFull() {
    let diagnostic = MDNSDiagnostic.cacheFull(records: 7, bytes: 900)
    #expect(
      "\(diagnostic)"
        == "too much is announced: 7 records (900 bytes) are kept, others are left out")
  }
}
