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
    options: CommonOptions.general + LantoolDeclaration.hidden,
    examples: LantoolDeclaration.examples,
    statuses: [
      (.success, "It holds: found, or the input was read to its end."),
      (.negative, "It does not hold: nothing found."),
      (.undetermined, "It could not be determined: a system error or broken input."),
      (.timedOut, "The time limit passed without any result."),
      (.usage, "The command line is wrong."),
      (.notPermitted, "A permission is missing; the message names it and a way to get it."),
    ],
    sections: LantoolDeclaration.sections)
}

/// The parts of `CommandDeclaration.lantool`.
enum LantoolDeclaration {
  /// For those who build the program, and for shells.
  static let hidden: [OptionDeclaration] = [
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
  ]

  static let examples: [CommandDeclaration.Example] = [
    .init(command: "lantool browse", text: "See everything that is offered on the network."),
    .init(command: "lantool watch", text: "Follow whether there is a way out, and if not, why."),
    .init(
      command: "lantool browse --once --json _ipp._tcp | lantool resolve -",
      text: "Find the printers and where they can be reached."),
    .init(command: "lantool serve", text: "Be a peer for others on the network."),
    .init(command: "lantool ping-peer", text: "Test whether it answers, from another machine."),
    .init(
      command: "lantool sniff --lint -r lan.pcapng",
      text: "Judge the multicast DNS in a capture by the rules."),
  ]

  static let sections: [CommandDeclaration.Section] = [
    .init(
      title: "Signals",
      paragraphs: [
        .text(
          """
          A run without a limit ends at the first SIGINT or SIGTERM with its summary and its \
          ordinary status. A run with a limit that is cut short dies by the signal, and so does \
          any run at a second one. When the reader of a pipe goes away the program ends quietly.
          """)
      ]),
    .init(
      title: "Completion",
      paragraphs: [
        .text(
          """
          In bash, zsh and fish the tab key completes commands, options and their values, \
          interfaces, network namespaces and service types. Where the name of a host or service is \
          wanted, the network is listened to for a second, without a question; whoever announces \
          itself in that time, or answers somebody else, is offered.
          """)
      ]),
    .init(
      title: "Environment",
      paragraphs: CommonOptions.colorEnvironment + [
        CommonOptions.zoneEnvironment,
        .item(
          "LANGUAGE, LC_ALL, LC_MESSAGES, LANG", "The language of what watch tells people."),
      ]),
    .init(
      title: "Files",
      paragraphs: [
        .text("Below the folder that the program was installed to, such as /usr or /usr/local:"),
        .item("share/lantool/schema", "The JSON Schema files of --json, one a command."),
        .item("share/locale", "Translations of the texts for people."),
        .item(
          """
          share/bash-completion/completions, share/zsh/site-functions, \
          share/fish/vendor_completions.d
          """,
          "What the tab key completes."),
      ]),
  ]
}
