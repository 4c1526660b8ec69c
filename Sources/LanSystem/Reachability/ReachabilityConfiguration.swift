public import LanCore

extension ReachabilityMonitor {
  /// What to follow, and how.
  public struct Configuration: Sendable {
    /// Where the facts come from.
    public enum Source: Hashable, Sendable {
      /// The running kernel, in the network namespace of the thread that starts the monitor.
      case kernel
      /// A recording; its path, `-` for standard input.
      case recording(String)
    }

    /// The questions; each target's number in reports is its place here.
    public var targets: [ReachabilityQuestion]
    /// How long things wait, among it `settle`.
    public var timing = ReachabilityTiming()
    /// Whether what the kernel changes silently is looked up every `timing.poll`.
    ///
    /// Without, an idle monitor makes no system call; what no message tells stays unnoticed until
    /// the next change, and names are resolved anew only after changes.
    public var polls = true
    /// The destinations that stand for "anywhere".
    public var pathProbes = PathProbes()
    /// Interfaces that are cellular, whatever the kernel says.
    public var cellularNames: Set<String> = []
    /// Whether events of the kernel are told, in their meaning.
    public var tellsKernelEvents = false
    /// What makes sure that a target answers; nil sends nothing to anybody.
    public var probe: ReachabilityProbe?
    /// How long one probe may take; nil for 5 s, and 9 s for `.neighbour`, as the kernel takes 5 s
    /// before it begins to ask a neighbour that it knew.
    public var probeTimeout: Duration?
    /// Where the facts come from.
    public var source = Source.kernel
    /// Where to record what the kernel says; nil for nowhere.
    public var recording: String?
    /// Name and version of the program, for the recording.
    public var application = "lantool"
    /// What to note at the start of the recording, such as the arguments: names and values.
    public var recordedSettings: [(name: String, value: String)] = []
    /// Where sysfs is mounted.
    public var sysfsRoot = "/sys"
    /// The device that tells of radio switches.
    public var rfkillPath = "/dev/rfkill"
    /// The resolver's configuration.
    public var resolverPath = "/etc/resolv.conf"
    /// Bytes that the kernel may queue for each event socket.
    public var receiveBuffer = 1 << 20

    /// The default path alone, or `targets`.
    public init(targets: [ReachabilityQuestion] = [ReachabilityQuestion(.defaultPath)]) {
      self.targets = targets
    }

    /// The waiting times with `polls` applied.
    var machineTiming: ReachabilityTiming {
      var timing = timing
      if !polls { timing.stopPolling() }
      return timing
    }

    /// A machine with the targets, not started.
    func machine(at now: Int64) -> ReachabilityMachine {
      var machine = ReachabilityMachine(
        timing: machineTiming, probes: pathProbes, cellularNames: cellularNames,
        tellsEvents: tellsKernelEvents)
      for target in targets { _ = machine.add(target, at: now) }
      return machine
    }
  }
}
