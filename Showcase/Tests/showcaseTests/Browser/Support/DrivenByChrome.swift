import Curlew
import CurlewTesting
import Foundation
import ShowcaseTestSupport
import Testing

/// Starts one chromedriver for a whole suite, and ends it and its browsers after the last test.
struct DrivenByChrome: SuiteTrait, TestScoping {
  /// The browsers of the suite's chromedriver.
  @TaskLocal static var browsers: BrowserPool?

  /// Whether browser tests run: in CI a missing chromedriver is a failure, elsewhere a skip.
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
      // A command takes as long as the browser does; each test has its own limit.
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

/// Everything that needs a browser; a test with arguments is `.serialized`, so that it uses one.
@Suite(
  .enabled(if: DrivenByChrome.isPossible, "chromedriver is not installed"), .drivenByChrome,
  .twoAtOnce, .timeLimit(.minutes(Fuzz.size(10, full: 180))))
struct BrowserTests {}
