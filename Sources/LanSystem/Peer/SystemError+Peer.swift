import Glibc

extension SystemError {
  /// Why a connection failed, as one word for programs.
  public var peerWord: String {
    switch errno {
    case ECONNREFUSED: "refused"
    case ECONNRESET, EPIPE: "reset"
    case EHOSTUNREACH, EHOSTDOWN: "hostUnreachable"
    case ENETUNREACH, ENETDOWN: "networkUnreachable"
    case ETIMEDOUT: "timeout"
    case EADDRNOTAVAIL: "addressNotAvailable"
    case EACCES, EPERM: "notPermitted"
    default: "systemError"
    }
  }

  /// This host's own limits or settings are the reason, whatever the peer is like.
  public var isLocal: Bool {
    switch errno {
    case EADDRNOTAVAIL, EAFNOSUPPORT, EMFILE, ENFILE, ENODEV, ENOBUFS, ENOMEM, EINVAL, EACCES,
      EPERM,
      EADDRINUSE, EPROTONOSUPPORT:
      true
    default: false
    }
  }
}
