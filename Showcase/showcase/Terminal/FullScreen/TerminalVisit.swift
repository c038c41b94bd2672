import CurlewLive
import CurlewScreens

/// An open page in a terminal.
@MainActor
protocol TerminalVisit: AnyObject {
  /// The current view.
  var view: TerminalView { get }

  /// Opens an address of this page; returns whether it belongs to this page.
  func open(_ address: String) -> Bool
  func act(_ name: String, _ value: String)
  /// Retries the failed load, or reloads the content.
  func reload()
  /// Suspends the page while another page covers it.
  func suspend()
  func resume()
  func stop()
}

/// An open page in a terminal, with its screen's runner.
@MainActor
final class PageVisit<Page: ShowcasePage>: TerminalVisit {
  private let page: Page
  private var runner: Runner<Page.Content>!
  private var shown: TerminalView?

  /// Opens a page.
  ///
  /// - Parameters:
  ///   - traces: The recorder of the screen.
  ///   - onChange: Called when the view has changed.
  init(
    _ page: Page, navigator: any Navigator, traces: TraceRecorder?,
    onChange: @escaping @MainActor () -> Void
  ) {
    self.page = page
    runner = Runner(
      page.screen, executor: .mainActor, navigator: navigator, activity: page.activity,
      onChange: { [weak self] in
        MainActor.assumeIsolated {
          self?.shown = nil
          onChange()
        }
      }, observer: traces?.observer())
  }

  var view: TerminalView {
    if let shown { return shown }
    let view = page.terminalView(of: runner.state, runner.activity)
    shown = view
    return view
  }

  func open(_ address: String) -> Bool {
    guard let query = page.query(of: address) else { return false }
    for event in page.events(for: query, in: runner.state) { runner.send(event) }
    return true
  }

  func act(_ name: String, _ value: String) {
    _ = page.send(LiveAction(name: name, value: value), to: runner)
  }

  func reload() {
    if let alert = runner.activity.alerts.first(where: \.canRetry) {
      runner.retry(alert.id)
    } else if let event = ["refresh", "submit"].lazy
      .compactMap({ [page] in page.event(for: LiveAction(name: $0)) }).first
    {
      runner.send(event)
    }
  }

  func suspend() { runner.suspend() }
  func resume() { runner.resume() }
  func stop() { runner.stop() }
}
