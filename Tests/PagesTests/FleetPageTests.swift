#if canImport(CurlewRedis)
  import Curlew
  import CurlewFleet
  import CurlewRedis
  import CurlewStore
  import CurlewTesting
  import Foundation
  import Logging
  import TestSupport
  import Testing

  /// The code of `CurlewFleet.md`.
  @Suite(.timeLimit(.minutes(1)))
  struct FleetPageTests {
    private let secret = "0123456789abcdef0123456789abcdef"

    @Test func `a fleet with an engine that is away is this server`() async throws {
      let logger = Logger(label: "fleet")
      let engine = try RedisEngine(
        "rediss://app:password@redis.internal:6379/0", secret: secret)
      var options = Fleet.Options()
      options.appVersion = "2"
      options.readableVersions = ["1"]
      let fleet = Fleet(engine, options: options) { event in logger.notice("\(event)") }
      #expect(await fleet.value("notice").bytes == nil)
    }

    @Test func `a value is followed`() async throws {
      let fleet = Fleet()
      let text = Array("Hello".utf8)
      let old = await fleet.value("notice")
      try await fleet.set("notice", text, ifVersion: old.version, expires: .seconds(3_600))
      var shown: [UInt8]?
      func show(_ bytes: [UInt8]?) -> Bool {
        shown = bytes
        return false
      }
      for await value in fleet.values(of: "notice") {
        guard show(value.bytes) else { break }
      }
      #expect(shown == text)
    }

    @Test func `parts of Curlew share by their doors`() async throws {
      let (fleet, stub) = (Fleet(), StubTransport())
      let token = BearerToken(access: Sensitive("old"))
      @Sendable func renew(_ old: BearerToken) async throws -> BearerToken? { old }
      let github = Client(baseURL: "https://api.github.com") {
        $0.transport = stub
        $0.middleware = [
          .bearer(
            token,
            refresh: fleet.singleFlight("github") { old in
              try await renew(old)
            })
        ]
        $0.cache = .fleet(fleet)
        $0.networkMiddleware = [.rateBudget(RateBudget(units: fleet.take))]
      }
      let store = Store(github)
      let exchange = Task {
        await fleet.exchange("store", store.announcements()) { await store.receive($0) }
      }
      stub.stub(.get, "/number", with: .json("1"))
      #expect(try await github.send(Request<Int>.get("/number")) == 1)
      exchange.cancel()
      await exchange.value
    }
  }
#endif
