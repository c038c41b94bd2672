package import CurlewScreens

/// An event in a terminal session.
package enum TerminalEvent: Sendable {
  /// A key was pressed.
  case pressed(TerminalKey)
  /// Bytes were read from the terminal.
  case typed([UInt8])
  /// Nothing was read for a short time after a number of reads.
  case paused(afterReads: Int)
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
    let visit: any TerminalVisit
    var controls: TerminalControls
  }

  private let app: TerminalApp
  let clock: any Clock<Duration>
  let executor: (any TaskExecutor)?
  let post: @Sendable (TerminalEvent) -> Void
  private let suspend: () -> Void
  private var layers: [Layer] = []
  private var canvas = TerminalCanvas()
  private var parser = TerminalKeyParser()
  /// The number of reads from the terminal.
  private(set) var reads = 0

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
    for layer in layers { layer.visit.stop() }
  }

  private var top: Int { layers.count - 1 }
  var visit: any TerminalVisit { layers[top].visit }

  /// Whether bytes were read that may be a complete key.
  var isPending: Bool { parser.isPending }

  /// Handles an event; returns whether the user quits.
  package func handle(_ event: TerminalEvent) -> Bool {
    switch event {
    case .pressed(let key): return press(key)
    case .typed(let bytes):
      reads += 1
      return parser.read(bytes).contains { press($0) }
    case .paused(let count): return count == reads && parser.flush().contains { press($0) }
    case .opened(let route): open(route)
    case .changed: break
    // A terminal may clear the window, also for the same size.
    case .resized, .continued: canvas.clear()
    case .suspended: suspend()
    }
    return false
  }

  /// Opens the screen of a route; returns whether there is one.
  @discardableResult
  func open(_ route: any Route) -> Bool {
    guard let app = app.destination(route) else { return false }
    visit.suspend()
    push(app)
    return true
  }

  private func push(_ app: TerminalApp) {
    let visit = app.visit(self)
    let controls = TerminalControls(in: visit.view, isOnTop: !layers.isEmpty)
    layers.append(Layer(visit: visit, controls: controls))
  }

  /// Handles a key; returns whether the user quits.
  private func press(_ key: TerminalKey) -> Bool {
    layers[top].controls.press(key, in: visit.view).contains { perform($0) }
  }

  /// Performs a command; returns whether the user quits.
  func perform(_ command: TerminalCommand) -> Bool {
    switch command {
    case .send(let events): visit.send(events)
    case .go(let route): open(route)
    case .show(let text): layers[top].controls.shown = text
    case .reload: visit.reload()
    case .dismiss(let alert): visit.dismiss(alert)
    case .redraw: canvas.clear()
    case .suspend: suspend()
    case .quit: return true
    case .leave:
      guard layers.count > 1 else { break }
      layers.removeLast().visit.stop()
      visit.resume()
    }
    return false
  }

  /// Returns the control sequences that draw the changes since the last frame; requests rows that are about to be
  /// visible.
  package func draw(on terminal: Terminal, rows: Int) -> String {
    let size = TerminalSize(columns: terminal.width ?? 80, rows: rows)
    let frame = TerminalFrame(visit.view, &layers[top].controls, size: size, on: terminal)
    if let command = layers[top].controls.wanted(in: visit.view) { _ = perform(command) }
    return canvas.draw(frame, on: terminal)
  }
}
