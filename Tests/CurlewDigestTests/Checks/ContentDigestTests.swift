import Curlew
import CurlewDigest
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ContentDigestTests {
  private let stub = StubTransport()
  private let data = Data(#"{"hello": "world"}"#.utf8)

  private func sent(
    _ body: RequestBody, _ fields: HTTPFields = [:], _ before: [StandardMiddleware] = [],
    _ algorithm: DigestAlgorithm = .sha256
  ) async throws -> OutgoingRequest {
    stub.stub(.post, "/x", with: .status(.ok))
    let client = Client.stubbed(by: stub) {
      $0.middleware = before + [.contentDigest(algorithm)]
    }
    try await client.send(
      Request<Void>(.post, "/x", headerFields: fields, body: body, decoding: .discarded))
    return try #require(stub.requests.last)
  }

  @Test func `bodies in memory and in files get a digest`() async throws {
    let file = try TemporaryFile(data)
    let stream = RequestBody.stream { [data] in
      AsyncStream<Data> { pieces in
        for byte in data { pieces.yield(Data([byte])) }
        pieces.finish()
      }
    }
    for body in [.data(data), .file(file.url), stream] {
      let request = try await sent(body)
      #expect(request.head.headerFields[.contentDigest] == DigestFieldTests.sha256)
      #expect(try await request.body?.collect() == data)
    }
    let strong = try await sent(.data(data), [:], [], .sha512)
    #expect(strong.head.headerFields[.contentDigest] == DigestFieldTests.sha512)
  }

  @Test func `a digest of the coded body is sent`() async throws {
    let large = Data(repeating: 7, count: 10_000)
    let request = try await sent(.data(large), [:], [.gzip()])
    let body = try #require(request.body?.data)
    #expect(body.count < 1_000)
    #expect(request.head.headerFields[.contentDigest] == DigestField(of: body).description)
  }

  @Test func `no digest is added where none can be`() async throws {
    #expect(try await sent(.once(data)).head.headerFields[.contentDigest] == nil)
    #expect(try await sent(.none).head.headerFields[.contentDigest] == nil)
    let own = try await sent(.data(data), [.contentDigest: "md5=:AQI=:"])
    #expect(own.head.headerFields[values: .contentDigest] == ["md5=:AQI=:"])
  }

  @Test func `a body that fails fails the request`() async throws {
    let failing = RequestBody.stream {
      AsyncThrowingStream<Data, any Error> {
        $0.finish(throwing: Client.TransportFailure(.lost, reason: "x"))
      }
    }
    await #expect(throws: Client.Error.self) { try await sent(failing) }
    #expect(stub.requests.isEmpty)
  }

  @Test func `a time limit stops the first pass`() async throws {
    let clock = TestClock()
    let stub = StubTransport(clock: clock)
    let client = Client.stubbed(by: stub) {
      $0.middleware = [.contentDigest()]
      $0.transport = StoppableStub(stub: stub)
    }
    let (stalled, pieces) = AsyncStream<Data>.makeStream()
    let endpoint = Request<Void>(
      .post, "/x", body: .stream { stalled }, decoding: .discarded
    ).limits { $0.total = .seconds(60) }
    async let result = client.result(of: endpoint)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    #expect(await result.failure?.timeoutFailure?.limit == .total)
    pieces.finish()
  }

  @Test func `a redirect to get drops the digest`() async throws {
    stub.stub(.post, "/x", with: .status(.seeOther, [.location: "/y"]))
    stub.stub(.get, "/y", with: .status(.ok))
    let client = Client.stubbed(by: stub) { $0.middleware = [.contentDigest()] }
    try await client.send(Request<Void>(.post, "/x", body: .data(data), decoding: .discarded))
    #expect(stub.requests[0].head.headerFields[.contentDigest] != nil)
    #expect(stub.requests[1].head.headerFields[.contentDigest] == nil)
  }
}
