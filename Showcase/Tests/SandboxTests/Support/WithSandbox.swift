import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import Sandbox
import Testing

/// The current date in all tests.
let today = Date(timeIntervalSince1970: 1_750_000_000)

extension Sandbox.Options {
  static var fixed: Self { Self { $0.now = { today } } }
}

/// Runs a closure with a sandbox and a client that follows no redirects, and stops both.
func withSandbox<Result>(
  _ options: Sandbox.Options = .fixed, connections: Int = 8,
  _ body: (Sandbox, PlainBrowser) async throws -> Result
) async throws -> Result {
  let sandbox = try await Sandbox.start(options, port: 0)
  var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
  // Requests to a stopped sandbox should fail immediately.
  configuration.connectionPool.retryConnectionEstablishment = false
  configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
  let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  do {
    let result = try await body(sandbox, PlainBrowser(base: sandbox.baseURL, http: http))
    await sandbox.stop()
    try await http.shutdown()
    return result
  } catch {
    await sandbox.stop()
    try await http.shutdown()
    throw error
  }
}

/// Runs a test with a sandbox, available as ``sandbox``, and its client, ``browser``.
struct InSandbox: TestTrait, TestScoping {
  @TaskLocal static var current: (sandbox: Sandbox, browser: PlainBrowser)?

  let options: Sandbox.Options

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing run: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await withSandbox(options) { sandbox, browser in
      try await Self.$current.withValue((sandbox, browser)) { try await run() }
    }
  }
}

extension Trait where Self == InSandbox {
  static var sandbox: Self { .sandbox(.fixed) }

  static func sandbox(_ options: Sandbox.Options) -> Self { Self(options: options) }
}

/// The sandbox of the running test.
var sandbox: Sandbox { InSandbox.current!.sandbox }

/// The client of the running test's sandbox.
var browser: PlainBrowser { InSandbox.current!.browser }

/// A client with the sandbox's base URL and its own user agent.
struct PlainBrowser: Sendable {
  let base: String
  let http: HTTPClient

  /// Sends a request to a path or to a URL.
  func get(
    _ path: String, method: String = "GET", headers: [String: String] = [:],
    userAgent: String? = "curlew-tests", body: String? = nil
  ) async throws -> Reply {
    var request = HTTPClientRequest(url: path.hasPrefix("http") ? path : base + path)
    request.method = HTTPMethod(rawValue: method)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if let userAgent { request.headers.replaceOrAdd(name: "User-Agent", value: userAgent) }
    if let body { request.body = .bytes(ByteBuffer(string: body)) }
    let response = try await http.execute(request, timeout: .minutes(3))
    let body = try await response.body.collect(upTo: 4 << 20)
    return Reply(status: Int(response.status.code), headers: response.headers, body: body)
  }

  func list(_ path: String) async throws -> [IssueShape] {
    try await get(path).decode([IssueShape].self)
  }

  /// Returns all open issues of a repository with at most 300 issues.
  func wholeList(_ path: String) async throws -> [IssueShape] {
    var issues: [IssueShape] = []
    for page in 1...3 { issues += try await list("\(path)?per_page=100&page=\(page)") }
    return issues
  }
}

struct Reply: Sendable {
  let status: Int
  let headers: HTTPHeaders
  let body: ByteBuffer

  var size: Int { body.readableBytes }

  var text: String { String(buffer: body) }

  func header(_ name: String) -> String? { headers.first(name: name) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: body)
  }

  /// The targets of the `Link` header field by relation.
  var links: [String: String] {
    var links: [String: String] = [:]
    for link in (header("Link") ?? "").split(separator: ", ") {
      let parts = link.split(separator: "; rel=")
      guard parts.count == 2 else { continue }
      links[String(parts[1].dropFirst().dropLast())] = String(parts[0].dropFirst().dropLast())
    }
    return links
  }
}
