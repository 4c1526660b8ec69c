import CPcap
import Glibc
import LanWire

/// One open libpcap handle: set up, read without blocking, counted.
@safe final class CaptureHandle {
  typealias Handler = (Span<UInt8>, CapturedFrame) -> Void

  let interface: String
  let index: UInt32
  let linkType: Int
  let descriptor: Int32
  private(set) var warnings: [String] = []

  private let library: PcapLibrary
  private let pcap: OpaquePointer
  private let filter: FilterProgram?
  private let isAny: Bool
  private let fractionScale: Int64
  private let handler: Handler
  private var names: [UInt32: String] = [:]
  private var received = WrappingCounter()
  private var dropped = WrappingCounter()
  private var interfaceDropped = WrappingCounter()
  private var delivered: UInt64 = 0
  private(set) var isStopped = false

  init(
    _ interface: String, _ options: CaptureOptions, _ handler: @escaping Handler
  ) throws(CaptureError) {
    let library = try PcapLibrary.load()
    let handle = try unsafe Self.create(library, interface)
    do throws(CaptureError) {
      try unsafe Self.activate(library, handle, interface, options, &warnings)
      linkType = try unsafe Self.installFilter(library, handle, interface, options.kernelFilter)
      let type = linkType
      filter = try options.expression.map { text throws(CaptureError) in
        try FilterProgram(text, linkType: type)
      }
      descriptor = unsafe library.call.get_selectable_fd(handle)
      guard descriptor >= 0 else {
        throw .notCapturable(interface: interface, detail: "its capture cannot be waited for")
      }
    } catch {
      unsafe library.call.close(handle)
      throw error
    }
    self.library = library
    unsafe pcap = handle
    self.interface = interface
    self.handler = handler
    isAny = interface == "any"
    index = InterfaceList.index(of: interface) ?? 0
    let isNano = unsafe library.call.get_tstamp_precision(handle) == PCAP_TSTAMP_PRECISION_NANO
    fractionScale = isNano ? 1 : 1000
  }

  deinit { unsafe library.call.close(pcap) }

  // MARK: Set-up

  private static func create(
    _ library: PcapLibrary, _ interface: String
  ) throws(CaptureError) -> OpaquePointer {
    var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    guard let handle = unsafe library.call.create(interface, &message) else {
      let detail = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      throw .failed(interface: interface, detail: detail)
    }
    return unsafe handle
  }

