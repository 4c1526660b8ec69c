import CPcap

/// libpcap's functions, once they are loaded.
@safe struct PcapLibrary: @unchecked Sendable {
  /// The table of typed pointers.
  let call: lan_pcap

  private static let loaded: PcapLibrary? = {
    guard let table = unsafe lan_pcap() else { return nil }
    return PcapLibrary(call: unsafe table.pointee)
  }()

  /// Loads libpcap at the first call.
  static func load() throws(CaptureError) -> PcapLibrary {
    if let loaded { return loaded }
    throw .libraryMissing(detail: unsafe String(cString: lan_pcap_load_error()))
  }

  /// The last error of an open handle.
  func error(of handle: OpaquePointer) -> String {
    guard let text = unsafe call.geterr(handle) else { return "unknown error" }
    return unsafe String(cString: text)
  }

  /// libpcap's words for a status number.
  func words(for status: Int32) -> String {
    guard let text = call.statustostr(status) else { return "error \(status)" }
    return unsafe String(cString: text)
  }

  /// The number that stands in files for a link type that libpcap gives; they differ for raw IP.
  static func fileLinkType(_ live: Int32) -> Int { live == DLT_RAW ? 101 : Int(live) }

  /// The number that libpcap's compiler wants for a link type from a file.
  static func compilerLinkType(_ file: Int) -> Int32 { file == 101 ? DLT_RAW : Int32(file) }
}
