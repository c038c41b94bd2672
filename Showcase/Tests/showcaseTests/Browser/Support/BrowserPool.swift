import Curlew
import Synchronization

/// The browsers that tests use one after another: starting one takes longer than most tests do.
final class BrowserPool: Sendable {
  private let client: Client
  /// The address of the page between two tests.
  ///
  /// It is of the same site as the tests' pages, which differ in their ports only, so that Chromium
  /// goes on with the same process; after an empty page it starts another one.
  private let home: String
  private let idle = Mutex<[Browser]>([])

  /// - Parameter client: Sends commands to the chromedriver.
  init(_ driver: ChromeDriver, _ client: Client) {
    home = "\(driver.baseURL)/status"
    self.client = client
  }

  /// Runs a body with a browser that has one window and remembers nothing.
  ///
  /// A browser whose test threw, or which can't be used again, is ended: nobody knows what state it is in.
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
  /// Goes home, and removes what the test and its site have left behind.
  fileprivate func reset(_ home: String) async throws {
    if takeAlteration() { try await replaceWindows() }
    try await open(home)
    for command in [
      "Network.clearBrowserCookies", "Network.clearBrowserCache", "Page.resetNavigationHistory",
    ] {
      try await devTools(command, [String: String]())
    }
    // What the last page said while it ended.
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
