import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Tokens and errors.
extension EndpointsPageTests {
  // MARK: Tokens

  @Test func `a token is refreshed`() async throws {
    nonisolated struct Grant: Decodable, Sendable {  // RFC 6749 section 5.1
      let access: String
      let refresh: String?
      enum CodingKeys: String, CodingKey { case access = "access_token", refresh = "refresh_token" }
    }
    let (access, refresh) = ("a1", "r1")
    let transport = stub
    let saved = Log()
    let save: @MainActor @Sendable (BearerToken) -> Void = { token in
      saved.add("\(token.access.value) \(token.refresh?.value ?? "")")
    }
    stub.stub(.get, "/notes/7", with: .status(.unauthorized), .json(#"{"id": 7, "title": "Milk"}"#))
    stub.stub(.post, "/token", with: .json(#"{"access_token": "a2"}"#))

    let stored = BearerToken(access: Sensitive(access), refresh: Sensitive(refresh))
    let auth = Client(baseURL: "https://auth.example.com") { $0.transport = transport }
    let client = Client(baseURL: "https://api.example.com") {
      $0.transport = transport
      $0.middleware = [
        .bearer(stored) { old in
          let form: Query = ["grant_type": "refresh_token", "refresh_token": old.refresh]
          let new = try await auth.send(Request<Grant>.post("/token", body: .form(form)))
          let newRefresh = new.refresh.map { Sensitive($0) } ?? old.refresh
          let token = BearerToken(access: Sensitive(new.access), refresh: newRefresh)
          await save(token)  // the app's function, on the main actor
          return token
        }
      ]
    }

    #expect(try await client.send(API.note("7")).title == "Milk")
    #expect(saved.lines == ["a2 r1"])
    #expect(
      stub.requests.map { $0.head.headerFields[.authorization] } == ["Bearer a1", nil, "Bearer a2"])
    #expect(
      stub.requests[1].body?.data == Data("grant_type=refresh_token&refresh_token=r1".utf8))
  }

  // MARK: Errors

  func line(for result: Result<Note, Client.Error>) -> String? {
    switch result {
    case .success(let note): note.title
    case .failure(.cancelled): nil  // nothing failed
    case .failure(.status(let failure)) where failure.response.status == .notFound: "Deleted."
    case .failure(let error): error.localizedDescription + (error.isRetryable ? " [Retry]" : "")
    }
  }

  @Test func `an error has a line for a person`() async {
    let client = Client.stubbed(by: stub)
    let busy = UserTexts.english.tooManyRequests
    stub.stub(
      API.note("7"), with: .json(#"{"id": 7, "title": "Milk"}"#), .status(.notFound),
      .status(.serviceUnavailable), .status(.forbidden), .failure(CancellationError()),
      .status(.tooManyRequests, [.retryAfter: "30"]))
    for expected in [
      "Milk", "Deleted.",
      "\(UserTexts.english.serverProblem) \(UserTexts.english.tryAgain(.inAMoment)) [Retry]",
      UserTexts.english.forbidden, nil, "\(busy) Try again in 30 seconds. [Retry]",
    ] {
      #expect(await line(for: client.result(of: API.note("7"))) == expected)
    }
    let error = await error(of: API.note("7"))
    #expect(error?.description == "GET https://api.example.com/notes/7: status 429")
    #expect(error?.retryAfter == .seconds(30))
    #expect(error?.failureReason == busy)
    guard case .status(let failure) = error else {
      Issue.record("It is no status.")
      return
    }
    #expect(failure.isRateLimited)
  }

  @Test func `a secret is in no text of an error`() async {
    stub.stub(.get, "/notes", with: .status(.forbidden))
    let secret = Request<[Note]>.get("/notes", query: ["q": "milk", "sid": Sensitive("hunter2")])
    let error = await error(of: secret)
    #expect(error?.description == "GET https://api.example.com/notes?q=milk&sid=***: status 403")
  }

  func countDown(
    after error: Client.Error, on clock: any Clock<Duration>, show: (String) -> Void
  ) async throws {
    guard let wait = error.retryAfter, let reason = error.failureReason else {
      return show(error.localizedDescription)
    }
    for left in stride(from: (wait / .seconds(1)).rounded(.up), to: 0, by: -1) {
      show("\(reason) Again in \(Int(left)) s.")
      try await clock.sleep(for: .seconds(1))
    }
  }

  @Test func `a countdown tells the seconds`() async throws {
    stub.stub(API.note("7"), with: .status(.tooManyRequests, [.retryAfter: "2"]))
    stub.stub(API.note("8"), with: .status(.notFound))
    let (busy, missing) = (await error(of: API.note("7")), await error(of: API.note("8")))
    let (limited, other) = (try #require(busy), try #require(missing))
    let shown = Log()
    let clock = TestClock()
    async let end: Void = countDown(after: limited, on: clock) { shown.add($0) }
    for _ in 1...2 {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
    }
    try await end
    try await countDown(after: other, on: clock) { shown.add($0) }
    let reason = UserTexts.english.tooManyRequests
    #expect(
      shown.lines == [
        "\(reason) Again in 2 s.", "\(reason) Again in 1 s.",
        UserTexts.english.notFound,
      ])
  }

  private func error(of endpoint: some Endpoint) async -> Client.Error? {
    guard case .failure(let error) = await Client.stubbed(by: stub).result(of: endpoint) else {
      return nil
    }
    return error
  }

  nonisolated final class Log: Sendable {
    private let kept = Mutex<[String]>([])
    var lines: [String] { kept.withLock { $0 } }

    func add(_ line: String) {
      kept.withLock { $0.append(line) }
    }
  }
}
