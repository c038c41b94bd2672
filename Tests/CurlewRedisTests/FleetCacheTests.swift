import Curlew
import CurlewFleet
import CurlewRedis
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// A cache that the servers of a fleet share.
@Suite(.timeLimit(.minutes(1)))
struct FleetCacheTests {
  private let stub = StubTransport()
  private let engine = InProcessEngine()
  private let get = Request<String>.get("/text")

  /// A server that has just started.
  private func client(account: String? = nil) -> Client {
    Client.stubbed(by: stub) {
      $0.cache = .fleet(Fleet(engine), account: { _ in account })
    }
  }

  private func respond(with text: String, _ control: String = "max-age=600") {
    stub.stub(
      get,
      with: .sample(
        Sample(
          headerFields: [.cacheControl: control, .eTag: "\"1\"", .contentType: "text/plain"],
          body: Data(text.utf8))))
  }

  @Test func `A new server finds the cache warm`() async throws {
    respond(with: "first")
    #expect(try await client().send(get) == "first")
    respond(with: "second")
    #expect(try await client().send(get) == "first")
    #expect(try await client(account: "a").send(get) == "second")
    #expect(stub.requests.count == 2)
  }

  @Test func `A purge counts for all servers`() async throws {
    let (one, two) = (client(), client())
    respond(with: "first")
    #expect(try await one.send(get) == "first")
    #expect(try await two.send(get) == "first")
    respond(with: "second")
    await one.configuration.cache?.removeAll(of: nil)
    #expect(try await two.send(get) == "second")
    respond(with: "third")
    await two.configuration.cache?.removeAll()
    #expect(try await one.send(get) == "third")
    #expect(await one.configuration.cache?.contents().count == 1)
    respond(with: "fourth")
    await one.invalidate(get)
    #expect(try await two.send(get) == "fourth")
  }

  @Test func `A response that is too large is not stored`() async throws {
    respond(with: String(repeating: "a", count: 60_001))
    _ = try await client().send(get)
    _ = try await client().send(get)
    #expect(stub.requests.count == 2)
  }

  @Test func `Without the engine, lookups are misses`() async throws {
    respond(with: "first")
    let fleet = Fleet(try RedisEngine("unix:///nowhere", secret: secret))
    let client = Client.stubbed(by: stub) { $0.cache = .fleet(fleet) }
    #expect(try await client.send(get) == "first")
    #expect(try await client.send(get) == "first")
    #expect(stub.requests.count == 2)
    #expect(!fleet.metrics.isConnected)
  }
}
