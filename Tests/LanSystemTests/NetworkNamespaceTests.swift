import LanSystem
import Testing

@Suite("NetworkNamespace") struct NetworkNamespaceTests {
  @Test("a namespace that is not there is named", arguments: ["no-such-one", "", "../x", "."])
  func unknown(name: String) {
    #expect(throws: NamespaceError.unknown(name: name)) { try NetworkNamespace.enter(name) }
  }
}
