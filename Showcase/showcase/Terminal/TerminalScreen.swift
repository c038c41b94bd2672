import CurlewLive
package import CurlewScreens
import Synchronization

/// A screen with line-based input and output: input lines are actions, output lines are the status.
///
/// The actions are the same as in the page's markup, so that a script can control both the browser
/// and this screen: `term apple/swift`, `pick 12`, `more`. A line that begins with `/` opens that
/// address.
@MainActor
package final class TerminalScreen<Page: ShowcasePage> {
  /// An error thrown for a line that is not an action or an address.
  package struct Unknown: Error {
    let line: String
  }

  private let page: Page
  private let prompt: Prompt
  private let traces: TraceRecorder?
  private let navigator = Addresses()
  private var runner: Runner<Page.Content>?
  private var announced: [String] = []

  /// A navigator that collects addresses until the state is printed.
  private final class Addresses: Navigator {
    private let addresses = Mutex<[String]>([])

    func go(to route: any Route) { addresses.withLock { $0.append(route.address) } }

    func removeAll() -> [String] {
      addresses.withLock { addresses in
        defer { addresses = [] }
        return addresses
      }
    }
  }

  /// Creates a screen; without a prompt, an unknown line is an error.
  package init(_ page: Page, prompt: Prompt, traces: TraceRecorder? = nil) {
    (self.page, self.prompt, self.traces) = (page, prompt, traces)
  }

  /// Opens an address and performs lines; each line waits until the screen is idle.
  package func play(_ address: String, _ lines: some AsyncSequence<String, any Error>) async throws
  {
    let runner = Runner(
      page.screen, executor: .mainActor, navigator: navigator, activity: page.activity,
      onChange: { MainActor.assumeIsolated { self.announce() } }, observer: traces?.observer())
    self.runner = runner
    defer {
      runner.stop()
      self.runner = nil
    }
    announce()
    try await perform("/" + address.drop { $0 == "/" })
    prompt.show()
    for try await line in lines {
      prompt.hide()
      let line = line.trimmingPrefix(" ")
      if !line.isEmpty, !line.hasPrefix("#") {
        do {
          try await perform(String(line))
        } catch let unknown as Unknown where prompt.isAsked {
          prompt.write("There is no action or address '\(unknown.line)' on this screen.")
        }
      }
      prompt.show()
    }
  }

  private func perform(_ line: String) async throws {
    guard let runner else { return }
    try send(line, to: runner)
    runner.resume()
    await runner.waitUntilIdle()
    announce()
    for address in navigator.removeAll() { prompt.write("→ \(address)") }
  }

  private func send(_ line: String, to runner: Runner<Page.Content>) throws {
    if line.hasPrefix("/") {
      guard let query = page.query(of: line) else { throw Unknown(line: line) }
      for event in page.events(for: query, in: runner.state) { runner.send(event) }
      return
    }
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let action = LiveAction(name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : "")
    guard page.send(action, to: runner) else { throw Unknown(line: line) }
  }

  private func announce() {
    guard let runner else { return }
    let lines = page.lines(of: runner.state, runner.activity)
    guard lines != announced else { return }
    announced = lines
    for line in lines { prompt.write(line) }
  }
}
