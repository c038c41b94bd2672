import Curlew
import CurlewFleet
import Domain
import Foundation
import Platform
import Sandbox
import ShowcaseTestSupport
import Synchronization
import Testing
import showcase

/// Users of several servers, which share an engine.
@Suite(.timeLimit(.minutes(1)))
struct FleetAccountTests {
  /// An engine that can be away, and lose its values.
  private final class SwitchedEngine: FleetEngine {
    private let engine = Mutex<InProcessEngine?>(InProcessEngine())
    let keys = Mutex<Set<String>>([])
    private let news = Mutex<[AsyncStream<FleetEngineEvent>.Continuation]>([])

    func goAway() {
      engine.withLock { $0 = nil }
      for news in news.withLock({ $0 }) { news.yield(.lost(.unreachable("gone"))) }
    }

    func returnEmpty() { engine.withLock { $0 = InProcessEngine() } }

    private func current() throws(FleetError) -> InProcessEngine {
      guard let engine = engine.withLock({ $0 }) else { throw .unreachable("gone") }
      return engine
    }

    func value(_ key: String) async throws(FleetError) -> FleetValue {
      try await current().value(key)
    }
    func set(
      _ key: String, _ bytes: [UInt8]?, write: String, ifVersion: Int64, lease: FleetLease?,
      expires: Duration
    ) async throws(FleetError) -> FleetValue {
      keys.withLock { _ = $0.insert(key) }
      let value = try await current().set(
        key, bytes, write: write, ifVersion: ifVersion, lease: lease, expires: expires)
      for news in news.withLock({ $0 }) { news.yield(.changed(key: key, version: value.version)) }
      return value
    }
    func take(
      _ count: Int, of scope: String, limit: Int, per window: Duration, for server: String
    ) async throws(FleetError) -> (count: Int, retryAfter: Duration?, share: Int) {
      try await current().take(count, of: scope, limit: limit, per: window, for: server)
    }
    func events() -> AsyncStream<FleetEngineEvent> {
      let (events, event) = AsyncStream.makeStream(of: FleetEngineEvent.self)
      news.withLock { $0.append(event) }
      return events
    }
  }

  private let engine = SwitchedEngine()

  private func fleet(version: String = "1") -> Fleet {
    var options = Fleet.Options()
    (options.appVersion, options.timeLimit) = (version, .seconds(10))
    options.retryInterval = .milliseconds(10)
    return Fleet(engine, options: options)
  }

