import Curlew
import CurlewTesting
import Foundation
import ShowcaseTestSupport
import Testing

/// Starts one chromedriver for a suite, and ends it and its browsers after the last test.
struct DrivenByChrome: SuiteTrait, TestScoping {
  /// The browsers of the suite's chromedriver.
  @TaskLocal static var browsers: BrowserPool?

  /// Whether browser tests run: in CI, a missing chromedriver is a failure; elsewhere, the tests
  /// are skipped.
  static let isPossible =
    ChromeDriver.path != nil || ProcessInfo.processInfo.environment["CI"] != nil

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing run: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let driver = try await ChromeDriver.start()
    let client = Client(baseURL: driver.baseURL) {
      $0.transport = ServedSite.transport
      // Commands have no timeouts, because each test has a time limit.
      ($0.limits.total, $0.limits.firstByte) = (nil, nil)
    }
    do {
      try await Self.$browsers.withValue(BrowserPool(driver, client)) { try await run() }
      await driver.stop()
    } catch {
      await driver.stop()
      throw error
    }
  }
}

extension Trait where Self == DrivenByChrome {
  static var drivenByChrome: Self { Self() }
}

/// The tests that need a browser; a test with arguments is `.serialized`, so that it uses a single
/// browser.
@Suite(
  .enabled(if: DrivenByChrome.isPossible, "chromedriver is not installed"), .drivenByChrome,
  .twoAtOnce, .timeLimit(.minutes(Fuzz.size(10, full: 180))))
struct BrowserTests {}
