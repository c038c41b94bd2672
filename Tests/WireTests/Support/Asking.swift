import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

extension StubResponse {
  /// The response that most conformance tests expect.
  static let text = StubResponse.text("abcd")

  /// An unsolicited response, as text.
  static let wrong = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"

  static func text(_ text: String, status: HTTPResponse.Status = .ok) -> StubResponse {
    .data(Data(text.utf8), contentType: "text/plain", status: status)
  }
}

extension TransportUnderTest {
  /// Sends a request that gets this response, then another request.
  ///
  /// For every first response, the second request must get its own response, not bytes left on a connection.
  func result(
    of response: StubResponse, _ method: HTTPRequest.Method = .get,
    limits: @escaping @Sendable (inout Limits) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Result<String, Client.Error> {
    try await withFaultServer(sourceLocation: sourceLocation) { server in
      server.stub(method, "/x", with: response)
      server.stub(.get, "/next", with: .text("next"))
      let client = try client(server)
      let result = await client.result(
        of: Request<String>(method, "/x", decoding: .text).limits(limits))
      let next = await client.result(of: Request<String>.get("/next"))
      #expect((try? next.get()) == "next", "\(next)", sourceLocation: sourceLocation)
      return result
    }
  }
}

extension Client {
  /// Sends a request, advances the clock in steps after a moment, and returns the result.
  func result<Value>(
    of request: Request<Value>, advancing clock: TestClock, by step: Duration,
    after moment: () async -> Void = {}
  ) async -> Result<Value, Client.Error> {
    let ended = Gate()
    let task = Task {
      defer { ended.open() }
      return await result(of: request)
    }
    await moment()
    await clock.advance(by: step, until: ended)
    return await task.value
  }
}

extension Client {
  /// Sends a request that must end in a transport failure.
  func transportFailure(
    of request: Request<some Sendable> = Request<String>.get("/")
  ) async throws -> Client.TransportFailure {
    try #require(await failure(of: request).transportFailure)
  }

  /// Sends a request that must end in a status.
  func statusFailure(of request: Request<some Sendable>) async throws -> Client.StatusFailure {
    try #require(await failure(of: request).statusFailure)
  }

  /// Sends a request that must end in a limit of size.
  func tooLarge(of request: Request<some Sendable>) async throws -> Client.TooLargeFailure {
    try #require(await failure(of: request).tooLarge)
  }

  /// Sends a request that must end in a redirect.
  func redirectFailure(of request: Request<some Sendable>) async throws -> Client.RedirectFailure {
    try #require(await failure(of: request).redirectFailure)
  }
}

extension Limits {
  /// Limits without time limits.
  ///
  /// Unlike a clock that stands still, they let the transport wait before it connects again.
  static var untimed: Limits {
    var limits = Limits()
    (limits.connect, limits.firstByte, limits.idle, limits.total) = (nil, nil, nil, nil)
    return limits
  }
}
