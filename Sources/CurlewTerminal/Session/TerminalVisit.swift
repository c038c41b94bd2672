import CurlewScreens
import Synchronization

/// A running screen in a terminal, without its types.
protocol TerminalVisit: AnyObject {
  /// The current view.
  var view: ViewContent { get }

  /// Sends events of the screen's type.
  func send(_ events: [any Sendable])
  /// Retries the failed load, or reloads the content.
  func reload()
  func dismiss(_ alert: ScreenActivity.Alert.ID)
  /// Sends the events for a line of a script; returns whether there are any.
  func perform(_ line: String) -> Bool
  func waitUntilIdle() async
  /// Suspends the screen while another screen covers it.
  func suspend()
  func resume()
  func stop()
}

final class ScreenVisit<S: Screen>: TerminalVisit {
  private let app: ScreenApp<S>
  private let runner: Runner<S>
  /// Whether a change was posted whose view has not been read.
  private let isPosted = Flag()
  private var shown: (state: S.State, activity: ScreenActivity, view: ViewContent)?

  /// Runs a screen.
  init(_ app: ScreenApp<S>, in session: TerminalSession) {
    self.app = app
    runner = Runner(
      app.screen, clock: session.clock,
      executor: session.executor.map { .custom($0) } ?? .mainActor,
      navigator: RoutePoster(post: session.post), activity: app.activity,
      onChange: { [post = session.post, isPosted] in
        if !isPosted.value.exchange(true, ordering: .relaxed) { post(.changed) }
      }, observer: app.recorder?.observer())
    for event in app.start { runner.send(event) }
    runner.resume()
  }

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  /// A navigator that opens routes in the session.
  private struct RoutePoster: Navigator {
    let post: @Sendable (TerminalEvent) -> Void

    func go(to route: any Route) { post(.opened(route)) }
  }

  var view: ViewContent {
    isPosted.value.store(false, ordering: .relaxed)
    let (state, activity) = (runner.state, runner.activity)
    if let shown, shown.activity == activity, shown.state == state { return shown.view }
    var view = app.view(state, activity).content
    view.isBusy = !activity.loading.isEmpty
    view.alerts = activity.alerts.map {
      ViewContent.Alert(text: app.alertText($0), id: $0.id, canRetry: $0.canRetry)
    }
    shown = (state, activity, view)
    return view
  }

  func send(_ events: [any Sendable]) {
    for case let event as S.Event in events { runner.send(event) }
  }

  func reload() {
    if let alert = runner.activity.alerts.first(where: \.canRetry) {
      runner.retry(alert.id)
    } else if case .send(let events)? = view.reload {
      send(events)
    }
  }

  func dismiss(_ alert: ScreenActivity.Alert.ID) { runner.dismiss(alert) }

  func perform(_ line: String) -> Bool {
    let events = app.command(line, runner.state) ?? []
    for event in events { runner.send(event) }
    return !events.isEmpty
  }

  func waitUntilIdle() async { await runner.waitUntilIdle() }
  func suspend() { runner.suspend() }
  func resume() { runner.resume() }
  func stop() { runner.stop() }
}
