import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// The code of `Transports.md`.
@Suite(.timeLimit(.minutes(1)))
struct TransportsPageTests {
  /// An HTTP library with callbacks.
  nonisolated final class Engine: Sendable {
    struct Callbacks: Sendable {
      let onHead: @Sendable (HTTPResponse) -> Void
      let onData: @Sendable (Data) -> Void
      let onEnd: @Sendable (String?) -> Void
    }

    let calls = Mutex<[Callbacks]>([])
    let cancelled = Mutex(0)

    func start(_ url: String, _ head: HTTPRequest, _ body: Data?, _ callbacks: Callbacks)
      -> @Sendable () -> Void
    {
      calls.withLock { $0.append(callbacks) }
      return { self.cancelled.withLock { $0 += 1 } }
    }
  }

  nonisolated struct EngineTransport: Transport {
    let engine: Engine

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
      let (heads, head) = AsyncThrowingStream.makeStream(of: HTTPResponse.self)
      let (pieces, body) = AsyncThrowingStream.makeStream(of: Data.self)
      let cancel = engine.start(
        request.url, request.head, try await request.body?.collect(),
        Engine.Callbacks(
          onHead: { head.yield($0) },
          onData: { body.yield($0) },
          onEnd: { problem in
            let error = problem.map { Client.TransportFailure(.lost, reason: $0) }
            head.finish(throwing: error)
            body.finish(throwing: error)
          }))
      body.onTermination = { _ in cancel() }
      for try await response in heads {
        return IncomingResponse(head: response, body: ResponseBody(pieces))
      }
      throw Client.TransportFailure(.lost, reason: "the connection was closed before the response")
    }
  }

  private let engine = Engine()

  private func callbacks() async throws -> Engine.Callbacks {
    await eventually { engine.calls.withLock { !$0.isEmpty } }
    return try #require(engine.calls.withLock { $0.last })
  }

  private var client: Client {
    Client(baseURL: "https://api.example.com") { $0.transport = EngineTransport(engine: engine) }
  }

  @Test func `pins are for both transports`() async throws {
    var trust = ServerTrust()
    trust.pins = [
      "sha256/eh2qocBO2+IISgkdywAfFf37H7UZ4ZthW53RUIadYjI=",
      "sha256/IX9pfbu80BdCLC658mZDgHopMKionNzjML+lrCsYR1Q=",
    ]
    var tls = TLSSettings()
    tls.trust = trust
    let servers = AsyncHTTPClientTransport(tls: tls)
    try await servers.shutdown()
    #expect(tls.trust.pins.count == 2)
  }

  @Test func `proxies are set where a transport is created`() async throws {
    let proxy = try Proxy("http://me:s3cret@proxy.example.com:3128", except: "localhost, .lan")
    let proxied = AsyncHTTPClientTransport(proxy: proxy)
    let direct = AsyncHTTPClientTransport(proxy: .none)
    for transport in [proxied, direct] { try await transport.shutdown() }
    #expect(!"\(proxy)".contains("s3cret"))
  }

  @Test func `a transport of one's own brings responses`() async throws {
    async let number = client.send(Request<Int>.get("/x"))
    let callbacks = try await callbacks()
    callbacks.onHead(HTTPResponse(status: .ok))
    callbacks.onData(Data("4".utf8))
    callbacks.onData(Data("2".utf8))
    callbacks.onEnd(nil)
    #expect(try await number == 42)
  }

  @Test(arguments: [false, true])
  func `its errors have their kind`(hasHead: Bool) async throws {
    async let result = client.result(of: Request<Int>.get("/x"))
    let callbacks = try await callbacks()
    if hasHead { callbacks.onHead(HTTPResponse(status: .ok)) }
    callbacks.onEnd("reset by peer")
    guard case .failure(.transport(let failure)) = await result else {
      Issue.record("no transport failure")
      return
    }
    #expect(failure.kind == .lost && failure.reason == "reset by peer")
  }

  @Test func `cancelling stops it`() async throws {
    let client = client
    let task = Task { await client.result(of: Request<Int>.get("/x")) }
    let callbacks = try await callbacks()
    callbacks.onHead(HTTPResponse(status: .ok))
    callbacks.onData(Data("4".utf8))
    task.cancel()
    guard case .failure(.cancelled) = await task.value else {
      Issue.record("not cancelled")
      return
    }
    await eventually { engine.cancelled.withLock { $0 } == 1 }
  }
}
