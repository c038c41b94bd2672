import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ErrorTextTests {
  private let stub = StubTransport(clock: TestClock())
  private let client: Client

  init() { client = .stubbed(by: stub) { $0.limits.bodySize = 3 } }

  private func error(
    _ response: StubResponse, _ endpoint: Request<Int> = .get("/x")
  ) async throws -> Client.Error {
    stub.stub(endpoint.method, "/**", with: response)
    return try #require(await client.result(of: endpoint).failure)
  }

  @Test(arguments: [
    (400, false, "The server did not accept this request."),
    (401, false, "The server asks you to sign in."),
    (403, false, "The server does not allow this."),
    (404, false, "The server does not have this."),
    (408, true, "The server did not accept this request."),
    (410, false, "The server does not have this."),
    (425, true, "The server did not accept this request."),
    (429, true, "The server asks to wait: too many requests. Try again in a little while."),
    (500, true, "The server has a problem. Try again in a moment."),
    (501, false, "The server has a problem. Try again in a moment."),
    (502, true, "The server has a problem. Try again in a moment."),
    (503, true, "The server has a problem. Try again in a moment."),
    (504, true, "The server has a problem. Try again in a moment."),
  ])
  func aStatusHasATextForUsersAndOneForTheLog(code: Int, isRetryable: Bool, text: String)
    async throws
  {
    let error = try await error(.json(#"{"message": "Why."}"#, status: .init(code: code)))
    #expect(error.isRetryable == isRetryable)
    #expect(error.localizedDescription == text)
    #expect(error.status?.code == code)
    #expect("\(error)" == "GET https://api.example.com/x: status \(code): Why.")
    #expect(error.request == "GET https://api.example.com/x")
  }

  @Test func aUsedUpRateLimitMayBeRetried() async throws {
    let name = try #require(HTTPField.Name("X-RateLimit-Remaining"))
    let error = try await error(.status(.forbidden, [name: "0"]))
    #expect(error.isRetryable)
    #expect(error.localizedDescription.contains("too many requests"))
  }

  @Test(arguments: [
    (100, "in 100 seconds"), (600, "in 10 minutes"), (172_800, "in 48 hours"), (172_801, "later"),
    (99_999_999, "later"),
  ])
  func aWaitIsToldInWords(seconds: Int, words: String) async throws {
    let error = try await error(.status(.tooManyRequests, [.retryAfter: "\(seconds)"]))
    #expect(error.localizedDescription.hasSuffix("Try again \(words)."))
  }

  @Test func aLoadingErrorIsASentence() async throws {
    let error = try await error(
      .failure(
        URLError(
          .timedOut, userInfo: [NSLocalizedRecoverySuggestionErrorKey: "https://x?token=abcdef"])))
    #expect(error.transportFailure?.reason.isEmpty == false)
    #expect(!"\(error)".contains("abcdef"))
  }

  @Test func aResponseThatCannotBeReadIsNotRetried() async throws {
    let error = try await error(.json("{}"))
    #expect(!error.isRetryable)
    #expect(error.localizedDescription == "The server's response could not be read.")
  }

  @Test func aBodyThatCannotBeEncodedIsNotRetried() async throws {
    let error = try await error(.json("1"), .post("/x", body: .json([Double.infinity])))
    #expect(!error.isRetryable)
    #expect(error.localizedDescription == "This request can't be sent.")
    #expect("\(error)".hasPrefix("POST https://api.example.com/x: the body could not be encoded: "))
  }

  @Test func anInvalidRequestIsNotRetried() async throws {
    let error = try await error(.json("1"), .get("/\("..")"))
    #expect(!error.isRetryable)
    #expect(error.localizedDescription == "This request can't be sent.")
    #expect("\(error)".contains("\"..\" can't be a path segment"))
  }

  @Test(arguments: [\Limits.bodySize, \.headerSize, \.lineSize, \.eventSize, \.redirects])
  func aLimitBelowZeroIsAnInvalidRequest(
    limit: any WritableKeyPath<Limits, Int> & Sendable
  ) async throws {
    stub.stub(.get, "/x", with: .json("1"))
    let request = Request<Int>.get("/x").limits { $0[keyPath: limit] = -1 }
    let error = try #require(await client.result(of: request).failure)
    #expect("\(error)".contains("is -1, and can't be below zero"))
    #expect(stub.requests.isEmpty)
  }

  @Test func aBodyThatIsTooLongIsNotRetried() async throws {
    let error = try await error(.json("12345"))
    #expect(error.tooLarge?.bytes == 3)
    #expect(!error.isRetryable)
    #expect(error.localizedDescription == "The server's response is too large.")
    #expect(
      "\(error)" == "GET https://api.example.com/x: the body exceeds 3 bytes (limits.bodySize)")
  }

  @Test func aBadRedirectIsNotRetried() async throws {
    let error = try await error(.status(.found, [.location: "http://other.example/"]))
    #expect(error.redirectFailure?.reason == .insecure)
    #expect(!error.isRetryable)
    #expect(
      error.localizedDescription == "The server redirects to an address that can't be opened.")
    #expect("\(error)".contains("(to http://other.example/)"))
  }

  @Test func aCancelledRequestIsNoFailure() async throws {
    let error = try await error(.failure(CancellationError()))
    #expect(error.isCancelled && !error.isRetryable && error.request == nil)
    #expect(error.localizedDescription == "Cancelled.")
    #expect("\(error)" == "cancelled")
  }

  @Test func aClientsErrorPassesAsItIs() async throws {
    let error = try await error(
      .failure(Client.Error.invalidRequest(.init(request: "GET x", reason: "because"))))
    #expect(error.invalidRequest == .init(request: "GET x", reason: "because"))
  }
}
