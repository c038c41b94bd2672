import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@Suite("A stream passes through the middlewares", .timeLimit(.minutes(1)))
struct StreamedCallTests {
  private let stub = StubTransport()
  private let get = Request<Data>.get("/x")

  private func client(_ middleware: StandardMiddleware...) -> Client {
    .stubbed(by: stub) { $0.middleware = middleware }
  }

  private func text(_ response: StreamedResponse) async throws(Client.Error) -> String {
    let (chunks, error) = await response.collect()
    if let error { throw error }
    return String(decoding: chunks.joined(), as: UTF8.self)
  }

  @Test func `after the head nothing is retried`() async throws {
    let lost = Client.TransportFailure(.lost, reason: "lost")
    stub.stub(
      get, with: .failure(lost), .chunks([], error: lost), .text("abc", error: lost),
      .text("abcdef"))
    let client = client(.retryingAtOnce)
    for count in 2...3 {
      let response = try await client.stream(get)
      await #expect(throws: Client.Error.self) { try await text(response) }
      #expect(stub.requests.count == count)
    }
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
