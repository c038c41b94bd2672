import CurlewSupport
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// The responses that a write invalidates, and the requests of a user's refresh.
@Suite(.timeLimit(.minutes(1)))
struct CacheInvalidationTests {
  private let test = CachingClient()
  private let stars = Request<String>.get("/stars")

  private func stub(_ path: String, _ first: String, _ second: String = "", _ third: String = "") {
    test.stub.stub(
      .get, "\(raw: path)", with: test.response(first, "max-age=600"),
      test.response(second, "max-age=600"), test.response(third, "max-age=600"))
  }

  @Test func `outdated response is asked for again`() async throws {
    test.stub.stub(
      .get, "/stars", with: test.response("one", "max-age=600, stale-while-revalidate=600"),
      test.response("two", "max-age=600"))
    _ = try await test.client.send(stars)
    await test.client.invalidate(stars)
    let response = try await test.client.response(for: stars)
    #expect(response.value == "two")
    #expect(response.cacheStatus?.cause == .outdated)
    #expect(try await test.client.response(for: stars).cacheStatus?.isHit == true)
  }

  @Test func `outdated response is validated and then fresh again`() async throws {
    test.stub.stub(
      .get, "/stars", with: test.response("one", "max-age=600", [.eTag: "\"1\""]),
      test.response("", "max-age=600", [.eTag: "\"1\""], status: .notModified))
    _ = try await test.client.send(stars)
    await test.client.invalidate(stars)
    let validated = try await test.client.response(for: stars)
    #expect(validated.value == "one")
    #expect(validated.cacheStatus?.forwardedStatus == 304)
    #expect(try await test.client.response(for: stars).cacheStatus?.isHit == true)
    #expect(test.stub.requests.count == 2)
  }

  @Test func `outdated response stays for when the server is gone`() async throws {
    stub("/stars", "one")
    _ = try await test.client.send(stars)
    await test.client.invalidate(stars)
    test.stub.stub(.get, "/stars", with: .failure(URLError(.notConnectedToInternet)))
    #expect(try await test.client.send(stars) == "one")
  }

  @Test func `pages below are meant and neighbours are not`() async throws {
    let paths = ["/stars", "/stars?page=2", "/stars/apple", "/starships"]
    for path in paths {
      let (name, query) = (
        path.prefix { $0 != "?" }, path.contains("?") ? ["page": 2] as Query : [:]
      )
      stub(String(name), "one", "two")
      _ = try await test.client.send(Request<String>.get("\(raw: name)", query: query))
    }
    await test.client.invalidate(Request<String>.get("/stars", query: ["page": 7]), andBelow: true)
    let outdated = await test.cache.contents().filter(\.response.isOutdated).map(\.key.url)
    #expect(
      Set(
        outdated.compactMap {
          $0.range(of: "/stars").map { [url = $0] in String(url[$0.lowerBound...]) }
        })
        == ["/stars", "/stars?page=2", "/stars/apple"])
  }

  @Test func `user who refreshes asks the server`() async throws {
    stub("/stars", "one", "two")
    _ = try await test.client.send(stars)
    #expect(try await test.client.send(stars) == "one")
    let reloaded = try await Reload.$isRequested.withValue(true) {
      try await test.client.send(stars)
    }
    #expect(reloaded == "two")
    #expect(try await test.client.send(stars) == "two")
    let stored = try await Reload.$isRequested.withValue(true) {
      try await test.client.send(stars, cache: .cacheElseLoad)
    }
    #expect(stored == "two", "what a call says counts")
  }

  @Test func `validation from before is not for others`() async throws {
    let gate = StubGate()
    test.stub.stub(
      .get, "/stars", with: test.response("one", "max-age=0", [.eTag: "\"1\""]), .held(by: gate),
      test.response("two", "max-age=600", [.eTag: "\"2\""]))
    _ = try await test.client.send(stars)
    let earlier = Task { try await test.client.send(stars) }
    await gate.waitForRequests(1)
    await test.client.invalidate(stars)
    let later = Task { try await test.client.send(stars) }
    // It joins the running validation.
    await eventually { test.log.first("coalesced") != nil }
    gate.respond(with: test.response("", "max-age=600", [.eTag: "\"1\""], status: .notModified))
    #expect(try await earlier.value == "one")
    #expect(try await later.value == "two")
    #expect(test.stub.requests.count == 3)
  }

  @Test func `head from before freshens nothing`() async throws {
    let gate = StubGate()
    test.stub.stub(
      .get, "/stars", with: test.response("one", "max-age=600", [.eTag: "\"1\""]),
      test.response("two", "max-age=600"))
    test.stub.stub(.head, "/stars", with: .held(by: gate))
    _ = try await test.client.send(stars)
    let head = Task { try await test.client.send(Request<Void>.head("/stars"), cache: .reload) }
    await gate.waitForRequests(1)
    await test.client.invalidate(stars)
    gate.respond(with: test.response("", "max-age=600", [.eTag: "\"1\""]))
    try await head.value
    #expect(await test.cache.contents().map(\.response.isOutdated) == [true])
    #expect(try await test.client.send(stars) == "two")
  }
}
