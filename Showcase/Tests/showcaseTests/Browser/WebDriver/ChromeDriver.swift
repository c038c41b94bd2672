import Curlew
import CurlewTesting
import Foundation
import ShowcaseTestSupport

/// A chromedriver process: the server that controls Chromium for tests.
struct ChromeDriver {
  /// The base URL of the server.
  let baseURL: BaseURL
  private let process: ChildProcess

  /// The path of chromedriver; `nil` if it is not installed.
  static let path: String? = {
    let environment = ProcessInfo.processInfo.environment
    let folders = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/chromedriver" }
    let candidates = [environment["CHROMEDRIVER"]].compactMap { $0 } + folders
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Starts a process, and returns when it listens.
  static func start() async throws -> ChromeDriver {
    guard let path else {
      throw ChildProcess.LaunchFailure(description: "chromedriver is not installed")
    }
    let (process, port) = try await ChildProcess.start(
      path, ["--port=0"], readyWhen: #"started successfully on port (\d+)"#)
    return ChromeDriver(baseURL: try BaseURL("http://127.0.0.1:\(port)"), process: process)
  }

  /// Ends the process, and the browsers that are still open.
  func stop() async {
    await process.stop()
  }
}
