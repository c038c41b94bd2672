public import CurlewScreens

/// A screen in a terminal, and the screens that it opens.
///
/// ```swift
/// try await TerminalApp(Search { text in try await dogs(named: text) }) { state in
///   TerminalView(
///     "Dogs", status: "\(state.items.count) dogs",
///     fields: [Field("Name", text: state.text) { .term($0) }], submit: .submit,
///     list: List(state.items, id: \.name, columns: [.text("NAME") { $0.name }]))
/// }.run()
/// ```
///
/// The drawing, the keys and the widths of characters are Curlew's own: ncurses can't be imported into Swift, because its
/// interface is macros and functions with variable arguments.
public struct TerminalApp: Sendable {
  let visit: @Sendable (TerminalSession) -> TerminalVisit
  private var destinations: [@Sendable (any Route) -> TerminalApp?] = []

  /// Creates an app.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - start: The events sent when the screen begins, such as `.load` of a feed.
  ///   - activity: The options of the screen's indicator and alerts.
  ///   - view: A closure that returns the view of a state.
  public init<S: Screen>(
    _ screen: S, start: [S.Event] = [], activity: ScreenActivity.Options = .init(),
    view: @escaping @Sendable (S.State) -> TerminalView<S.Event>
  ) {
    self.init(screen, start: start, activity: activity) { state, _ in view(state) }
  }

  /// Creates an app whose view also depends on the screen's activity, such as whether the network is unavailable.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - start: The events sent when the screen begins.
  ///   - activity: The options of the screen's indicator and alerts.
  ///   - alertText: A closure that returns the text of an alert; by default its message.
  ///   - recorder: A recorder of the screen, for a test that repeats what happened.
  ///   - command: A closure that returns the events for a line that a script writes to the app's standard input, or that a
  ///     user of `--lines` types; `nil` for a line that is no command of the app.
  ///   - view: A closure that returns the view of a state and an activity.
  public init<S: Screen>(
    _ screen: S, start: [S.Event] = [], activity: ScreenActivity.Options = .init(),
    alertText: @escaping @Sendable (ScreenActivity.Alert) -> String = { $0.message },
    recorder: TraceRecorder? = nil,
    command: @escaping @Sendable (String, S.State) -> [S.Event]? = { _, _ in nil },
    view: @escaping @Sendable (S.State, ScreenActivity) -> TerminalView<S.Event>
  ) {
    visit = { session in
      TerminalVisit(
        screen, start: start, activity: activity, recorder: recorder, command: command, in: session
      ) { state, activity in
        var content = view(state, activity).content
        content.isBusy = !activity.loading.isEmpty
        content.alerts = activity.alerts.map { (alertText($0), $0) }
        return content
      }
    }
  }

  /// Returns the app with the screens of a type of routes, which `work.go(to:)` and ``TerminalAction/go(to:)`` open.
  ///
  /// Escape leads back. The opened screens can open screens of all routes of this app.
  public func destination<R: Route>(
    for type: R.Type, _ app: @escaping @Sendable (R) -> TerminalApp?
  ) -> TerminalApp {
    var copy = self
    copy.destinations.append { ($0 as? R).flatMap(app) }
    return copy
  }

  /// Returns the app of a route.
  func destination(_ route: any Route) -> TerminalApp? {
    destinations.lazy.compactMap { $0(route) }.first
  }
}
