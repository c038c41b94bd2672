import Curlew
import Synchronization

/// The browsers that tests use one after another: starting one takes longer than most tests do.
final class BrowserPool: Sendable {
  private let driver: Client
  private let idle = Mutex<[Browser]>([])

  /// - Parameter driver: Sends commands to the chromedriver that starts and ends the browsers.
  init(_ driver: Client) {
    self.driver = driver
  }

  /// Runs a body with a browser that has one new window and remembers nothing.
  ///
  /// A browser whose test threw is ended: nobody knows what state it is in.
  func withBrowser(
    _ options: Browser.Options, _ body: (Browser) async throws -> Void
  ) async throws {
    let browser = try await take(options)
    do {
      try await body(browser)
      try await browser.reset()
    } catch {
      try? await browser.close()
      throw error
    }
    idle.withLock { $0.append(browser) }
  }

  private func take(_ options: Browser.Options) async throws -> Browser {
    let kept = idle.withLock { idle in
      idle.lastIndex { $0.options == options }.map { idle.remove(at: $0) }
    }
    if let kept { return kept }
    return try await Browser(options, on: driver)
  }
}

extension Browser {
  /// Replaces all windows by a new one, and removes what sites have left behind.
  fileprivate func reset() async throws {
    let old = try await tabs
    let new = try await newTab(.window)
    for tab in old {
      try await select(tab)
      try await closeTab()
    }
    try await select(new)
    try await resize(Self.size.width, Self.size.height)
    try await devTools("Network.clearBrowserCookies", [String: String]())
    _ = try await console()
  }
}
