import CurlewLive
import CurlewTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Synchronization
import TestSupport
import Testing

/// A page without JavaScript that is reloaded until it is complete.
@Suite(.timeLimit(.minutes(1)))
struct CookieTests {
  /// Returns lookups when its gate opens, and counts them.
  private final class Slow: Sendable {
    let gate = Gate()
    let looks = Mutex(0)

    func page() throws -> NotesPage {
      try NotesPage(
        Notes { [self] text in
          looks.withLock { $0 += 1 }
          await gate.wait()
          return "about \(text)"
        })
    }
  }

  private func load(
    _ uri: String, cookie: String? = nil, _ clock: TestClock, _ client: any TestClientProtocol
  ) async throws -> TestResponse {
    var fields: HTTPFields = [:]
    fields[.cookie] = cookie
    async let response = client.execute(uri: uri, method: .get, headers: fields)
    // The document's time limit and the session sweeper.
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(4))
    return try await response
  }

  private func cookie(_ response: TestResponse) throws -> String {
    let field = try #require(response.headers[.setCookie])
    return String(try #require(field.split(separator: ";").first))
  }

  @Test func `page that is loaded again resumes its search`() async throws {
    let (slow, clock) = (Slow(), TestClock())
    try await site(slow.page(), clock: clock).test(.router) { client in
      let first = try await load("/notes?q=curlew", clock, client)
      #expect(first.text.contains("<hr>"))
      let field = try #require(first.headers[.setCookie])
      #expect(field.hasSuffix("; Path=/notes; Max-Age=20; HttpOnly; SameSite=Strict"))

      let second = try await load("/notes?q=curlew", cookie: cookie(first), clock, client)
      #expect(second.text.contains("<hr>"))
      slow.gate.open()
      let third = try await client.execute(
        uri: "/notes?q=curlew", method: .get, headers: [.cookie: cookie(second)])
      #expect(third.text.contains("about curlew"))
      #expect(third.headers[.setCookie] == nil, "it is complete")
    }
    #expect(slow.looks.withLock { $0 } == 1)
  }

  @Test func `complete page is not resumed`() async throws {
    let slow = Slow()
    slow.gate.open()
    try await site(slow.page()).test(.router) { client in
      let first = try await client.execute(uri: "/notes?q=curlew", method: .get)
      #expect(first.headers[.setCookie] == nil)
      let session = try #require(first.session)
      let second = try await client.execute(
        uri: "/notes?q=curlew", method: .get, headers: [.cookie: "live=\(session)"])
      #expect(second.session != session)
    }
    #expect(slow.looks.withLock { $0 } == 2)
  }

  @Test func `another address begins anew`() async throws {
    let (slow, clock) = (Slow(), TestClock())
    try await site(slow.page(), clock: clock).test(.router) { client in
      let first = try await load("/notes?q=curlew", clock, client)
      let other = try await load("/notes?q=tern", cookie: cookie(first), clock, client)
      #expect(other.session != first.session)
      #expect(other.text.contains("tern"))
      slow.gate.open()
      let both = "a=b; live=0; \(try cookie(first)); live="
      let again = try await client.execute(
        uri: "/notes?q=curlew", method: .get, headers: [.cookie: both])
      #expect(again.session == first.session)
    }
    #expect(slow.looks.withLock { $0 } == 2)
  }

  @Test func `session that a script uses is not resumed`() async throws {
    let (slow, clock) = (Slow(), TestClock())
    try await site(slow.page(), clock: clock).test(.router) { client in
      let first = try await load("/notes?q=curlew", clock, client)
      var fields: HTTPFields = [.origin: "http://localhost"]
      fields[.liveTab] = tab
      fields[.liveSession] = first.session
      let status = try await client.execute(
        uri: "/notes/events", method: .post, headers: fields, body: message("write", "tern")
      ).status
      #expect(status == .noContent)
      let second = try await load("/notes?q=curlew", cookie: cookie(first), clock, client)
      #expect(second.session != first.session)
      slow.gate.open()
    }
  }
}
