/// A subcommand: what a user can say to it, and what runs.
struct Command: Sendable {
  let declaration: CommandDeclaration
  let run: @Sendable (ParsedArguments) -> ExitStatus

  /// Every subcommand, in the order that help lists them.
  static let all = [
    Command(declaration: .watch, run: WatchCommand.run),
    Command(declaration: .browse, run: BrowseCommand.run),
    Command(declaration: .resolve, run: ResolveCommand.run),
    Command(declaration: .sniff, run: SniffCommand.run),
    Command(declaration: .pingPeer, run: PingPeerCommand.run),
    Command(declaration: .serve, run: ServeCommand.run),
  ]
}
