import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ErrorTextTests {
  private var (stub, client) = stubAndClient(on: TestClock()) { $0.limits.bodySize = 3 }

  private func error(
    _ response: StubResponse, _ endpoint: Request<Int> = .get("/x")
  ) async throws -> Client.Error {
    stub.stub(endpoint.method, "/**", with: response)
    return try #require(await client.result(of: endpoint).failure)
  }

  @Test(arguments: [
    (400, false, UserTexts.english.notAccepted),
    (401, false, UserTexts.english.signIn),
    (403, false, UserTexts.english.forbidden),
    (404, false, UserTexts.english.notFound),
    (408, true, "\(UserTexts.english.notAccepted) \(UserTexts.english.tryAgain(.inAMoment))"),
    (410, false, UserTexts.english.notFound),
    (425, true, "\(UserTexts.english.notAccepted) \(UserTexts.english.tryAgain(.inAMoment))"),
    (
      429, true,
      "\(UserTexts.english.tooManyRequests) \(UserTexts.english.tryAgain(.init(after: nil)))"
    ),
    (500, true, "\(UserTexts.english.serverProblem) \(UserTexts.english.tryAgain(.inAMoment))"),
    (501, false, UserTexts.english.serverProblem),
    (502, true, "\(UserTexts.english.serverProblem) \(UserTexts.english.tryAgain(.inAMoment))"),
    (503, true, "\(UserTexts.english.serverProblem) \(UserTexts.english.tryAgain(.inAMoment))"),
    (504, true, "\(UserTexts.english.serverProblem) \(UserTexts.english.tryAgain(.inAMoment))"),
  ])
  func `a status has a text for users and one for the log`(
    code: Int, isRetryable: Bool, text: String
  )
    async throws
  {
    let error = try await error(.json(#"{"message": "Why."}"#, status: .init(code: code)))
    #expect(error.isRetryable == isRetryable)
    #expect(error.localizedDescription == text)
    #expect(error.status?.code == code)
    #expect("\(error)" == "GET https://api.example.com/x: status \(code): Why.")
    #expect(error.request == "GET https://api.example.com/x")
  }

  /// Unregistered 5xx are as 500 (RFC 9110 section 15), such as Cloudflare's 520 to 527 and 530, and 529 and 598 of others:
  /// sindresorhus/got#991, PaddleHQ/paddle-python-sdk#157, curl/curl#19011, descope/python-sdk#1581.
  @Test func `a text says to try again if a retry may help`() async throws {
    let registered = [408, 425, 429, 500, 502, 503, 504]
    for code in 400...999 {
      let error = try await error(.status(.init(code: code)))
      let isRetryable = registered.contains(code) || code == 509 || 512...599 ~= code
      #expect(error.isRetryable == isRetryable, "\(code)")
      #expect(error.localizedDescription.contains("Try again") == isRetryable, "\(code)")
      #expect(error.text(in: .vietnamese).contains("thử lại") == isRetryable, "\(code)")
    }
  }

  @Test func `a wait for any transient failure is told`() async throws {
    for code in [408, 425, 429, 500, 502, 503, 504, 520, 599] {
      let error = try await error(.status(.init(code: code), [.retryAfter: "42"]))
      #expect(error.localizedDescription.hasSuffix("Try again in 42 seconds."), "\(code)")
      #expect(error.failureReason.map { error.localizedDescription.hasPrefix($0) } == true)
    }
  }

  @Test(arguments: [
    (2, "in 2 seconds"), (60, "in 60 seconds"), (119, "in 119 seconds"), (120, "in 2 minutes"),
    (121, "in 3 minutes"), (3_600, "in 60 minutes"), (172_800, "in 48 hours"), (172_801, "later"),
    (99_999_999, "later"),
  ])
  func `a wait is told in words`(seconds: Int, words: String) async throws {
    let error = try await error(.status(.tooManyRequests, [.retryAfter: "\(seconds)"]))
    #expect(error.localizedDescription.hasSuffix("Try again \(words)."))
  }

  @Test func `a loading error is a sentence`() async throws {
    let error = try await error(
      .failure(
        URLError(
          .timedOut, userInfo: [NSLocalizedRecoverySuggestionErrorKey: "https://x?token=abcdef"])))
    #expect(error.transportFailure?.reason.isEmpty == false)
    #expect(!"\(error)".contains("abcdef"))
  }

  @Test(arguments: [\Limits.bodySize, \.headerSize, \.lineSize, \.eventSize, \.redirects])
  func `a limit below zero is an invalid request`(
    limit: any WritableKeyPath<Limits, Int> & Sendable
  ) async throws {
    stub.stub(.get, "/x", with: .json("1"))
    let request = Request<Int>.get("/x").limits { $0[keyPath: limit] = -1 }
    let error = try #require(await client.result(of: request).failure)
    #expect("\(error)".contains("is -1, and can't be negative"))
    #expect(stub.requests.isEmpty)
  }

  private static let x = "GET https://api.example.com/x: "
  private static let others: [(StubResponse, Request<Int>, text: String, log: String)] = [
    (.json("{}"), .get("/x"), UserTexts.english.unreadable, "\(x)expected Int"),
    (
      .json("1"), .post("/x", body: .json([Double.infinity])), UserTexts.english.notSendable,
      "POST https://api.example.com/x: the body could not be encoded: "
    ),
    (
      .json("1"), .get("/\("..")"), UserTexts.english.notSendable,
      "\"..\" can't be a path segment"
    ),
    (
      .json("12345"), .get("/x"), UserTexts.english.tooLarge,
      "\(x)the body exceeds 3 bytes (limits.bodySize)"
    ),
    (
      .status(.found, [.location: "http://other.example/"]), .get("/x"),
      UserTexts.english.redirect, "(to http://other.example/)"
    ),
  ]

  @Test(arguments: others.indices)
  func `what cannot be helped is not retried`(index: Int) async throws {
    let (response, request, text, log) = Self.others[index]
    let error = try await error(response, request)
    #expect(!error.isRetryable)
    #expect(error.localizedDescription == text)
    #expect("\(error)".contains(log), "\(error)")
  }

  @Test func `a cancelled request is no failure`() async throws {
    let error = try await error(.failure(CancellationError()))
    #expect(error.isCancelled && !error.isRetryable && error.request == nil)
    #expect(error.localizedDescription == "Cancelled.")
    #expect("\(error)" == "cancelled")
  }

  @Test func `a clients error passes as it is`() async throws {
    let error = try await error(
      .failure(Client.Error.invalidRequest(.init(request: "GET x", reason: "because"))))
    #expect(error.invalidRequest == .init(request: "GET x", reason: "because"))
  }
}
