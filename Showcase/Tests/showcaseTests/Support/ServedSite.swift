import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Domain
import Foundation
import Platform
import Sandbox
import Testing
import showcase

/// The showcase's pages, and their sandbox.
struct ServedSite {
  /// A separate connection pool, because tests of the commands shut down the pool of
  /// `.asyncHTTPClient`.
  static let transport = AsyncHTTPClientTransport(HTTPClient(configuration: .curlew))

  let server: PageServer
  let sandbox: Sandbox
  let sources: DataSources
  let origin: String
  /// The clock that only the test advances; `nil` for real time.
  let clock: TestClock?

  var host: any CodeHost { sources.host }
  var store: any MovieStore { sources.store }
  var catalogue: any MovieCatalogue { sources.catalogue }
  var trackIssues: TrackIssues { TrackIssues(host: host) }

  /// The paths of the requests to the sandbox's APIs, in order.
  var requests: [String] {
    sandbox.requests.map(\.path).filter { path in
      !["/avatars/", "/t/p/", "/covers/"].contains { path.hasPrefix($0) }
    }
  }
}

/// Runs a closure with the site, and stops it.
///
/// - Parameters:
///   - clock: The clock for the screens and the sandbox's latency, for tests of delays.
///   - cache: The cache of the clients.
///   - hasAccounts: Whether users can sign in.
func withServedSite<Result>(
  sandbox options: Sandbox.Options = .init(), clock: TestClock? = nil,
  cache: ResponseCache? = nil, hasAccounts: Bool = false,
  _ body: (ServedSite) async throws -> Result
) async throws -> Result {
  let time: any Clock<Duration> = clock ?? ContinuousClock()
  var options = options
  options.clock = time
  let sandbox = try await Sandbox.start(options, port: 0)
  var network = Network(transport: ServedSite.transport, cache: cache)
  func client(
    of sandbox: Sandbox, _ configure: (inout Client.Configuration) -> Void = { _ in }
  ) throws -> Client {
    Client(baseURL: try BaseURL(sandbox.baseURL)) {
      ($0.transport, $0.cache, $0.connection) = (network.transport, cache, network.connection)
      $0.observers = [.timeline, VisitorObserver()]
      configure(&$0)
    }
  }
  let host = GitHubHost(
    client: try client(of: sandbox) {
      $0.jsonDecoder = .github
      $0.networkMiddleware = [.gitHubRateBudget()]
    }, streams: try client(of: sandbox) { $0.jsonDecoder = .github })
  let store = ITunesStore(client: try client(of: sandbox))
  let catalogue = TMDBCatalogue(
    client: try client(of: sandbox) {
      $0.middleware = [.apiKey(Sandbox.tmdbKey, query: "api_key")]
    }, images: "\(sandbox.baseURL)/t/p")
  var sources = DataSources(host: host, catalogue: catalogue, store: store)
  (sources.clock, sources.isOffline) = (time, network.offlineFlags)
  let images = ImageRelay(
    origins: ImageRelay.sandboxPaths.compactMap { ImageOrigin("\(sandbox.baseURL)\($0)") },
    over: network)
  network.observers = [VisitorObserver()]
  let streams = try client(of: sandbox) { $0.jsonDecoder = .github }
  // The users' changes.
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  let accounts = Accounts(at: try BaseURL(sandbox.baseURL), over: network, sources: sources) {
    client, user in
    let host = GitHubHost(
      client: client, streams: streams, canChangeIssues: user.canChangeIssues,
      user: { user.name }, outbox: .gitHub(at: folder.appending(path: user.name)))
    return (host, exchange: nil)
  }
  defer { try? FileManager.default.removeItem(at: folder) }
  let server = PageServer(
    sources, accounts: hasAccounts ? accounts : nil, images: images, controls: sandbox.controls,
    clock: time)
  try await server.start()
  let site = ServedSite(
    server: server, sandbox: sandbox, sources: sources,
    origin: "http://127.0.0.1:\(await server.port)", clock: clock)
  do {
    let result = try await body(site)
    await server.stop()
    await sandbox.stop()
    return result
  } catch {
    await server.stop()
    await sandbox.stop()
    throw error
  }
}

/// Runs a test with the site, available as ``served``, without a browser.
struct Served: TestTrait, TestScoping {
  @TaskLocal static var current: ServedSite?

  let sandbox: Sandbox.Options
  let isTimed: Bool
  let hasAccounts: Bool

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing run: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await withServedSite(
      sandbox: sandbox, clock: isTimed ? TestClock() : nil, hasAccounts: hasAccounts
    ) { site in
      try await Self.$current.withValue(site) { try await run() }
    }
  }
}

extension Trait where Self == Served {
  static var served: Self { .served() }

  /// - Parameter isTimed: Whether the screens and the sandbox's latency use a clock that only the
  ///   test advances.
  static func served(
    sandbox: Sandbox.Options = .init(), isTimed: Bool = false, hasAccounts: Bool = false
  ) -> Self {
    Self(sandbox: sandbox, isTimed: isTimed, hasAccounts: hasAccounts)
  }
}

/// The site of the running test.
var served: ServedSite { Served.current! }
