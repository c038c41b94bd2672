import CurlewLive
package import CurlewScreens

/// A full-screen session of a screen, and of the screens opened from it.
@MainActor
package final class TerminalSession {
  /// An open page with its controls.
  private struct Layer {
    let visit: any TerminalVisit
    var controls: TerminalControls
  }

  private let sources: DataSources
  private let traces: TraceRecorder?
  private let colors: Terminal.Colors
  private let clock: any Clock<Duration>
  private let size: () -> TerminalSize
  private let output: (String) throws -> Void
  private let events: AsyncStream<TerminalEvent>
  private let continuation: AsyncStream<TerminalEvent>.Continuation
  private var layers: [Layer] = []
  private var canvas = TerminalCanvas()
  private var isStale = false
  private var parser = TerminalKeyParser()
  /// The number of reads from the terminal.
  private var reads = 0
  /// The task that waits for the pause after Escape.
  private var pausing: Task<Void, Never>?

  /// The time to wait after Escape for the rest of a key sequence.
  package static let pause: Duration = .milliseconds(40)

  /// A navigator that opens addresses in the session.
  private struct Addresses: Navigator {
    let events: AsyncStream<TerminalEvent>.Continuation

    func go(to route: any Route) { events.yield(.opened(route.address)) }
  }

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - traces: The recorder of the screens.
  ///   - clock: The clock for the pause after Escape.
  ///   - size: Returns the current size of the window.
  ///   - output: Writes to the terminal; an error ends the session.
  package init(
    _ sources: DataSources, traces: TraceRecorder? = nil, colors: Terminal.Colors,
    clock: any Clock<Duration> = ContinuousClock(),
    size: @escaping () -> TerminalSize, output: @escaping (String) throws -> Void
  ) {
    (self.sources, self.traces, self.colors, self.clock) = (sources, traces, colors, clock)
    (self.size, self.output) = (size, output)
    (events, continuation) = AsyncStream.makeStream()
  }

  /// The input of events; finishing it ends the session.
  package var input: AsyncStream<TerminalEvent>.Continuation { continuation }

  /// Opens an address of a page, and handles events until the user quits.
  package func run(_ page: any ShowcasePage, at address: String) async throws {
    defer {
      pausing?.cancel()
      for layer in layers { layer.visit.stop() }
    }
    push(page, at: address)
    try draw()
    for await event in events {
      switch event {
      case .typed(let bytes):
        reads += 1
        pausing?.cancel()
        if parser.read(bytes).contains(where: { press($0) }) { return }
        if parser.isPending { waitForPause() }
      case .paused(let count):
        guard count == reads else { continue }
        if parser.flush().contains(where: { press($0) }) { return }
      case .opened(let address): open(address)
      case .changed: isStale = false
      case .resized: break
      case .continued:
        TerminalMode.enter()
        canvas.clear()
      }
      try draw()
    }
  }

  private func push(_ page: any ShowcasePage, at address: String) {
    func visit(_ page: some ShowcasePage) -> any TerminalVisit {
      PageVisit(page, navigator: Addresses(events: continuation), traces: traces) { [weak self] in
        self?.change()
      }
    }
    layers.last?.visit.suspend()
    let visit = visit(page)
    _ = visit.open(address)
    let controls = TerminalControls(in: visit.view, isOnTop: !layers.isEmpty)
    layers.append(Layer(visit: visit, controls: controls))
  }

  /// Requests a redraw; requests before it are combined.
  private func change() {
    guard !isStale else { return }
    isStale = true
    continuation.yield(.changed)
  }

  private func open(_ address: String) {
    if layers.last?.visit.open(address) == true { return }
    let pages = ScreenEntry.all.lazy.map { [sources] in $0.page(sources) }
    if let page = pages.first(where: { $0.query(of: address) != nil }) { push(page, at: address) }
  }

  private func waitForPause() {
    pausing = Task { [clock, continuation, reads] in
      try? await clock.sleep(for: Self.pause)
      continuation.yield(.paused(afterReads: reads))
    }
  }

  /// Handles a key, and returns whether the user quits.
  private func press(_ key: TerminalKey) -> Bool {
    let top = layers.count - 1
    let visit = layers[top].visit
    for command in layers[top].controls.press(key, in: visit.view) {
      switch command {
      case .act(let name, let value): visit.act(name, value)
      case .open(let address): open(address)
      case .reload: visit.reload()
      case .redraw: canvas.clear()
      case .suspend: TerminalMode.suspend()
      case .quit: return true
      case .leave:
        guard layers.count > 1 else { break }
        layers.removeLast().visit.stop()
        layers.last?.visit.resume()
      }
    }
    return false
  }

  private func draw() throws {
    let top = layers.count - 1
    let frame = TerminalFrame(
      layers[top].visit.view, &layers[top].controls, size: size(), colors: colors)
    let text = canvas.draw(frame)
    if !text.isEmpty { try output(text) }
    let visit = layers[top].visit
    if case .act(let name, let value) = layers[top].controls.wanted(in: visit.view) {
      visit.act(name, value)
    }
  }
}