  private static func activate(
    _ library: PcapLibrary, _ handle: OpaquePointer, _ interface: String,
    _ options: CaptureOptions, _ warnings: inout [String]
  ) throws(CaptureError) {
    let call = library.call
    // These fail on an active handle only.
    _ = unsafe call.set_snaplen(handle, Int32(clamping: options.snapshotLength))
    _ = unsafe call.set_promisc(handle, options.isPromiscuous && interface != "any" ? 1 : 0)
    _ = unsafe call.set_buffer_size(handle, Int32(clamping: options.bufferSize))
    _ = unsafe call.set_timeout(handle, 100)
    _ = unsafe call.set_immediate_mode(handle, options.delivery == .immediate ? 1 : 0)
    // Refused where only microseconds can be had; the precision is asked for afterwards.
    _ = unsafe call.set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO)
    let status = unsafe call.activate(handle)
    guard status >= 0 else { throw unsafe error(status, library, handle, interface) }
    if status > 0 { warnings.append("\(interface): \(library.words(for: status))") }
    // The default for `any`, SLL, does not tell the interface. Before the filter is compiled.
    if interface == "any" { _ = unsafe call.set_datalink(handle, DLT_LINUX_SLL2) }
    var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    guard unsafe call.setnonblock(handle, 1, &message) == 0 else {
      throw unsafe .failed(interface: interface, detail: library.error(of: handle))
    }
  }

  private static func error(
    _ status: Int32, _ library: PcapLibrary, _ handle: OpaquePointer, _ interface: String
  ) -> CaptureError {
    let detail = unsafe library.error(of: handle)
    switch status {
    case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED:
      return .permissionDenied(interface: interface, remedy: Privilege.remedy(for: .netRaw))
    case PCAP_ERROR_NO_SUCH_DEVICE where InterfaceList.index(of: interface) == nil:
      let names = (try? InterfaceList.all().map(\.name)) ?? []
      return .noSuchInterface(interface: interface, available: names)
    case PCAP_ERROR_IFACE_NOT_UP: return .interfaceDown(interface: interface)
    default:
      return .notCapturable(
        interface: interface, detail: detail.isEmpty ? library.words(for: status) : detail)
    }
  }

  private static func linkType(_ library: PcapLibrary, _ handle: OpaquePointer) -> Int {
    PcapLibrary.fileLinkType(unsafe library.call.datalink(handle))
  }

  /// Gives the kernel its filter, and returns the link type that it was made for.
  private static func installFilter(
    _ library: PcapLibrary, _ handle: OpaquePointer, _ interface: String, _ filter: LiveFilter?
  ) throws(CaptureError) -> Int {
    let type = unsafe linkType(library, handle)
    guard let expression = filter?.expression(linkType: type) else { return type }
    var program = unsafe bpf_program()
    guard unsafe library.call.compile(handle, &program, expression, 1, ~0) == 0 else {
      throw unsafe .badFilter(expression: expression, detail: library.error(of: handle))
    }
    defer { unsafe library.call.freecode(&program) }
    guard unsafe library.call.setfilter(handle, &program) >= 0 else {
      throw unsafe .failed(interface: interface, detail: library.error(of: handle))
    }
    return type
  }

  // MARK: Reading

  /// Hands over what waits, at most `limit` frames.
  ///
  /// - Throws: When the handle has failed for good.
  func read(limit: Int32 = 256) throws(CaptureError) {
    let user = unsafe Unmanaged.passUnretained(self).toOpaque().assumingMemoryBound(
      to: UInt8.self)
    let count = unsafe library.call.dispatch(
      pcap, limit,
      { user, header, bytes in
        guard let user = unsafe user, let header = unsafe header, let bytes = unsafe bytes
        else { return }
        unsafe Unmanaged<CaptureHandle>.fromOpaque(user).takeUnretainedValue()
          .deliver(header.pointee, bytes)
      }, user)
    // PCAP_ERROR_BREAK is our own stop().
    guard count < 0, count != PCAP_ERROR_BREAK else { return }
    let detail = unsafe library.error(of: pcap)
    throw .failed(interface: interface, detail: detail)
  }

  private func deliver(_ header: pcap_pkthdr, _ pointer: UnsafePointer<UInt8>) {
    if isStopped { return }
    let bytes = unsafe Span(
      _unsafeElements: UnsafeBufferPointer(start: pointer, count: Int(header.caplen)))
    let length = Int(header.len)
    if let filter, !filter.matches(bytes, originalLength: length) { return }
    let time =
      Int64(header.ts.tv_sec) &* 1_000_000_000 &+ Int64(header.ts.tv_usec) &* fractionScale
    // SLL2 has the interface's number at byte 4.
    let number = isAny && bytes.count >= 8 ? bytes.uint32(at: 4) : index
    delivered += 1
    handler(
      bytes,
      CapturedFrame(
        time: time, originalLength: length, linkType: linkType, interfaceIndex: number,
        interface: isAny ? name(of: number) : interface))
  }

  private func name(of number: UInt32) -> String {
    if let known = names[number] { return known }
    let name = InterfaceList.name(of: number) ?? "if\(number)"
    names[number] = name
    return name
  }

  /// Ends delivery at once, also from inside the handler.
  func stop() {
    isStopped = true
    unsafe library.call.breakloop(pcap)
  }

  /// The counts so far.
  ///
  /// Must be asked once in 4 billion frames to carry the system's 32 bits on.
  func statistics() -> CaptureStatistics {
    var raw = pcap_stat()
    if unsafe library.call.stats(pcap, &raw) == 0 {
      received.update(raw.ps_recv)
      dropped.update(raw.ps_drop)
      interfaceDropped.update(raw.ps_ifdrop)
    }
    var statistics = CaptureStatistics()
    statistics.received = received.total
    statistics.dropped = dropped.total
    // libpcap reads it from /sys, which shows the devices of the namespace that was left.
    statistics.interfaceDropped = NetworkNamespace.wasEntered ? 0 : interfaceDropped.total
    statistics.delivered = delivered
    return statistics
  }
}
