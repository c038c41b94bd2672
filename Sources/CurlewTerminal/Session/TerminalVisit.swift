import CurlewScreens
import Synchronization

/// A running screen in a terminal, without its types.
struct TerminalVisit {
  let runner: any ScreenRunner
  /// Returns the current view.
  let view: () -> ViewContent
  /// Sends events of the screen's type.
  let send: ([any Sendable]) -> Void
  /// Returns the events for a line of a script; `nil` if it is no command of the screen.
  let events: (String) -> [any Sendable]?

  /// Runs a screen.
  init<S: Screen>(
    _ screen: S, start: [S.Event], activity: ScreenActivity.Options, recorder: TraceRecorder?,
    command: @escaping (String, S.State) -> [S.Event]?, in session: TerminalSession,
    view: @escaping (S.State, ScreenActivity) -> ViewContent
  ) {
    let (changes, post) = (Changes(), session.post)
    let runner = Runner(
      screen, clock: session.clock,
      executor: session.executor.map { .custom($0) } ?? .mainActor,
      navigator: RoutePoster(post: post), activity: activity,
      onChange: {
        if !changes.isUnread.exchange(true, ordering: .sequentiallyConsistent) { post(.changed) }
      },
      observer: recorder?.observer())
    for event in start { runner.send(event) }
    runner.resume()
    self.runner = runner
    var shown: ViewContent?
    self.view = {
      let isChanged = changes.isUnread.exchange(false, ordering: .sequentiallyConsistent)
      if let shown, !isChanged { return shown }
      let content = view(runner.state, runner.activity)
      shown = content
      return content
    }
    send = { events in
      for case let event as S.Event in events { runner.send(event) }
    }
    events = { command($0, runner.state) }
  }

  /// Whether there is a change that ``view`` has not read.
  private final class Changes: Sendable {
    let isUnread = Atomic(false)
  }

  /// A navigator that opens routes in the session.
  private struct RoutePoster: Navigator {
    let post: @Sendable (TerminalEvent) -> Void

    func go(to route: any Route) { post(.opened(route)) }
  }
}

/// A runner, without the types of its screen.
protocol ScreenRunner: Sendable {
  @discardableResult func retry(_ alert: ScreenActivity.Alert.ID) -> PendingWork
  func dismiss(_ alert: ScreenActivity.Alert.ID)
  func waitUntilIdle() async
  func suspend()
  func resume()
  func stop()
}

extension Runner: ScreenRunner {}
