package import CurlewScreens

/// An event in a terminal session.
package enum TerminalEvent: Sendable {
  case pressed([TerminalKey])
  /// The window was resized.
  case resized
  /// The process continues, or another program has used the window.
  case continued
  /// The process shall stop, as Control-Z asks for.
  case suspended
  /// A screen's state has changed.
  case changed
  /// A screen navigates to a route.
  case opened(any Route)
}

/// A session of an app and of the screens opened from it: handles events, and draws frames.
package final class TerminalSession {
  /// An open screen with its controls.
  private struct Layer {
    let visit: TerminalVisit
    var controls: TerminalControls
  }

  private let app: TerminalApp
  let clock: any Clock<Duration>
  let executor: (any TaskExecutor)?
  let post: @Sendable (TerminalEvent) -> Void
  private let suspend: () -> Void
  private var layers: [Layer] = []
  /// The last drawn frame; `nil` if the window has other contents.
  private var drawn: TerminalFrame?

  /// Opens an app.
  ///
  /// - Parameters:
  ///   - clock: The clock of the screens.
  ///   - executor: The executor of the screens; `nil` for the main actor.
  ///   - suspend: Stops the process until the shell resumes it.
  ///   - post: Posts an event, which is passed to ``handle(_:)`` later.
  package init(
    _ app: TerminalApp, clock: any Clock<Duration>, executor: (any TaskExecutor)?,
    suspend: @escaping () -> Void = {}, post: @escaping @Sendable (TerminalEvent) -> Void
  ) {
    (self.app, self.clock, self.executor) = (app, clock, executor)
    (self.suspend, self.post) = (suspend, post)
    push(app)
  }

  deinit {
    for layer in layers { layer.visit.runner.stop() }
  }

  private var top: Int { layers.count - 1 }
  var visit: TerminalVisit { layers[top].visit }

  /// Handles an event; returns whether the user quits.
  package func handle(_ event: TerminalEvent) -> Bool {
    switch event {
    case .pressed(let keys):
      return keys.contains { key in
        layers[top].controls.press(key, in: visit.view()).contains { perform($0) }
      }
    case .opened(let route): open(route)
    case .changed: break
    // A terminal may clear the window, also for the same size.
    case .resized, .continued: drawn = nil
    case .suspended: suspend()
    }
    return false
  }

  /// Opens the screen of a route; returns whether there is one.
  @discardableResult
  func open(_ route: any Route) -> Bool {
    guard let app = app.destination(route) else { return false }
    visit.runner.suspend()
    push(app)
    return true
  }

  private func push(_ app: TerminalApp) {
    let visit = app.visit(self)
    let controls = TerminalControls(in: visit.view(), isOnTop: !layers.isEmpty)
    layers.append(Layer(visit: visit, controls: controls))
  }

  /// Performs a command; returns whether the user quits.
  func perform(_ command: TerminalCommand) -> Bool {
    switch command {
    case .send(let events): visit.send(events)
    case .go(let route): open(route)
    case .show(let text): layers[top].controls.shown = text
    case .reload:
      let view = visit.view()
      if let (_, alert) = view.alerts.first(where: \.alert.canRetry) {
        visit.runner.retry(alert.id)
      } else if let reload = view.reload {
        return perform(reload)
      }
    case .dismiss: if let (_, alert) = visit.view().alerts.first { visit.runner.dismiss(alert.id) }
    case .redraw: drawn = nil
    case .suspend: suspend()
    case .quit: return true
    case .leave:
      guard layers.count > 1 else { break }
      layers.removeLast().visit.runner.stop()
      visit.runner.resume()
    }
    return false
  }

  /// Returns the control sequences that draw the changes since the last frame; requests rows that are about to be visible.
  package func draw(on terminal: Terminal, rows: Int) -> String {
    let frame = TerminalFrame(visit.view(), &layers[top].controls, on: terminal, rows: rows)
    if let command = layers[top].controls.wanted(in: visit.view()) { _ = perform(command) }
    defer { drawn = frame }
    return frame.changes(since: drawn, on: terminal)
  }
}
