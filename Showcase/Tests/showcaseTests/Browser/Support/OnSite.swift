import CurlewTesting
import Sandbox
import Testing

/// Runs a test with a browser and the site, available as ``BrowserTests/browser`` and
/// ``BrowserTests/site``.
struct OnSite: TestTrait, TestScoping {
  @TaskLocal static var current: (site: Site, clock: TestClock?)?

  let browser: Browser.Options
  let sandbox: Sandbox.Options
  let isTimed, hasAccounts: Bool
  let allowed: [String]

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing run: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let clock = isTimed ? TestClock() : nil
    try await withSite(
      browser, sandbox: sandbox, clock: clock, hasAccounts: hasAccounts, allowing: allowed,
      sourceLocation: test.sourceLocation
    ) { site in
      try await Self.$current.withValue((site, clock)) { try await run() }
    }
  }
}

extension Trait where Self == OnSite {
  static var site: Self { .site() }

  /// - Parameters:
  ///   - isTimed: Whether the screens and the sandbox's latency use a clock that only the test
  ///     advances.
  ///   - allowed: Errors in the browser's console that the test expects.
  static func site(
    _ browser: Browser.Options = .init(), sandbox: Sandbox.Options = .init(),
    isTimed: Bool = false, hasAccounts: Bool = false, allowing allowed: [String] = []
  ) -> Self {
    Self(
      browser: browser, sandbox: sandbox, isTimed: isTimed, hasAccounts: hasAccounts,
      allowed: allowed)
  }
}

extension BrowserTests {
  /// The site of the running test.
  static var site: Site { OnSite.current!.site }

  /// The browser of the site.
  static var browser: Browser { site.browser }

  /// The clock of a timed site.
  static var clock: TestClock { OnSite.current!.clock! }
}
