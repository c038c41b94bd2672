public import CurlewScreens
public import Testing

/// Runs a screen in all orders of its steps up to a bound, then in random orders, and checks its promises in each.
///
/// ```swift
/// let dogs = PendingResponses { (name: String) in [Dog(name)] }
/// await explore(Search<Dog> { try await dogs.next(for: $0) }) { probe in
///   probe.send(.term("a"))
///   probe.send(.term("ab"))
/// }
/// ```
///
/// Before, between and after the steps of the script, pending responses arrive or fail, in any order, cancelled calls end,
/// waiting times pass, and the screen is suspended and resumed. In each order, the responses that are left arrive at the
/// end. Equal states with equal pending work are visited once.
///
/// A test fails with the shortest order that breaks a promise, as the code of a test, if
/// - a load is shown, but no work is running that could end it, or work does not end, although all responses have arrived;
/// - the response to an older request replaces that to a newer request;
/// - two equal requests are pending at once;
/// - a property does not hold, or a `#expect` of the script fails.
///
/// - Parameters:
///   - screen: The screen, made anew for each order, with all that it shares with others.
///   - events: Events that may be sent at any time, and repeatedly.
///   - properties: The properties that hold in each order, too.
///   - steps: The number of steps in all orders.
///   - runs: The maximum number of orders.
///   - seed: The seed of the random orders.
///   - script: A closure that sends events, in this order; an error that it throws ends an order, as that of a button
///     that is not shown yet.
///   - sourceLocation: The location of the test that fails.
/// - Returns: What was run.
@discardableResult
public func explore<S: Screen>(
  _ screen: @autoclosure @escaping () -> S, events: [S.Event] = [],
  checking properties: [ExplorationProperty<ScreenProbe<S>>] = [], steps: Int = 8,
  runs: Int = 20_000,
  seed: UInt64 = 1, sourceLocation: SourceLocation = #_sourceLocation,
  script: @escaping (ScreenProbe<S>) async throws -> Void = { _ in }
) async -> Exploration {
  // Texts by reflection are slow.
  let codes = events.map { "probe.send(\(ValueText.code($0)))" }
  return await explore(
    ScreenProbe(screen(), activity: nil), checking: properties, steps: steps, runs: runs,
    seed: seed, sourceLocation: sourceLocation,
    events: { probe in
      zip(events, codes).map { event, code in
        ExplorationStep(code, .event(event)) { probe.send(event) }
      }
    }
  ) { probe in
    probe.begin()
    try await script(probe)
  }
}

/// Runs a system, made anew for each order, as ``explore(_:events:checking:steps:runs:seed:sourceLocation:script:)`` does a
/// screen; the closure `events` returns the steps of the test that may happen at any time, and repeatedly.
@discardableResult
public func explore<System: Explorable>(
  _ system: @autoclosure @escaping () async throws -> System,
  checking properties: [ExplorationProperty<System>] = [], steps: Int = 8,
  runs: Int = 20_000, seed: UInt64 = 1, sourceLocation: SourceLocation = #_sourceLocation,
  events: @escaping (System) -> [ExplorationStep] = { _ in [] },
  script: @escaping (System) async throws -> Void
) async -> Exploration {
  precondition(1...1_000 ~= steps && runs > 0, "An exploration has 1 to 1,000 steps, and runs.")
  let explorer = Explorer(
    make: system, script: script, events: events, properties: properties, steps: steps,
    limit: runs, seed: seed)
  let exploration = await explorer.explore()
  if let failure = exploration.failure { failTest(failure, sourceLocation: sourceLocation) }
  return exploration
}

/// What an exploration has run, and the first broken promise.
public struct Exploration: Sendable, CustomStringConvertible {
  /// The number of orders that were run.
  public let runs: Int
  /// Whether all orders of the given number of steps were run.
  public let isComplete: Bool
  /// The most times that a request was sent in one order, by its text: what one visit of the screen costs at most.
  public let requests: [String: Int]
  /// The most bytes in the bodies of the responses of a ``StubTransport`` in one order.
  public let bytes: Int
  /// The broken promise, with the shortest order that breaks it as the code of a test; `nil` if there is none.
  public let failure: String?
  /// The steps of this order.
  public let order: [String]
  /// A sentence that tells whether all orders were run.
  public let description: String
}
