import LanCore
import Testing

@Test("the version has three numbers") func version() {
  #expect(Lantool.version.split(separator: ".").compactMap { Int($0) }.count == 3)
}
