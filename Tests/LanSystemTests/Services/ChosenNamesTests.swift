import Foundation
import Glibc
import LanCore
import LanWire
import Testing

@testable import LanSystem

@Suite("Names that were chosen are kept from run to run") struct ChosenNamesTests {
  private let type = ServiceType(service: "witap2", transport: "tcp")
  private let other = ServiceType(service: "http", transport: "tcp")

  /// A folder of its own that does not exist yet.
  private func folder() -> String { "/tmp/lantool-names-\(UUID().uuidString)/state/lantool" }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder.replacing("/state/lantool", with: ""))
  }

  @Test("a chosen instance is found by what was wished for and the type, a host by its label")
  func kept() {
    let folder = folder()
    defer { remove(folder) }
    #expect(ChosenNames(folder).instance(insteadOf: bytes("Deck"), type: type) == nil)
    ChosenNames(folder).remember(
      instance: bytes("Büro 3.\t(2)\u{7F}"), insteadOf: bytes("Deck"), type: type)
    #expect(ChosenNames(folder).instance(insteadOf: bytes("Deck"), type: type) == nil)
    ChosenNames(folder).remember(
      instance: bytes("Büro 3. (2)"), insteadOf: bytes("Deck"), type: type)
    ChosenNames(folder).remember(hostLabel: bytes("deck-2"), insteadOf: bytes("deck"))
    let names = ChosenNames(folder)
    #expect(names.instance(insteadOf: bytes("DECK"), type: type) == bytes("Büro 3. (2)"))
    #expect(names.instance(insteadOf: bytes("Deck"), type: other) == nil)
    #expect(names.instance(insteadOf: bytes("Desk"), type: type) == nil)
    #expect(names.hostLabel(insteadOf: bytes("deck")) == bytes("deck-2"))
  }

  @Test("a name that was got as wished is not kept, and what was kept of it goes")
  func forgotten() {
    let folder = folder()
    defer { remove(folder) }
    let names = ChosenNames(folder)
    names.remember(instance: bytes("Deck"), insteadOf: bytes("Deck"), type: type)
    #expect(!FileManager.default.fileExists(atPath: folder))
    names.remember(instance: bytes("Deck (2)"), insteadOf: bytes("Deck"), type: type)
    names.remember(instance: bytes("Deck"), insteadOf: bytes("Deck"), type: type)
    #expect(names.instance(insteadOf: bytes("Deck"), type: type) == nil)
  }

  @Test("folder and file are the user's alone, and no draft is left behind") func modes() throws {
    let folder = folder()
    defer { remove(folder) }
    ChosenNames(folder).remember(hostLabel: bytes("deck-2"), insteadOf: bytes("deck"))
    let files = FileManager.default
    #expect(try files.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    let names = try files.attributesOfItem(atPath: folder + "/names")
    #expect(names[.posixPermissions] as? Int == 0o600)
    #expect(try files.contentsOfDirectory(atPath: folder) == ["names"])
  }

  @Test("what a stranger wrote into the file is passed over, line by line") func hostile() throws {
    let folder = folder()
    defer { remove(folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var content = Data()
    for line in [
      "", "\t\t\t", "service", "service\t_witap2._tcp\t4465636b", "host\t-\t6\t6",
      "host\t-\tzz\t61",
      "service\t_witap2._tcp\t4465636b\t", "service\tno type\t4465636b\t61",
      "service\t_witap2._tcp\t4465636b\t0a41", "service\t_witap2._tcp\t4465636b\tff",
      "service\t_witap2._tcp\t4465636b\t" + String(repeating: "61", count: 64),
      "other\t-\t61\t62", String(repeating: "a", count: 5_000),
    ] { content += Data("\(line)\n".utf8) }
    content += Data([0xFF, 0x00, 0x0A])
    content += Data("host\t-\t6465636b\t6465636b2d32\n".utf8)
    try content.write(to: URL(filePath: folder + "/names"))
    let names = ChosenNames(folder)
    #expect(names.instance(insteadOf: bytes("Deck"), type: type) == nil)
    #expect(names.hostLabel(insteadOf: bytes("deck")) == bytes("deck-2"))
    for length in 0..<content.count where length.isMultiple(of: 37) {
      try content.prefix(length).write(to: URL(filePath: folder + "/names"))
      _ = names.instance(insteadOf: bytes("Deck"), type: type)
    }
  }

  @Test("the file stays small however many names are kept: the oldest go") func bounded() throws {
    let folder = folder()
    defer { remove(folder) }
    let names = ChosenNames(folder)
    for number in 0...ChosenNames.limit {
      names.remember(
        instance: bytes("Deck \(number) (2)"), insteadOf: bytes("Deck \(number)"), type: type)
    }
    #expect(names.instance(insteadOf: bytes("Deck 0"), type: type) == nil)
    #expect(names.instance(insteadOf: bytes("Deck 1"), type: type) == bytes("Deck 1 (2)"))
    let size = try FileManager.default.attributesOfItem(atPath: folder + "/names")[.size] as? Int
    #expect(try #require(size) < 65_536)
    try Data(repeating: 0x41, count: 10 << 20).write(to: URL(filePath: folder + "/names"))
    #expect(names.instance(insteadOf: bytes("Deck 1"), type: type) == nil)
  }

  @Test("a folder that cannot be made, and a file that is something else, are no errors")
  func unwritable() throws {
    let file = "/tmp/lantool-names-\(UUID().uuidString)"
    try Data().write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    ChosenNames(file).remember(hostLabel: bytes("deck-2"), insteadOf: bytes("deck"))
    #expect(ChosenNames(file).hostLabel(insteadOf: bytes("deck")) == nil)
    ChosenNames("/proc/lantool").remember(hostLabel: bytes("deck-2"), insteadOf: bytes("deck"))
    let folder = folder()
    defer { remove(folder) }
    try FileManager.default.createDirectory(
      atPath: folder + "/names", withIntermediateDirectories: true)
    ChosenNames(folder).remember(hostLabel: bytes("deck-2"), insteadOf: bytes("deck"))
    #expect(ChosenNames(folder).hostLabel(insteadOf: bytes("deck")) == nil)
  }
}

@Suite("What may be published") struct ServicePublisherCheckTests {
  private func fault(_ change: (inout ServicePublisher.Configuration) -> Void) -> String? {
    let type = ServiceType(service: "witap2", transport: "tcp")
    var configuration = ServicePublisher.Configuration(
      MDNSService(instance: Array("Deck".utf8), type: type, port: 4_242))
    change(&configuration)
    do throws(ServicePublisherError) {
      try configuration.check()
      return nil
    } catch {
      #expect(error.code == -72_004)
      return "\(error)"
    }
  }

  @Test("names of 1 to 63 bytes of UTF-8 without control characters (RFC 6763 section 4.1.1)")
  func names() {
    #expect(fault { _ in } == nil)
    #expect(fault { $0.service.instance = Array("Dots. & Ünï 🎉 (2.0)".utf8) } == nil)
    #expect(fault { $0.service.instance = Array(repeating: 0x61, count: 63) } == nil)
    #expect(fault { $0.service.instance = [] } == "the service's name is empty")
    #expect(
      fault { $0.service.instance = Array(repeating: 0x61, count: 64) }
        == "the service's name has 64 bytes, and 63 are allowed")
    #expect(fault { $0.service.instance = [0x41, 0xFF] } == "the service's name is no valid UTF-8")
    for byte in [UInt8(0), 0x0A, 0x1F, 0x7F] {
      #expect(
        fault { $0.service.instance = [0x41, byte] }
          == "the service's name holds a control character")
    }
    #expect(fault { $0.hostLabel = [] } == "the host's name is empty")
    #expect(fault { $0.service.subtypes = [[0x5F, 0x61], []] } == "a subtype is empty")
  }

  @Test("types of at most 15 letters, digits and hyphens (RFC 6763 section 7)") func types() {
    for service in ["", "a-service-name-16", "a--b", "-a", "1234", "a_b", "a.b"] {
      #expect(fault { $0.service.type.service = service } != nil, "\(service)")
    }
    #expect(fault { $0.service.type.transport = "sctp" } != nil)
    #expect(fault { $0.service.type.subtype = "_a" }?.contains("subtype") == true)
    #expect(fault { $0.service.type.transport = "udp" } == nil)
  }

  @Test("TXT strings of at most 255 bytes, and no more than a packet holds") func text() {
    let full = [UInt8](repeating: 0x61, count: 255)
    #expect(fault { $0.service.text = [full] } == nil)
    #expect(
      fault { $0.service.text = [Array("key=".utf8) + full] }
        == "the TXT string 'key…' has 259 bytes, and 255 are allowed")
    #expect(fault { $0.service.text = Array(repeating: full, count: 34) } == nil)
    #expect(
      fault { $0.service.text = Array(repeating: full, count: 35) }
        == "the TXT record has 8960 bytes, and 8800 are allowed (1300 are advised)")
  }

  @Test("another machine has a name beside its addresses") func proxy() throws {
    let address = try #require(IPAddress(parsing: "192.0.2.7"))
    #expect(fault { $0.proxyAddresses = [address] }?.contains("--host") == true)
    #expect(
      fault {
        $0.proxyAddresses = [address]
        $0.hostLabel = Array("printer".utf8)
      } == nil)
  }

  @Test("a host name becomes a label that is fit for one") func hostLabels() {
    func label(_ name: String) -> String {
      String(decoding: HostLabel.label(of: Array(name.utf8)), as: UTF8.self)
    }
    #expect(label("deck.example.com") == "deck")
    #expect(label("My_Büro PC") == "My-B--ro-PC")
    #expect(label("-a-") == "a")
    #expect(
      ["", "...", "---", "localhost", "localhost.localdomain"].allSatisfy { label($0) == "linux" })
    #expect(label(String(repeating: "a", count: 70)).utf8.count == 63)
  }
}
