import Glibc
import LanCore
import LanWire

/// What the files of sysfs say about the device behind a link.
///
/// sysfs shows the network namespace in which it was mounted, which may be another one: files are
/// believed only where they have the number that netlink gave.
struct DeviceFiles {
  /// The file of a link, below the root of sysfs.
  static func path(_ link: String, _ file: String) -> String { "class/net/\(link)/\(file)" }

  /// The files' contents, by their path below the root.
  typealias Contents = [String: String]

  /// Kinds of links without a device, which is all that sysfs could tell of.
  private static let kindsWithoutDevice: Set<String> = [
    "veth", "bridge", "bond", "team", "vlan", "macvlan", "macvtap", "ipvlan", "tun", "dummy",
    "vxlan", "geneve", "wireguard", "vrf", "ipip", "sit", "gre", "ip6gre", "ip6tnl", "ifb",
  ]

  let root: String

  /// True where looking is worth the calls.
  static func mayTell(of link: LinkState) -> Bool {
    if link.flags.contains(.loopback) || link.name.contains("/") { return false }
    return link.kind.map { !kindsWithoutDevice.contains($0) } ?? true
  }

  /// What the files hold that matters for a link; nil where they are about another one.
  func read(_ link: LinkState) -> Contents? {
    // After a change of the namespace the usual place shows the devices of the old one, which may
    // even have the same names and numbers.
    if NetworkNamespace.wasEntered, root == "/sys" { return nil }
    var contents: Contents = [:]
    for file in ["ifindex", "uevent"] {
      let path = Self.path(link.name, file)
      guard let bytes = SmallFile.read("\(root)/\(path)") else { continue }
      contents[path] = String(decoding: bytes, as: UTF8.self)
    }
    let folder = Self.path(link.name, "phy80211")
    if let names = Directory.names("\(root)/\(folder)") {
      contents[folder] = names.filter { $0.hasPrefix("rfkill") }.sorted().joined(separator: "\n")
    }
    return Self.isAbout(link, contents) ? contents : nil
  }

  private static func isAbout(_ link: LinkState, _ contents: Contents) -> Bool {
    guard let text = contents[path(link.name, "ifindex")] else { return false }
    return UInt32(text.prefix { $0.isNumber }) == link.index
  }

  /// The facts about a link; nil where there are none.
  static func facts(_ link: LinkState, _ contents: Contents) -> DeviceFacts? {
    guard isAbout(link, contents) else { return nil }
    var facts = DeviceFacts()
    let lines = (contents[path(link.name, "uevent")] ?? "").split(separator: "\n")
    if let line = lines.first(where: { $0.hasPrefix("DEVTYPE=") }) {
      facts.type = String(line.dropFirst(8))
    }
    if let names = contents[path(link.name, "phy80211")] {
      facts.hasWirelessPhy = true
      facts.radio = names.split(separator: "\n").first.flatMap { UInt32($0.dropFirst(6)) }
    }
    return facts
  }
}

/// Lists folders.
private enum Directory {
  /// The names in a folder; nil where there is none.
  static func names(_ path: String) -> [String]? {
    guard let folder = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }
}
