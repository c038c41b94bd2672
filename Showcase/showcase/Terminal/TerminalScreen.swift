import CurlewLive
import CurlewScreens
import Synchronization

/// A screen in a terminal: a line in is what a user does, a line out is what there is to see.
///
/// The lines are the actions of the page's markup, so one script drives the browser and this:
/// `term apple/swift`, `pick 12`, `more`; a line that begins with `/` opens that address.
@MainActor
final class TerminalScreen<Page: ShowcasePage> {
  /// Why a line does nothing.
  struct Unknown: Error {
    let line: String
  }

  private let page: Page
  private let write: (String) -> Void
  private let places = Places()
  private var runner: Runner<Page.Content>?
  private var said = ""

  /// Keeps where the screen goes until its state is written.
  private final class Places: Navigator {
    let addresses = Mutex<[String]>([])

    func go(to route: any Route) { addresses.withLock { $0.append(route.address) } }
  }

  /// Creates a screen that writes with a function.
  init(_ page: Page, write: @escaping (String) -> Void) {
    self.page = page
    self.write = write
  }

  /// Opens an address and plays lines; each waits until the screen has done what the last one
  /// asked.
  func play(_ address: String, _ lines: some AsyncSequence<String, any Error>) async throws {
    let relay = Relay()
    relay.screen = self
    let runner = Runner(page.screen, home: .mainActor, navigator: places) {
      MainActor.assumeIsolated { relay.screen?.say() }
    }
    self.runner = runner
    defer { runner.stop() }
    say()
    try await perform("/" + address.drop { $0 == "/" })
    for try await line in lines {
      let line = line.trimmingPrefix(" ")
      if line.isEmpty || line.hasPrefix("#") { continue }
      try await perform(String(line))
    }
  }

  private func perform(_ line: String) async throws {
    guard let runner else { return }
    for event in try events(of: line, in: runner.state) { runner.send(event) }
    await runner.idle()
    say()
    for address in places.addresses.withLock({ addresses in
      defer { addresses = [] }
      return addresses
    }) { write("→ \(address)") }
  }

  private func events(of line: String, in state: Page.Content.State) throws -> [Page.Content.Event]
  {
    if line.hasPrefix("/") {
      guard let query = page.query(of: line) else { throw Unknown(line: line) }
      return page.events(for: query, in: state)
    }
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let action = LiveAction(name: String(words[0]), value: words.count == 2 ? String(words[1]) : "")
    guard let event = page.event(for: action) else { throw Unknown(line: line) }
    return [event]
  }

  private func say() {
    guard let runner else { return }
    let words = page.announcement(of: runner.state)
    guard words != said else { return }
    said = words
    if !words.isEmpty { write(words) }
  }

  @MainActor
  private final class Relay {
    weak var screen: TerminalScreen?
  }
}
