import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import TestSupport

struct Item: Decodable, Sendable {
  let name: String
}

extension Endpoint where Self == Request<Item> {
  static var item: Request<Item> { .get("/item") }
}

extension StubResponse {
  static let item = StubResponse.json(#"{"name": "a"}"#)

  /// Returns a response with a body of several pieces, which is not available as complete data before it is read.
  static func pieces(_ pieces: String...) -> StubResponse {
    .responding { _ in
      IncomingResponse(
        head: HTTPResponse(status: .ok),
        body: ResponseBody {
          var rest = pieces[...]
          return { rest.popFirst().map { Data($0.utf8) } }
        })
    }
  }
}

extension StubTransport {
  /// Cancels a call while its request is pending.
  func cancel(_ client: Client) async {
    let gate = hold(.get, "/item")
    let task = Task { await client.result(of: .item) }
    await gate.waitForRequests(1)
    task.cancel()
    _ = await task.value
  }

  /// Responds once to two calls of a client, the second of which waits for the first call.
  func respondOnceToTwo(_ makeClient: (Waits) -> Client) async throws {
    let (gate, waits) = (hold(.get, "/item"), Waits())
    let client = makeClient(waits)
    async let first = client.send(.item)
    await gate.waitForRequests(1)
    async let second = client.send(.item)
    await eventually { waits.count == 1 }
    gate.respond(with: .item)
    _ = try await (first, second)
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Retries without delay.
  static func retryingAtOnce(attempts: Int = 3) -> Self {
    var policy = RetryPolicy()
    policy.attempts = attempts
    policy.random = { 0 }
    policy.retryBudget = 1_000_000
    return .retrying(policy)
  }
}

/// A logger that stores its lines.
struct LogStore {
  let handler: InMemoryLogHandler
  let logger: Logger

  init(_ level: Logger.Level) {
    var handler = InMemoryLogHandler()
    handler.logLevel = level
    (self.handler, logger) = (handler, Logger(label: "test") { [handler] _ in handler })
  }

  var lines: [InMemoryLogHandler.Entry] { handler.entries }
  var messages: [String] { lines.map(\.message.description) }
}

extension InMemoryLogHandler.Entry {
  func text(_ name: String) -> String? { metadata[name].map { "\($0)" } }
}

extension Result {
  var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
