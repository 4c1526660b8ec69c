extension CommandDeclaration {
  /// `lantool` without a subcommand.
  static let lantool = CommandDeclaration(
    name: "",
    abstract: "find out what a local network is doing",
    discussion: [
      .text(
        """
        lantool answers questions about the local network from what is really sent on it: \
        multicast DNS and DNS-SD, LLMNR and DNS. Each question is a subcommand with a help and a \
        manual page of its own.
        """),
      .text(
        """
        Standard output carries records only, as text for people or with --json as JSON Lines for \
        programs. Diagnostics go to standard error. Options follow the GNU habits: a long name may \
        be cut short as long as it stays unambiguous, letters may be bundled, a value follows \
        after '=' or a space, options and arguments may be mixed, '--' ends the options, and of an \
        option that is given twice the last one counts unless it is repeatable.
        """),
    ],
    arguments: [
      Argument(
        placeholder: "COMMAND", isOptional: false, isRepeatable: false,
        help: "one of the commands below, or help COMMAND"),
      Argument(
        placeholder: "ARGUMENT", isOptional: true, isRepeatable: true,
        help: "what the command takes; see its own help"),
    ],
    options: CommonOptions.general + [
      OptionDeclaration(
        "generate", nil, "WHAT",
        .choice([
          Choice("man", "a manual page"), Choice("bash", "completions for bash"),
          Choice("zsh", "completions for zsh"), Choice("fish", "completions for fish"),
        ]), in: .general, isHidden: true, help: "write a generated file: man PAGE, bash, zsh, fish"),
      OptionDeclaration(
        "complete", nil, "KIND",
        .choice([
          Choice("hosts", "names of hosts"), Choice("targets", "names of hosts and services"),
          Choice("instances", "labels of services"),
        ]), in: .general, isHidden: true,
        help: "listen for a second and write names for a shell (KIND COMMAND WORD...)"),
    ],
    statuses: [
      (.success, "It holds: found, or the input was read to its end."),
      (.negative, "It does not hold: nothing found."),
      (.undetermined, "It could not be determined: a system error or broken input."),
      (.timedOut, "The time limit passed without any result."),
      (.usage, "The command line is wrong."),
      (.notPermitted, "A permission is missing; the message names it and a way to get it."),
    ],
    sections: [
      Section(
        title: "Signals",
        paragraphs: [
          .text(
            """
            A run without a limit ends at the first SIGINT or SIGTERM with its summary and its \
            ordinary status. A run with a limit that is cut short dies by the signal, and so does \
            any run at a second one. When the reader of a pipe goes away the program ends quietly.
            """)
        ])
    ])
}
