import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@Suite("A stream passes through the middlewares", .timeLimit(.minutes(1)))
struct StreamedCallTests {
  private let stub = StubTransport()
  private let get = Request<Data>.get("/x")
  private let lost = StubResponse.chunks([], error: Client.TransportFailure(.lost, reason: "lost"))

  private func client(_ middleware: StandardMiddleware...) -> Client {
    .stubbed(by: stub) { $0.middleware = middleware }
  }

  private func text(_ response: StreamedResponse) async throws(Client.Error) -> String {
    let (chunks, error) = await response.collect()
    if let error { throw error }
    return String(decoding: chunks.joined(), as: UTF8.self)
  }

  @Test func `a connection lost before the first chunk is retried`() async throws {
    stub.stub(
      get, with: lost, lost, .chunks([Data("abc".utf8), Data("def".utf8)]))
    #expect(try await text(client(.retryingAtOnce).stream(get)) == "abcdef")
    #expect(stub.requests.count == 3)
  }

  @Test func `after the first chunk nothing is retried`() async throws {
    stub.stub(
      get, with: .text("abc", error: Client.TransportFailure(.lost, reason: "lost")),
      .text("abcdef"))
    let response = try await client(.retryingAtOnce).stream(get)
    await #expect(throws: Client.Error.self) { try await text(response) }
    #expect(stub.requests.count == 1)
  }

  @Test func `a retry with another head is not joined`() async throws {
    let lost = StubResponse.chunks(
      [], error: Client.TransportFailure(.lost, reason: "lost"), [.eTag: "\"1\""])
    stub.stub(get, with: lost, .text("other", [.eTag: "\"2\""]))
    let response = try await client(.retryingAtOnce).stream(get)
    await #expect(throws: Client.Error.self) { try await text(response) }
    #expect(stub.requests.count == 2)
  }

  @Test func `attempts are limited`() async throws {
    stub.stub(get, with: lost)
    let response = try await client(.retryingAtOnce).stream(get)
    await #expect(throws: Client.Error.self) { try await text(response) }
    #expect(stub.requests.count == 3)
  }

  @Test func `streams share no transfer`() async throws {
    stub.stub(get, with: .text("abc"))
    let client = client(.coalescing)
    let (one, other) = try await (client.stream(get), client.stream(get))
    #expect(try await text(one) == "abc")
    #expect(try await text(other) == "abc")
    #expect(stub.requests.count == 2)
  }

  @Test func `the size is limited where an endpoint says so`() async throws {
    stub.stub(get, with: .text("abcdef"))
    #expect(try await text(client().stream(get)) == "abcdef")
    await #expect(throws: Client.Error.self) {
      try await text(client().stream(get.limits { $0.bodySize = 5 }))
    }
    let limited = Client.stubbed(by: stub) { $0.limits.bodySize = 5 }
    #expect(try await text(limited.stream(get)) == "abcdef")
  }

  @Test func `a slot is held until the body ends`() async throws {
    stub.stub(get, with: .text("abc"))
    let limit = ConcurrencyLimit(1)
    let client = Client.stubbed(by: stub) { $0.networkMiddleware = [.concurrency(limit)] }
    let response = try await client.stream(get)
    #expect(limit.status(of: "api.example.com").running == 1)
    _ = try await text(response)
    #expect(limit.status(of: "api.example.com").running == 0)
  }

  @Test func `the description has no secrets`() async throws {
    stub.stub(.get, "/x", with: .text("abc", [.setCookie: "id=s3cret"]))
    let response = try await client().stream(
      Request<Data>.get("/x", query: ["key": Sensitive("s3cret")]))
    #expect(!allTexts(of: response).contains("s3cret"))
    #expect(allTexts(of: response).contains("200"))
  }
}
