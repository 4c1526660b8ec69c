import LanSystem

/// A run with a picture on the terminal that a shell can stop and let go on.
protocol LiveRun {
  /// Gives the terminal away, as it was before the run or with a picture that stands.
  func leaveTerminal()
  /// Takes the terminal, of which others have had the use, if this job is in the foreground.
  func returnToTerminal()
}

extension LiveRun {
  /// Stops or goes on where the signal asks for that; false for any other one.
  func takeJobControl(_ number: Int32) -> Bool {
    switch number {
    case SignalSource.suspension:
      leaveTerminal()
      SignalSource.suspend()
      returnToTerminal()
    // After a stop that nobody announced.
    case SignalSource.continuation: returnToTerminal()
    default: return false
    }
    return true
  }
}
