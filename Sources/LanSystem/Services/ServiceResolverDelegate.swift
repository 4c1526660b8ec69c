public import LanCore

/// Is told what a resolver finds, in NSNetService's order and manners, on the reactor's thread.
public protocol ServiceResolverDelegate: AnyObject {
  /// The query begins.
  func serviceResolverWillResolve(_ resolver: ServiceResolver)
  /// An answer came, changed or went; called as often as that happens.
  func serviceResolver(
    _ resolver: ServiceResolver, didResolve answer: ResolveAnswer, _ action: ResolveAction)
  /// All is known that will be; the answers are in the order to be tried in.
  func serviceResolver(_ resolver: ServiceResolver, didResolveAll answers: [ResolveAnswer])
  /// There is no answer; `failure.code` is NSNetService's number.
  func serviceResolver(_ resolver: ServiceResolver, didNotResolve failure: ResolveFailure)
  /// Nothing comes after this.
  func serviceResolverDidStop(_ resolver: ServiceResolver)
}

extension ServiceResolverDelegate {
  /// Does nothing.
  public func serviceResolverWillResolve(_ resolver: ServiceResolver) {}
  /// Does nothing.
  public func serviceResolver(
    _ resolver: ServiceResolver, didResolve answer: ResolveAnswer, _ action: ResolveAction
  ) {}
  /// Does nothing.
  public func serviceResolver(
    _ resolver: ServiceResolver, didResolveAll answers: [ResolveAnswer]
  ) {}
  /// Does nothing.
  public func serviceResolver(
    _ resolver: ServiceResolver, didNotResolve failure: ResolveFailure
  ) {}
  /// Does nothing.
  public func serviceResolverDidStop(_ resolver: ServiceResolver) {}

  func tell(_ resolver: ServiceResolver, _ event: ResolveEvent) {
    switch event {
    case .willResolve: serviceResolverWillResolve(resolver)
    case .answer(let answer, let action):
      serviceResolver(resolver, didResolve: answer, action)
    case .didResolve(let answers): serviceResolver(resolver, didResolveAll: answers)
    case .didNotResolve(let failure): serviceResolver(resolver, didNotResolve: failure)
    case .didStop: serviceResolverDidStop(resolver)
    case .contradiction, .diagnostic: break
    }
  }
}
