import CLan
import Glibc

/// The translations of texts for people, from gettext catalogues.
///
/// The catalogues are looked for in `share/locale` beside the program's `bin`, or where
/// TEXTDOMAINDIR says. Without one for the user's language the texts stand as they are written.
public enum MessageCatalog {
  private static let domain: StaticString = "lantool"

  /// Done once, at the first text: programs that show none do not pay for it.
  private static let isOpen: Bool = {
    takeLocale()
    let folder = unsafe lan_trusted_variable("TEXTDOMAINDIR").map { unsafe String(cString: $0) }
    return unsafe lan_catalog_open(domain.pointer, folder ?? installed) != 0
  }()

  /// The translation of `text`, or `text` itself.
  ///
  /// Safe on any thread; the first call reads the environment.
  public static func text(_ text: StaticString) -> String {
    guard isOpen, let found = unsafe lan_catalog_text(domain.pointer, text.pointer) else {
      return "\(text)"
    }
    return unsafe String(cString: found)
  }

  /// Takes the user's locale.
  ///
  /// One that is not installed would take the language with it, and UTF-8 too: the wish is handed
  /// over as LANGUAGE then, which needs no installed locale. Hong Kong and Macau write as Taiwan
  /// does, Singapore as the mainland.
  private static func takeLocale() {
    let isInstalled = lan_locale_begin() != 0
    if !isInstalled, lan_locale_fall_back() == 0 { return }
    let wish = variable("LC_ALL") ?? variable("LC_MESSAGES") ?? variable("LANG") ?? ""
    guard variable("LANGUAGE") == nil, let name = language(wish) else { return }
    let relatives = ["zh_HK": "zh_TW", "zh_MO": "zh_TW", "zh_SG": "zh_CN", "zh": "zh_CN"]
    let relative = relatives[name].map { ":\($0)" }
    if !isInstalled || relative != nil { unsafe setenv("LANGUAGE", name + (relative ?? ""), 1) }
  }

  /// `de_DE` of `de_DE.UTF-8@euro`; nil for the C locale.
  private static func language(_ locale: String) -> String? {
    let name = String(locale.prefix { $0 != "." && $0 != "@" })
    return name.isEmpty || name == "C" || name == "POSIX" ? nil : name
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  private static var installed: String {
    let program = Privilege.executablePath.split(separator: "/", omittingEmptySubsequences: false)
    guard program.count > 2 else { return "/usr/share/locale" }
    return program.dropLast(2).joined(separator: "/") + "/share/locale"
  }
}

extension StaticString {
  /// A literal ends in a zero byte; that of a single scalar is never used here.
  fileprivate var pointer: UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
