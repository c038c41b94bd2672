import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("A stream passes through the middlewares", .timeLimit(.minutes(1)))
struct StreamedCallTests {
  private struct Lost: Error {}

  /// Responds to each request with the next of these bodies, in chunks; `nil` is a lost connection.
  private struct Bodies: Transport {
    let bodies: [[String?]]
    var headerFields: [HTTPFields] = []
    let count = Counted()

    final class Counted: Sendable {
      let value = Atomic<Int>(0)
    }

    var requests: Int { count.value.load(ordering: .relaxed) }

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
      let number = min(count.value.add(1, ordering: .relaxed).oldValue, bodies.count - 1)
      let chunks = bodies[number]
      return IncomingResponse(
        head: HTTPResponse(
          status: .ok, headerFields: number < headerFields.count ? headerFields[number] : [:]),
        body: ResponseBody {
          var rest = chunks[...]
          return {
            guard let next = rest.popFirst() else { return nil }
            guard let next else { throw Client.TransportFailure(.lost, reason: "lost") }
            return Data(next.utf8)
          }
        })
    }
  }

  private let get = Request<Data>.get("/x")

  private func client(
    _ transport: some Transport, _ middleware: StandardMiddleware...
  ) -> Client {
    Client(baseURL: "https://api.example") {
      $0.transport = transport
      $0.middleware = middleware
    }
  }

  private var retrying: StandardMiddleware {
    var policy = RetryPolicy()
    policy.random = { 0 }
    return .retrying(policy)
  }

  private func text(_ response: StreamedResponse) async throws(Client.Error) -> String {
    var whole = Data()
    for try await chunk in response { whole += chunk }
    return String(decoding: whole, as: UTF8.self)
  }

  @Test func aConnectionLostBeforeTheFirstChunkIsRetried() async throws {
    let transport = Bodies(bodies: [[nil], [nil], ["abc", "def"]])
    #expect(try await text(client(transport, retrying).stream(get)) == "abcdef")
    #expect(transport.requests == 3)
  }

  @Test func afterTheFirstChunkNothingIsRetried() async throws {
    let transport = Bodies(bodies: [["abc", nil], ["abcdef"]])
    let response = try await client(transport, retrying).stream(get)
    await #expect(throws: Client.Error.self) { try await text(response) }
    #expect(transport.requests == 1)
  }

  @Test func aRetryWithAnotherHeadIsNotJoined() async throws {
    let transport = Bodies(
      bodies: [[nil], ["other"]], headerFields: [[.eTag: "\"1\""], [.eTag: "\"2\""]])
    let response = try await client(transport, retrying).stream(get)
    await #expect(throws: Client.Error.self) { try await text(response) }
    #expect(transport.requests == 2)
  }

  @Test func attemptsAreLimited() async throws {
    let transport = Bodies(bodies: [[nil]])
    let response = try await client(transport, retrying).stream(get)
    await #expect(throws: Client.Error.self) { try await text(response) }
    #expect(transport.requests == 3)
  }

  @Test func streamsShareNoTransfer() async throws {
    let transport = Bodies(bodies: [["abc"]])
    let client = client(transport, .coalescing)
    let (one, other) = try await (client.stream(get), client.stream(get))
    #expect(try await text(one) == "abc")
    #expect(try await text(other) == "abc")
    #expect(transport.requests == 2)
  }

  @Test func theSizeIsLimitedWhereAnEndpointSaysSo() async throws {
    let transport = Bodies(bodies: [["abc", "def"]])
    var client = client(transport)
    #expect(try await text(client.stream(get)) == "abcdef")
    await #expect(throws: Client.Error.self) {
      try await text(client.stream(get.limits { $0.bodySize = 5 }))
    }
    client = Client(baseURL: "https://api.example") {
      ($0.transport, $0.limits.bodySize) = (transport, 5)
    }
    #expect(try await text(client.stream(get)) == "abcdef")
  }

  @Test func aSlotIsHeldUntilTheBodyEnds() async throws {
    let limit = ConcurrencyLimit(1)
    let client = Client(baseURL: "https://api.example") {
      $0.transport = Bodies(bodies: [["abc"]])
      $0.networkMiddleware = [.concurrency(limit)]
    }
    let response = try await client.stream(get)
    #expect(limit.status(of: "api.example").running == 1)
    _ = try await text(response)
    #expect(limit.status(of: "api.example").running == 0)
  }

  @Test func theDescriptionHasNoSecrets() async throws {
    let transport = Bodies(bodies: [["abc"]], headerFields: [[.setCookie: "id=s3cret"]])
    let response = try await client(transport).stream(
      Request<Data>.get("/x", query: ["key": Sensitive("s3cret")]))
    #expect(!String(reflecting: response).contains("s3cret"))
    var dumped = ""
    dump(response, to: &dumped)
    #expect(!dumped.contains("s3cret"))
    #expect(dumped.contains("200"))
  }
}