  /// Returns the accounts of a new server.
  private func server(
    version: String = "1", _ fleet: Fleet? = nil, now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> Accounts {
    try Accounts(
      at: BaseURL(served.sandbox.baseURL), over: Network(transport: ServedSite.transport),
      sources: served.sources, fleet: fleet ?? self.fleet(version: version), now: now
    ) { client, user in (GitHubHost(client: client, user: { user.name }), exchange: nil) }
  }

  private func signIn(_ name: String = "ada", at server: Accounts) async throws -> String {
    try #require(try await server.signIn(name, insteadOf: nil))
  }

  @Test(.served) func `A sign-in and its end count at all servers`() async throws {
    let servers = [try server(), try server(), try server()]
    let ended = Mutex<[Int]>([])
    for (index, server) in servers.enumerated() {
      server.whenSignedOut { _ in ended.withLock { $0.append(index) } }
    }
    let sessions = [try await signIn(at: servers[0]), try await signIn(at: servers[1])]
    let other = try await signIn("grace", at: servers[2])
    for server in servers {
      for session in sessions { #expect(await server.user(of: session)?.name == "ada") }
      #expect(await server.user(of: other)?.name == "grace")
      #expect(await server.user(of: "0") == nil)
    }
    let user = try #require(await servers[1].user(of: sessions[0]))
    await servers[1].signOut(user)
    try await eventually("all servers end it") { ended.withLock { $0.sorted() } == [0, 1, 2] }
    for server in servers {
      for session in sessions { #expect(await server.user(of: session) == nil) }
      #expect(server.sources(of: user) == nil)
      #expect(await server.user(of: other)?.name == "grace")
    }
    #expect(served.sandbox.requests.filter { $0.method == "DELETE" }.map(\.status) == [204])
    // No key has a secret, and the only values left are the other user's.
    let (fleet, keys) = (fleet(), engine.keys.withLock { $0 })
    var values = 0
    for key in keys {
      for session in sessions + [other] { #expect(!key.contains(session)) }
      values += await fleet.value(key).bytes == nil ? 0 : 1
    }
    #expect(values == 2, "\(keys)")
    let again = try await signIn(at: servers[2])
    #expect(await servers[0].user(of: again)?.name == "ada")
  }

  @Test(.served) func `Another sign-in ends the session before, elsewhere too`() async throws {
    let servers = [try server(), try server()]
    let old = try await signIn(at: servers[0])
    #expect(await servers[1].user(of: old)?.name == "ada")
    let new = try #require(try await servers[1].signIn("ada", insteadOf: old))
    try await eventually("it ends") { await servers[0].user(of: old) == nil }
    #expect(await servers[0].user(of: new)?.name == "ada")
  }

  @Test(.served) func `A session ends after its time, other versions ignore it`() async throws {
    let age = Mutex(0.0)
    let now: @Sendable () -> Date = { Date() + age.withLock { $0 } }
    let servers = [try server(now: now), try server(now: now)]
    let session = try await signIn(at: servers[0])
    #expect(try await server(version: "2").user(of: session) == nil)
    for days in [29.0, 31] {
      age.withLock { $0 = days * 86_400 }
      for server in servers { #expect(await (server.user(of: session) == nil) == (days > 30)) }
    }
  }

  @Test func `Servers refresh an expired token once`() async throws {
    let age = Mutex(0.0)
    var options = Sandbox.Options()
    options.now = { Date(timeIntervalSince1970: 1_750_000_000 + age.withLock { $0 }) }
    try await withServedSite(sandbox: options) { site in
      try await Served.$current.withValue(site) {
        let servers = [try server(), try server(), try server()]
        let session = try await signIn(at: servers[0])
        age.withLock { $0 = 301 }
        site.sandbox.forgetRequests()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for server in servers {
            let user = try #require(await server.user(of: session))
            let host = try #require(server.sources(of: user)).host
            for name in ["apple/swift", "apple/cups", "vapor/vapor"] {
              let name = try #require(RepositoryName(name))
              group.addTask { _ = try await host.repository(named: name) }
            }
          }
          try await group.waitForAll()
        }
        // A server that starts later has the new token.
        let late = try server()
        let user = try #require(await late.user(of: session))
        let host = try #require(late.sources(of: user)).host
        _ = try await host.repository(named: #require(RepositoryName("apple/swift")))
        let tokens = site.sandbox.requests.filter { $0.path == "/login/oauth/access_token" }
        #expect(tokens.map(\.status) == [200])
      }
    }
  }

  @Test(.served) func `Without the engine, servers keep the users they know`() async throws {
    let fleets = [fleet(), fleet()]
    let servers = [try server(fleets[0]), try server(fleets[1])]
    let session = try await signIn(at: servers[0])
    engine.goAway()
    for _ in 0..<3 {
      #expect(await servers[0].user(of: session)?.name == "ada")
      #expect(await servers[1].user(of: session) == nil)
    }
    // A sign-in is this server's until the engine, which has lost its values, is back.
    let other = try await signIn("grace", at: servers[1])
    #expect(await servers[1].user(of: other)?.name == "grace")
    engine.returnEmpty()
    for (server, session) in zip(servers.reversed(), [session, other]) {
      try await eventually("the other server knows it") { await server.user(of: session) != nil }
    }
    await servers[0].signOut(try #require(await servers[0].user(of: session)))
    try await eventually("it ends") { await servers[1].user(of: session) == nil }
    #expect(fleets.map(\.metrics.reconnections) == [1, 1])
  }

  private struct Stored: Decodable { let token: BearerToken }

  @Test(.served) func `A sign-in that ends by itself ends at all servers`() async throws {
    let servers = [try server(), try server()]
    let session = try await signIn(at: servers[0])
    let user = try #require(await servers[1].user(of: session))
    let stored = await fleet().value("sign-in ada").bytes ?? []
    let token = try JSONDecoder().decode(Stored.self, from: Data(stored)).token
    try await Client(baseURL: BaseURL(served.sandbox.baseURL)).send(GitHub.revoke(token))
    let host = try #require(servers[1].sources(of: user)).host
    _ = try? await host.repository(named: #require(RepositoryName("apple/swift")))
    try await eventually("it ends") { await servers[0].user(of: session) == nil }
  }
}
