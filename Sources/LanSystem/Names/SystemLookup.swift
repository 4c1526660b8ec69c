import CLan
import Glibc
import LanCore
import LanWire

/// Questions to the system's resolver, asked on the calling thread, which may take many seconds.
enum SystemLookup {
  /// Why there is no answer.
  enum Failure: Error, Hashable {
    /// No such name.
    case notFound
    /// The name has no address of the family.
    case noAddress
    /// Nobody answered, or a server failed (EAI_AGAIN), in the resolver's words.
    case noAnswer(String)
    /// Anything else, in the resolver's or the system's words.
    case failed(String)
  }

  /// An address as the resolver gives it.
  struct Address: Hashable {
    var address: IPAddress
    /// The interface of a link-local address; 0 for none.
    var scope: UInt32
  }

  /// The addresses of `name` in the system's order, each once.
  static func addresses(
    of name: String, _ families: MDNSFamilies = .both
  ) -> Result<[Address], Failure> {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_family =
      families == .ipv4 ? AF_INET : families == .ipv6 ? AF_INET6 : AF_UNSPEC
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(name, nil, &hints, &list)
    let number = errno
    guard code == 0 else { return .failure(failure(code, number)) }
    defer { unsafe freeaddrinfo(list) }
    var found: [Address] = []
    var entry = unsafe list
    while let current = unsafe entry {
      if let address = unsafe address(current.pointee), !found.contains(address) {
        found.append(address)
      }
      unsafe entry = current.pointee.ai_next
    }
    return .success(found)
  }

  /// The name of `address`; `scope` is the interface of a link-local one, else 0.
  static func name(of address: IPAddress, scope: UInt32) -> Result<String, Failure> {
    let length = Int(NI_MAXHOST)
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: length) { buffer in
      let code: Int32
      switch address {
      case .v4(let value):
        var raw = sockaddr_in()
        raw.sin_family = sa_family_t(AF_INET)
        raw.sin_addr.s_addr = value.bits.bigEndian
        code = unsafe look(&raw, buffer)
      case .v6(let value):
        var raw = sockaddr_in6()
        raw.sin6_family = sa_family_t(AF_INET6)
        raw.sin6_scope_id = scope
        unsafe withUnsafeMutableBytes(of: &raw.sin6_addr) { bytes in
          unsafe bytes.storeBytes(of: value.high.bigEndian, as: UInt64.self)
          unsafe bytes.storeBytes(of: value.low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        code = unsafe look(&raw, buffer)
      }
      let number = errno
      guard code == 0, let start = buffer.baseAddress else {
        return .failure(failure(code, number))
      }
      return .success(unsafe String(cString: start))
    }
  }

  private static func look<Raw>(
    _ raw: inout Raw, _ buffer: UnsafeMutableBufferPointer<CChar>
  ) -> Int32 {
    unsafe withUnsafeBytes(of: &raw) { bytes in
      guard let start = bytes.baseAddress else { return EAI_FAIL }
      return unsafe getnameinfo(
        start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count),
        buffer.baseAddress, socklen_t(buffer.count), nil, 0, NI_NAMEREQD)
    }
  }

  private static func address(_ entry: addrinfo) -> Address? {
    guard let raw = unsafe entry.ai_addr else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: raw, count: Int(entry.ai_addrlen))
    switch unsafe (entry.ai_family, bytes.count) {
    case (AF_INET, 16...):
      let bits = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
      return Address(address: .v4(IPv4Address(bits: UInt32(bigEndian: bits))), scope: 0)
    case (AF_INET6, 28...):
      let high = unsafe bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      let low = unsafe bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
      let scope = unsafe bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self)
      return Address(
        address: .v6(IPv6Address(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))),
        scope: scope)
    default: return nil
    }
  }

  private static func failure(_ code: Int32, _ number: Int32) -> Failure {
    let text: String
    if code == EAI_SYSTEM {
      text = SystemError(call: "getaddrinfo", errno: number).reason
    } else if let words = unsafe gai_strerror(code) {
      text = unsafe String(cString: words)
    } else {
      text = "error \(code)"
    }
    return switch code {
    case EAI_NONAME: .notFound
    // EAI_NODATA and EAI_ADDRFAMILY.
    case -5, -9: .noAddress
    case EAI_AGAIN: .noAnswer(text)
    default: .failed(text)
    }
  }
}

/// The names of ports.
public enum ServicePort {
  /// The port of the TCP or UDP service called `name`, such as `ssh`, in host order; nil for none.
  ///
  /// It asks the system's database (getservbyname) and belongs to the main thread.
  public static func number(of name: String) -> UInt16? {
    for transport in ["tcp", "udp"] {
      if let entry = unsafe getservbyname(name, transport) {
        return UInt16(bigEndian: UInt16(truncatingIfNeeded: unsafe entry.pointee.s_port))
      }
    }
    return nil
  }
}
