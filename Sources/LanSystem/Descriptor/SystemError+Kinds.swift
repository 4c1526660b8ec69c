import Glibc

extension SystemError {
  /// The other end broke the connection (ECONNRESET, EPIPE).
  public var isReset: Bool { errno == ECONNRESET || errno == EPIPE }
  /// The address or port is taken (EADDRINUSE).
  public var isInUse: Bool { errno == EADDRINUSE }
  /// It is not permitted (EACCES, EPERM).
  public var isForbidden: Bool { errno == EACCES || errno == EPERM }
  /// No descriptor is left for the process or the system (EMFILE, ENFILE).
  public var isDescriptorShortage: Bool { errno == EMFILE || errno == ENFILE }
}
