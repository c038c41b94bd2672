import Curlew
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// httpbin from PyPI, a third-party server that implements much of HTTP, on loopback.
///
/// It is installed into a virtual environment under `.build` on first use.
struct HTTPBin: SuiteTrait, TestScoping {
  /// The base URL of the suite's server.
  @TaskLocal static var baseURL: BaseURL?

  private static let environment = ProcessInfo.processInfo.environment

  /// The path of Python; `nil` if it is not installed.
  private static let python: String? = (environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether the tests run: in CI a missing Python is a failure, elsewhere the tests are skipped.
  static let isPossible = python != nil || environment["CI"] != nil

  private static let serve = """
    from httpbin import app
    from werkzeug.serving import WSGIRequestHandler, make_server
    WSGIRequestHandler.protocol_version = "HTTP/1.1"
    server = make_server("127.0.0.1", 0, app, threaded=True)
    print(f"listening on {server.port}.", flush=True)
    server.serve_forever()
    """

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing run: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let (server, port) = try await ChildProcess.start(
      try await Self.installed.value, ["-c", Self.serve], readyWhen: #"listening on (\d+)\."#)
    do {
      let baseURL = try BaseURL("http://127.0.0.1:\(port)")
      try await Self.$baseURL.withValue(baseURL) { try await run() }
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// The virtual environment's Python.
  ///
  /// It is installed once for all suites: two concurrent installations would delete each other's files.
  private static let installed = Task { try await install() }

  /// Returns the virtual environment's Python; installs the environment if it does not exist.
  private static func install() async throws -> String {
    guard let python else { throw ChildProcess.LaunchFailure(description: "Python is missing") }
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../.build/httpbin").standardizedFileURL.path
    let path = "\(folder)/bin/python3"
    func isThere() async throws -> Bool {
      guard FileManager.default.isExecutableFile(atPath: path) else { return false }
      return try await ran(path, ["-c", "from httpbin import app"]) == 0
    }
    if try await isThere() { return path }
    // Twice, because a download may fail.
    for _ in 1...2 {
      _ = try await ran(python, ["-m", "venv", "--clear", folder])
      _ = try await ran(path, ["-m", "pip", "install", "--quiet", "httpbin==0.10.4"])
      if try await isThere() { return path }
    }
    throw ChildProcess.LaunchFailure(description: "httpbin could not be installed from PyPI")
  }

  /// Runs a program to its end and returns its exit status.
  private static func ran(_ path: String, _ arguments: [String]) async throws -> Int32 {
    try await Process.run([path] + arguments).end.status
  }
}

extension Trait where Self == HTTPBin {
  static var httpBin: Self { Self() }
}
