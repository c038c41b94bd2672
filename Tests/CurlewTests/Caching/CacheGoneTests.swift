import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Responses that are not stored, but show that the stored response is outdated, to requests with conditions or a range
/// of their own.
@Suite(.timeLimit(.minutes(1)))
struct CacheGoneTests {
  /// A request after a stored response with the entity tag "1" and 10 bytes, its response, and the next plain request.
  struct Case: Sendable {
    var method = HTTPRequest.Method.get
    var request: HTTPFields
    var status: HTTPResponse.Status
    var fields: HTTPFields = [:]
    var isFresh = true
    /// Whether the next plain request is served from the cache.
    let isKept: Bool
  }

  static let cases: [Case] = [
    // The issue: 410, and 404 with `no-store`, replace the stored response (RFC 9111 section 4.3.3).
    Case(request: [.range: "bytes=20-"], status: .gone, isKept: false),
    Case(request: [.range: "bytes=20-"], status: .notFound, fields: noStore, isKept: false),
    Case(request: [.ifNoneMatch: "\"2\""], status: .gone, isFresh: false, isKept: false),
    Case(
      request: [.ifNoneMatch: "\"2\""], status: .notFound, fields: noStore, isFresh: false,
      isKept: false),
    Case(request: [.range: "bytes=0-3"], status: .gone, isFresh: false, isKept: false),
    Case(request: [.ifMatch: "\"2\""], status: .gone, isKept: false),
    Case(request: [.ifUnmodifiedSince: date], status: .notFound, isKept: false),
    // Neighbours: other responses that replace it, and are not stored.
    Case(request: [.range: "bytes=20-"], status: .ok, fields: noStore, isKept: false),
    Case(request: [.ifMatch: "\"2\""], status: .ok, fields: noStore, isKept: false),
    Case(request: [.range: "bytes=20-"], status: .seeOther, isKept: false),
    // The validators and the length of a 206 are the representation's (RFC 9110 section 15.3.7).
    Case(
      request: [.range: "bytes=0-1,3-4"], status: .partialContent, fields: tag("2"), isKept: false),
    Case(
      request: [.range: "bytes=0-1,3-4"], status: .partialContent, fields: tag("1"), isKept: true),
    Case(request: [.range: "bytes=0-1,3-4"], status: .partialContent, isKept: true),
    Case(
      request: [.range: "bytes=20-"], status: .partialContent,
      fields: [.contentRange: "bytes 20-29/30"], isKept: false),
    Case(
      request: [.range: "bytes=0-1,3-4"], status: .partialContent,
      fields: [.contentRange: "bytes 0-4/10"], isKept: true),
    // A 304 has the current validators (RFC 9110 section 15.4.5).
    Case(
      request: [.ifMatch: "\"2\"", .ifNoneMatch: "\"2\""], status: .notModified, fields: tag("2"),
      isKept: false),
    Case(
      request: [.ifMatch: "\"1\"", .ifNoneMatch: "\"1\""], status: .notModified, fields: tag("1"),
      isKept: true),
    // `If-Match` with the stored tag failed (RFC 9110 section 13.1.1).
    Case(request: [.ifMatch: "\"1\""], status: .preconditionFailed, isKept: false),
    Case(request: [.ifMatch: "\"2\""], status: .preconditionFailed, isKept: true),
    // `HEAD` has the status of `GET` (RFC 9110 section 9.3.2).
    Case(method: .head, request: reload, status: .gone, isKept: false),
    Case(method: .head, request: reload, status: .notFound, fields: noStore, isKept: false),
    Case(method: .head, request: reload, status: .ok, fields: tag("1"), isKept: true),
    // These responses don't show the resource's state.
    Case(request: [.range: "bytes=20-"], status: .rangeNotSatisfiable, isKept: true),
    Case(request: [.range: "bytes=20-"], status: .unauthorized, isKept: true),
    Case(request: [.ifMatch: "\"2\""], status: .forbidden, isKept: true),
    Case(request: [.ifMatch: "\"2\""], status: .tooManyRequests, isKept: true),
    Case(request: [.ifMatch: "\"2\""], status: .serviceUnavailable, isKept: true),
    Case(method: .head, request: reload, status: .internalServerError, isKept: true),
    Case(method: .head, request: reload, status: .methodNotAllowed, isKept: true),
  ]

  private static let noStore: HTTPFields = [.cacheControl: "no-store"]
  private static let reload: HTTPFields = [.cacheControl: "no-cache"]
  private static let date = "Fri, 01 Jan 2027 00:00:00 GMT"

  private static func tag(_ text: String) -> HTTPFields { [.eTag: "\"\(text)\""] }

  @Test(arguments: cases)
  func `stored response ends when the resource is gone`(_ row: Case) async throws {
    let test = CachingClient()
    let lifetime = row.isFresh ? "max-age=600" : "max-age=60"
    test.stub.stub(.get, "/a", with: test.response("0123456789", lifetime, [.eTag: "\"1\""]))
    _ = try await test.client.send(Request<String>.get("/a"))
    if !row.isFresh { test.date.advance(by: 100) }
    let answer = StubResponse.sample(Sample(status: row.status, headerFields: row.fields))
    test.stub.stub(row.method, "/a", with: answer)
    let request = Request<Void>(
      row.method, "/a", headerFields: row.request, decoding: .discarded)
    _ = try? await test.client.send(request)
    #expect(test.stub.requests.count == 2)
    if !row.isFresh { test.date.advance(by: -100) }
    // A response that contradicts it without replacing it leaves it for a validation.
    let isLeft = row.isKept || row.method == .head || [206, 304, 412].contains(row.status.code)
    #expect(await test.cache.contents().map(\.response.isOutdated) == (isLeft ? [!row.isKept] : []))
    test.stub.stub(.get, "/a", with: test.response("new"))
    let next = try await test.client.response(for: Request<String>.get("/a"))
    #expect(next.cacheStatus?.isHit == row.isKept)
    #expect(next.value == (row.isKept ? "0123456789" : "new"))
  }

  /// A response to another variant says nothing about this variant.
  @Test func `other variants stay`() async throws {
    let test = CachingClient()
    let german: HTTPFields = [.acceptLanguage: "de"]
    test.stub.stub(
      .get, "/a", with: test.response("one", "max-age=600", [.vary: "Accept-Language"]),
      .status(.gone))
    _ = try await test.client.send(Request<String>.get("/a", headerFields: german))
    let range: HTTPFields = [.acceptLanguage: "en", .range: "bytes=0-1"]
    _ = try? await test.client.send(Request<String>.get("/a", headerFields: range))
    let next = try await test.client.response(
      for: Request<String>.get("/a", headerFields: german))
    #expect(next.cacheStatus?.isHit == true)
  }
}
