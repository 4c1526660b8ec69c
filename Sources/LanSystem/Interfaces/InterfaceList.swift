import Glibc
import LanWire

/// The interfaces of the current network namespace.
public enum InterfaceList {
  /// Every interface, in order of index.
  ///
  /// - Throws: When the kernel cannot be asked.
  public static func all() throws(SystemError) -> [NetworkInterface] {
    var head: UnsafeMutablePointer<ifaddrs>?
    try systemCall("getifaddrs") { unsafe getifaddrs(&head) }
    defer { unsafe freeifaddrs(head) }
    var found: [String: NetworkInterface] = [:]
    var next = unsafe head
    while let entry = unsafe next {
      unsafe add(entry.pointee, to: &found)
      unsafe next = entry.pointee.ifa_next
    }
    return found.values.filter { $0.index != 0 }.sorted { $0.index < $1.index }
  }

  /// The interfaces on which multicast DNS can be heard: up, multicast, not the loopback.
  ///
  /// - Throws: When the kernel cannot be asked.
  public static func multicast() throws(SystemError) -> [NetworkInterface] {
    try all().filter { $0.isUp && $0.isMulticast && !$0.isLoopback }
  }

  /// The interface called `name`; nil if there is none.
  ///
  /// - Throws: When the kernel cannot be asked.
  public static func named(_ name: String) throws(SystemError) -> NetworkInterface? {
    try all().first { $0.name == name }
  }

  /// The number of the interface called `name`; nil if there is none.
  public static func index(of name: String) -> UInt32? {
    let index = unsafe if_nametoindex(name)
    return index == 0 ? nil : index
  }

  /// The name of the interface with number `index`; nil if there is none.
  public static func name(of index: UInt32) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
      guard let start = buffer.baseAddress, unsafe if_indextoname(index, start) != nil
      else { return nil }
      return unsafe String(cString: start)
    }
  }

  private static func add(_ entry: ifaddrs, to found: inout [String: NetworkInterface]) {
    let name = unsafe String(cString: entry.ifa_name)
    var interface =
      found[name]
      ?? NetworkInterface(name: name, index: index(of: name) ?? 0, flags: 0)
    unsafe interface.flags = entry.ifa_flags
    if let pointer = unsafe entry.ifa_addr {
      let length: Int
      switch Int32(unsafe pointer.pointee.sa_family) {
      case AF_INET: length = MemoryLayout<sockaddr_in>.size
      case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
      case AF_PACKET: length = 20  // sockaddr_ll, which Glibc's module does not have
      default: length = 0
      }
      let bytes = unsafe UnsafeBufferPointer(
        start: UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt8.self), count: length)
      let mask = unsafe prefixLength(entry.ifa_netmask)
      unsafe read(Span(_unsafeElements: bytes), family: pointer.pointee.sa_family, mask, &interface)
    }
    found[name] = interface
  }

  private static func read(
    _ bytes: Span<UInt8>, family: sa_family_t, _ prefix: Int, _ interface: inout NetworkInterface
  ) {
    switch Int32(family) {
    case AF_INET:
      interface.addresses.append(.init(.v4(IPv4Address(bytes, at: 4)), prefixLength: prefix))
    case AF_INET6:
      interface.addresses.append(.init(.v6(IPv6Address(bytes, at: 8)), prefixLength: prefix))
    case AF_PACKET where bytes[11] == 6: interface.mac = MACAddress(bytes, at: 12)
    default: break
    }
  }

  /// Counts the ones of a netmask, 0 where there is none.
  private static func prefixLength(_ mask: UnsafeMutablePointer<sockaddr>?) -> Int {
    guard let mask = unsafe mask else { return 0 }
    let isIPv6 = unsafe Int32(mask.pointee.sa_family) == AF_INET6
    let start = unsafe UnsafeRawPointer(mask).advanced(by: isIPv6 ? 8 : 4)
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: isIPv6 ? 16 : 4)
    return unsafe bytes.reduce(0) { $0 + $1.nonzeroBitCount }
  }
}
