import Glibc

/// The order of names for people, by the rules of the user's locale (LC_COLLATE).
public enum Collation {
  /// Opened at the first key: programs that sort nothing do not pay for it.
  private static let locale = LocaleHandle()

  /// What sorts by its bytes as `text` sorts in the locale, whatever the case of letters.
  public static func key(_ text: String) -> [UInt8] {
    let folded = text.lowercased()
    guard let locale = unsafe Self.locale.raw else { return Array(folded.utf8) }
    // A zero byte would end the text here.
    let source = folded.utf8.filter { $0 != 0 }.map(CChar.init(bitPattern:)) + [0]
    let length = unsafe strxfrm_l(nil, source, 0, locale)
    guard length < 1 << 16 else { return Array(folded.utf8) }
    var key = [CChar](repeating: 0, count: length + 1)
    let written = unsafe strxfrm_l(&key, source, key.count, locale)
    return written == length ? key.dropLast().map(UInt8.init(bitPattern:)) : Array(folded.utf8)
  }
}

/// A locale of the C library, kept as long as the program runs.
@safe private struct LocaleHandle: @unchecked Sendable {
  let raw: locale_t?

  init() {
    unsafe raw = newlocale(LC_COLLATE_MASK | LC_CTYPE_MASK, "", nil)
  }
}
