import CurlewLive
import CurlewTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOPosix
import Testing

/// Who visits a page, and what a refusal leads to.
@Suite(.timeLimit(.minutes(1)))
struct VisitorTests {
  private func request(
    _ path: String = "/diary", _ method: HTTPRequest.Method = .get, by cookie: String? = nil,
    _ more: HTTPFields = [:], body: String = "", to client: any TestClientProtocol
  ) async throws -> TestResponse {
    var headers = more
    headers[.origin] = "http://localhost"
    if let cookie { headers.append(.init(name: .cookie, value: "member=\(cookie)")) }
    return try await client.execute(
      uri: path, method: method, headers: headers, body: ByteBuffer(string: body))
  }

  private static let script: HTTPFields = [.liveTab: tab]

  private func act(
    _ name: String, _ value: String = "", in session: String, by cookie: String?,
    number: Int = 1, to client: any TestClientProtocol
  ) async throws -> TestResponse {
    try await request(
      "/diary/events", .post, by: cookie, [.liveTab: tab, .liveSession: session],
      body: String(buffer: message(name, value, number: number)), to: client)
  }

  private func withDiary(
    _ members: Members = Members("ada", "bo"), limits: LiveLimits = LiveLimits(),
    clock: any Clock<Duration> = ContinuousClock(),
    _ body: @escaping @Sendable (any TestClientProtocol, Members) async throws -> Void
  ) async throws {
    let site = try site(
      DiaryPage(), visitors: members.visitors(), limits: limits, clock: clock)
    try await site.test(.router) { try await body($0, members) }
  }

  // MARK: Refusals

  @Test func `a document leads to the sign in and the address to return to`() async throws {
    try await withDiary { client, _ in
      for method in [HTTPRequest.Method.get, .head] {
        let response = try await request("/diary?q=a&b=c%2F", method, to: client)
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/sign-in?return=/diary%3Fq%3Da%26b%3Dc%252F")
        #expect(response.headers[.cacheControl] == "no-store")
      }
      let visit = try await request(
        by: nil, [.liveTab: tab, .accept: "text/html", .liveVisit: "1"], to: client)
      #expect(visit.status == .seeOther)
    }
  }

  @Test func `a form leads to the sign in`() async throws {
    try await withDiary { client, _ in
      let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
      let body = "live%3Asubmit=look"
      let refused = try await request("/diary", .post, form, body: body, to: client)
      #expect(refused.headers[.location] == "/sign-in?return=/diary")
      let accepted = try await request("/diary?q=x", .post, by: "ada", form, body: body, to: client)
      #expect(accepted.headers[.location] == "/diary?q=x")
      let other = try await accepted.following(as: "member=bo", in: client)
      #expect(!other.text.contains("of ada"))
      let page = try await accepted.following(as: "member=ada", in: client)
      #expect(page.text.contains("x of ada"))
    }
  }

