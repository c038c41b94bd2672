import Curlew
import Synchronization

/// A pool of browsers for tests, because starting a browser takes longer than most tests.
final class BrowserPool: Sendable {
  private let client: Client
  /// The address of the page between two tests.
  ///
  /// It belongs to the same site as the tests' pages, which differ only in their ports, so Chromium
  /// keeps its process; after a blank page, it would start another process.
  private let home: String
  private let idle = Mutex<[Browser]>([])

  /// - Parameter client: Sends commands to chromedriver.
  init(_ driver: ChromeDriver, _ client: Client) {
    home = "\(driver.baseURL)/status"
    self.client = client
  }

  /// Runs a closure with a browser with one window and without stored data.
  ///
  /// A browser is ended if its test throws or it can't be reset, because its state is unknown.
  func withBrowser(
    _ options: Browser.Options, _ body: (Browser) async throws -> Void
  ) async throws {
    let browser = try await take(options)
    do {
      try await body(browser)
    } catch {
      try? await browser.close()
      throw error
    }
    do {
      try await browser.reset(home)
    } catch {
      try? await browser.close()
      return
    }
    idle.withLock { $0.append(browser) }
  }

  private func take(_ options: Browser.Options) async throws -> Browser {
    let kept = idle.withLock { idle in
      idle.lastIndex { $0.options == options }.map { idle.remove(at: $0) }
    }
    if let kept { return kept }
    return try await Browser(options, on: client)
  }
}

extension Browser {
  /// Opens the home page, and removes the data of the test and its site.
  fileprivate func reset(_ home: String) async throws {
    if takeAlteration() { try await replaceWindows() }
    try await open(home)
    for command in [
      "Network.clearBrowserCookies", "Network.clearBrowserCache", "Page.resetNavigationHistory",
    ] {
      try await devTools(command, [String: String]())
    }
    // Discards console messages of the last page.
    _ = try await console()
    _ = takeAlteration()
  }

  private func replaceWindows() async throws {
    let old = try await tabs
    let new = try await newTab(.window)
    for tab in old {
      try await select(tab)
      try await closeTab()
    }
    try await select(new)
    try await resize(Self.size.width, Self.size.height)
  }
}
