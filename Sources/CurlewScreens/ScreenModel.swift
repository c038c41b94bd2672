public import Observation

/// A running screen for a view: SwiftUI and UIKit read ``state`` and call ``send(_:)``.
///
/// ```swift
/// @State private var model = ScreenModel(tracker)
///
/// List(model.state.items) { … }.searchable(text: $text)
///   .onChange(of: text) { model.send(.term(text)) }
///   .task { await model.run() }
/// ```
///
/// The state changes on the main actor only, and without a hop: ``send(_:)`` has changed it when it
/// returns, and work that began here comes back here.
@MainActor
@Observable
public final class ScreenModel<S: Screen> {
  /// The newest state.
  public private(set) var state: S.State
  /// Whether loads or writes are running or waiting to; streams and timers don't count.
  public private(set) var isWorking = false

  @ObservationIgnored private let runner: Runner<S>
  /// How many views run the screen now.
  @ObservationIgnored private var views = 0

  /// Creates a model whose screen is in its initial state.
  ///
  /// - Parameters:
  ///   - screen: The screen to run.
  ///   - clock: The clock of all delays.
  ///   - navigator: Goes where the screen says, for example a ``RoutePath``.
  ///   - writes: Counts the writes; share one to wait for those of several models.
  ///   - observer: Called on the main actor with all that happens, in order.
  public init(
    _ screen: S, clock: any Clock<Duration> = ContinuousClock(),
    navigator: (any Navigator)? = nil, writes: PendingWork? = nil,
    observer: (@Sendable (RunnerRecord<S>) -> Void)? = nil
  ) {
    let relay = Relay()
    let runner = Runner(screen, clock, .mainActor, navigator, writes, observer) { _ in
      MainActor.assumeIsolated { relay.model?.refresh() }
    }
    self.runner = runner
    state = runner.state
    relay.model = self
  }

  /// Applies an event; when it returns, ``state`` has changed.
  ///
  /// - Returns: What the event started, to wait for it:
  ///   `.refreshable { await model.send(.refresh).finished() }`.
  @discardableResult
  public func send(_ event: S.Event) -> SentEvent {
    runner.send(event)
  }

  /// The writes that have not finished; they go on when the model is gone.
  public var writes: PendingWork { runner.writes }

  /// Ties the screen's work to a view: returns when its task is cancelled, and stops the work then.
  ///
  /// Loads that were cancelled begin anew with the next `run()`, so a view that comes back does not
  /// find a spinner that never ends. Writes are never stopped.
  public func run() async {
    views += 1
    runner.resume()
    let (forever, continuation) = AsyncStream<Never>.makeStream()
    for await _ in forever {}
    continuation.finish()
    views -= 1
    // A view that replaces another one may come before the other one goes.
    if views == 0 { runner.suspend() }
  }

  /// Takes the runner's state.
  ///
  /// An observer may send an event while the state is being set: then the newer state must win, so
  /// it looks again until nothing is newer.
  private func refresh() {
    while true {
      let (newest, works) = (runner.state, runner.isWorking)
      guard state != newest || isWorking != works else { return }
      if state != newest { state = newest }
      if isWorking != works { isWorking = works }
      // One that is not equal to itself, as with a NaN in it, is as new as it gets.
      if newest != newest { return }
    }
  }

  @MainActor
  private final class Relay {
    weak var model: ScreenModel?
  }
}