  @Test func `the script learns of a refusal`() async throws {
    try await withDiary { client, members in
      let session = try #require(try await request(by: "ada", to: client).session)
      #expect(try await act("write", "a", in: session, by: "ada", to: client).status == .noContent)
      members["ada"] = nil
      #expect(
        try await act("write", "b", in: session, by: "ada", number: 2, to: client).status
          == .unauthorized)
      for (cookie, status) in [
        ("ada", HTTPResponse.Status.unauthorized), ("locked out", .forbidden),
        ("unknown", .unauthorized),
      ] {
        let stream = try await request("/diary/live", by: cookie, Self.script, to: client)
        #expect(stream.status == status)
        #expect(stream.headers[.location] == nil)
      }
    }
  }

  @Test(arguments: [
    ("locked out", HTTPResponse.Status.forbidden), ("unknown", .unauthorized), ("ada", .ok),
  ])
  func `a document without a sign in says what is refused`(
    cookie: String, status: HTTPResponse.Status
  ) async throws {
    try await withDiary { client, _ in
      let document = try await request(by: cookie, to: client)
      #expect(document.status == status)
      #expect(document.headers[.cacheControl] == "no-store", "the back button asks again")
    }
  }

  // MARK: Sessions

  @Test func `each visitor has a screen of its own`() async throws {
    try await withDiary { client, _ in
      for name in ["ada", "bo"] {
        let document = try await request("/diary?q=tern", by: name, to: client)
        #expect(document.text.contains("tern of \(name)"))
      }
    }
  }

  @Test func `the session of another visitor is an unknown one`() async throws {
    try await withDiary { client, _ in
      let session = try #require(try await request(by: "ada", to: client).session)
      let theirs = try await act("write", "a", in: session, by: "bo", to: client)
      let none = String(repeating: "0", count: 32)
      let unknown = try await act("write", "a", in: none, by: "bo", to: client)
      #expect(theirs.status == .notFound)
      #expect((theirs.status, theirs.text) == (unknown.status, unknown.text))
      #expect(theirs.headers == unknown.headers)
      #expect(try await act("write", "a", in: session, by: "ada", to: client).status == .noContent)
    }
  }

  @Test func `a reload without a script continues only the visitors session`() async throws {
    var page = try DiaryPage()
    page.notes.reloadDelay = .seconds(1)
    try await site(page, visitors: Members("ada", "bo").visitors()).test(.router) { client in
      let document = try await request(by: "ada", to: client)
      let session = try #require(document.session)
      #expect(document.headers[.setCookie]?.hasPrefix("live=\(session);") == true)
      let live: HTTPFields = [.cookie: "live=\(session)"]
      #expect(try await request(by: "bo", live, to: client).session != session)
      #expect(try await request(by: "ada", live, to: client).session == session)
    }
  }

  @Test func `a visitor may not do everything`() async throws {
    try await withDiary { client, members in
      members["ada"]?.mayWrite = false
      let session = try #require(try await request(by: "ada", to: client).session)
      let refused = try await act("write", "a", in: session, by: "ada", to: client)
      let unknown = try await act("dance", in: session, by: "ada", number: 2, to: client)
      #expect(refused.status == .badRequest && refused.text == unknown.text)
      #expect(
        try await act("look", in: session, by: "ada", number: 3, to: client).status == .noContent)
      let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
      let submitted = try await request(
        "/diary", .post, by: "ada", form, body: "live%3Asubmit=write", to: client)
      #expect(submitted.status == .badRequest)
    }
  }

  @Test func `a changed role counts at the next action`() async throws {
    try await withDiary { client, members in
      let session = try #require(try await request(by: "ada", to: client).session)
      members["ada"]?.mayWrite = false
      #expect(try await act("write", "a", in: session, by: "ada", to: client).status == .notFound)
    }
  }

  @Test func `a new sign in gets a new session`() async throws {
    try await withDiary(Members("ada", admitsGuests: true)) { client, _ in
      let session = try #require(try await request(to: client).session)
      #expect(try await act("write", "a", in: session, by: nil, to: client).status == .noContent)
      #expect(
        try await act("write", "b", in: session, by: "ada", number: 2, to: client).status
          == .notFound)
      #expect(
        try await request(to: client).headers[.cacheControl] == "private, no-cache")
    }
  }

  @Test func `the inspector shows only the visitors sessions`() async throws {
    let peer = LiveChannel.Peer(
      end: MultiThreadedEventLoopGroup.singleton.any().makeSucceededVoidFuture(),
      address: IPAddress("127.0.0.1"))
    try await LiveChannel.$peer.withValue(peer) {
      let site = try site(
        DiaryPage(), visitors: Members("ada", "bo").visitors(), inspector: LiveInspector())
      try await site.test(.router) { client in
        let session = try #require(try await request(by: "ada", to: client).session)
        for (cookie, status) in [("ada", HTTPResponse.Status.ok), ("bo", .notFound)] {
          let report = try await request(
            "/diary/inspector", by: cookie, [.liveTab: tab, .liveSession: session], to: client)
          #expect(report.status == status)
        }
      }
    }
  }

  // MARK: Actions in a time

  /// Returns how many of 50 actions in a new session are accepted.
  private func acts(by cookie: String?, to client: any TestClientProtocol) async throws -> Int {
    let session = try #require(try await request(by: cookie, to: client).session)
    for number in 1...50 {
      let response = try await act(
        "write", "\(number)", in: session, by: cookie, number: number, to: client)
      guard response.status != .tooManyRequests else {
        #expect(response.headers[.retryAfter] == "1")
        return number - 1
      }
      #expect(response.status == .noContent)
    }
    return 50
  }

  @Test func `too many actions of a visitor wait`() async throws {
    let clock = TestClock()
    var limits = LiveLimits()
    limits.actionsPerVisitor = 20
    let members = Members("ada", "bo", admitsGuests: true)
    try await withDiary(members, limits: limits, clock: clock) { client, _ in
      let first = try await acts(by: "ada", to: client)
      #expect(first == 20)
      #expect(
        try await acts(by: "ada", to: client) == 0, "another session has no actions of its own")
      #expect(try await acts(by: "bo", to: client) == 20)
      #expect(try await acts(by: nil, to: client) == 50, "guests have no common limit")
      clock.advance(by: .seconds(5))
      #expect(try await acts(by: "ada", to: client) == 10)
      clock.advance(by: .seconds(1_000))
      #expect(try await acts(by: "ada", to: client) == 20)
    }
  }
}
