import Curlew
import CurlewSQLite
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// The code of `Caching.md`.
@Suite(.timeLimit(.minutes(1)))
struct CachingPageTests {
  private nonisolated enum GitHub {
    static let issues = Request<String>.get("/issues")
    static let starred = Request<String>.get("/user/starred")
    static func star(_ name: String) -> Request<Void> { .put("/user/starred/\(name)") }
  }

  private nonisolated struct Session {
    let userName = "anna"
  }

  private func fresh(_ body: String) -> StubResponse {
    .sample { _ in
      Sample(
        headerFields: [.cacheControl: "max-age=60"],
        body: Data(body.utf8))
    }
  }

  @Test func `calls say how they use the cache`() async throws {
    let stub = StubTransport()
    stub.stub(GitHub.issues, with: fresh("one"), fresh("two"))
    let transport = stub
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.cache = .memory()  // or, with CurlewSQLite: .sqlite(at: file)
      $0.middleware = [.coalescing, .retrying(), .bearer("token")]
      // redirects are followed here; each response is looked up, and stored, under its own URL
      $0.networkMiddleware = [.rateBudget(), .concurrency(8)]
    }
    _ = try await github.send(GitHub.issues)
    let issues = try await github.response(for: GitHub.issues)  // as the standard says
    let newest = try await github.send(GitHub.issues, cache: .reload)  // "reload"
    let seen = try await github.send(GitHub.issues, cache: .cacheElseLoad)  // stored, however old
    let offline = try await github.send(GitHub.issues, cache: .cacheOnly)  // or throws .notSent
    #expect(issues.value == "one" && newest == "two" && seen == "two" && offline == "two")
    #expect(stub.requests.count == 2)

    stub.stub(.get, "/user/starred", with: fresh("no stars"), fresh("a star"))
    stub.stub(.put, "/user/starred/apple", with: .sample { _ in Sample(status: .noContent) })
    _ = try await github.send(GitHub.starred)
    try await github.send(GitHub.star("apple"))
    await github.invalidate(GitHub.starred, andBelow: true)  // with all its pages
    #expect(try await github.send(GitHub.starred) == "a star")

    let age = issues.asOf.map { -$0.timeIntervalSinceNow }  // since the server sent or validated it
    let isFromCache = issues.cacheStatus?.isHit ?? false
    let why = issues.cacheStatus?.reason ?? ""  // "It is fresh: its age is below …"
    let field = issues.cacheStatus?.fieldValue() ?? ""  // Curlew; hit; ttl=59; …
    #expect(try #require(age) < 60)
    #expect(isFromCache)
    #expect(why.hasPrefix("It is fresh: its age is below "))
    #expect(field.hasPrefix("Curlew; hit; ttl="))
    let name = try #require(HTTPField.Name("Cache-Status"))
    #expect(issues.head.headerFields[values: name].last == field)
  }

  @Test func `an account is named`() async throws {
    let session = Session()
    let cache = ResponseCache.memory(account: { request in
      request.head.headerFields[.authorization] == nil ? nil : session.userName
    })
    let stub = StubTransport()
    stub.stub(GitHub.issues, with: fresh("one"))
    let client = Client.stubbed(by: stub) {
      $0.cache = cache
      $0.middleware = [.bearer("token")]
    }
    _ = try await client.send(GitHub.issues)
    #expect(await cache.contents().map(\.key.account) == ["anna"])
    for item in await cache.contents() {
      print(item.key.url, item.age, item.timeToLive, item.status.reason)
    }
    await cache.removeAll(of: session.userName)
    #expect(await cache.contents().isEmpty)
  }

  @Test func `time is a function`() async throws {
    let date = TestDate()
    let stub = StubTransport()
    stub.stub(
      .get, "/news",
      with: .sample(Sample(headerFields: [.cacheControl: "max-age=60"], body: Data("one".utf8))),
      .sample(Sample(headerFields: [.cacheControl: "max-age=60"], body: Data("two".utf8))))
    let client = Client.stubbed(by: stub) { $0.cache = .memory(now: { date.now }) }
    #expect(try await client.send(.get("/news")) == "one")
    date.advance(by: 59)
    #expect(try await client.send(.get("/news")) == "one")
    date.advance(by: 2)
    #expect(try await client.send(.get("/news")) == "two")
  }
}
