import Foundation
import HTTPTypes
import Testing

@testable import Curlew

/// Parts of the policy that no case covers: reasons, and bodies that a transport decoded.
@Suite(.timeLimit(.minutes(1)))
struct CachePolicyTests {
  private let policy = CachePolicy()
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func request(_ fields: HTTPFields = [:], mode: CacheMode = .standard)
    -> CachePolicy.Request
  {
    CachePolicy.Request(
      head: HTTPRequest(
        method: .get, scheme: "https", authority: "a.example", path: "/", headerFields: fields),
      mode: mode)
  }

  private func stored(
    _ fields: HTTPFields, to: HTTPFields = [:], isDecoded: Bool = false
  ) throws -> StoredResponse {
    var response = try policy.storing(
      HTTPResponse(status: .ok, headerFields: fields), to: request(to),
      requestTime: now, responseTime: now, isDecoded: isDecoded
    ).get()
    if response.bodySize < 0, !isDecoded { response.bodySize = 10 }
    return response
  }

  private func refusal(_ fields: HTTPFields, status: Int = 200, to: HTTPFields = [:])
    -> CacheReason?
  {
    let result = policy.storing(
      HTTPResponse(status: .init(code: status), headerFields: fields), to: request(to),
      requestTime: now, responseTime: now, isDecoded: false)
    guard case .failure(let refusal) = result else { return nil }
    return refusal.reason
  }

  @Test func `a part of a decoded body is not served`() throws {
    let response = try stored([.cacheControl: "max-age=60"], isDecoded: true)
    #expect(response.bodySize == -1)
    let decision = policy.decision(for: request([.range: "bytes=0-1"]), among: [response], now: now)
    #expect(decision == .forward(stale: nil, status: .forwarded(.request, .rangeNotServed)))
  }

  @Test func `the length of a decoded body is not compared`() throws {
    let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"v1\""]
    let response = try stored(fields, isDecoded: true)
    var head = request()
    head.head.method = .head
    let (updated, outdated) = policy.freshenedByHead(
      [response],
      by: HTTPResponse(status: .ok, headerFields: [.eTag: "\"v1\"", .contentLength: "7"]),
      to: head, requestTime: now, responseTime: now)
    #expect(updated.map(\.id) == [response.id])
    #expect(outdated.isEmpty)
    let withoutTag = policy.freshenedByHead(
      [response], by: HTTPResponse(status: .ok, headerFields: [.contentLength: "7"]),
      to: head, requestTime: now, responseTime: now)
    #expect(withoutTag.outdated == [response.id])
  }

  @Test func `the announced length is the size`() throws {
    let response = try stored([.cacheControl: "max-age=60", .contentLength: "1234"])
    #expect(response.bodySize == 1_234)
  }

  @Test func `every refusal has its reason`() {
    let hour: HTTPFields = [.cacheControl: "max-age=3600"]
    #expect(refusal(hour) == nil)
    #expect(refusal(hour, status: 103) == .notFinal)
    #expect(refusal(hour, status: 206) == .partNotStored)
    #expect(refusal(hour, status: 304) == .partNotStored)
    #expect(refusal(hour, status: 412) == .onlyForItsRequest)
    #expect(refusal(hour, status: 429) == .statusNotStored)
    #expect(refusal(hour, to: [.cacheControl: "no-store"]) == .requestNoStore)
    #expect(refusal([.cacheControl: "no-store"]) == .responseNoStore)
    #expect(
      refusal([.cacheControl: "must-understand, max-age=1"], status: 599) == .statusNotUnderstood)
    #expect(refusal([.cacheControl: "max-age=1", .vary: "*"]) == .variesOnEverything)
    #expect(refusal([.eTag: "\"v1\""], status: 403) == .noExplicitLifetime)
    #expect(refusal([:]) == nil)
    #expect(refusal([:], status: 404) == .nothingToReuse)
  }

  @Test(arguments: [
    ("", CacheStatus.Forward.stale, CacheReason.staleWithoutValidator),
    ("no-cache", .request, .requestNoCache), ("max-age=1", .stale, .staleWithoutValidator),
    ("min-fresh=1", .stale, .staleWithoutValidator), ("no-store", .stale, .stale),
  ])
  func `a forwarded request has its reason`(
    control: String, forward: CacheStatus.Forward, reason: CacheReason
  ) throws {
    let response = try stored([.cacheControl: "max-age=10"])
    let fields: HTTPFields = control.isEmpty ? [:] : [.cacheControl: control]
    let decision = policy.decision(for: request(fields), among: [response], now: now + 20)
    #expect(decision == .forward(stale: 0, status: .forwarded(forward, reason)))
  }

  @Test func `misses tell what is there`() throws {
    let response = try stored([.cacheControl: "max-age=10", .vary: "Accept"])
    #expect(
      policy.decision(for: request(), among: [], now: now)
        == .forward(stale: nil, status: .forwarded(.uriMiss, .nothingStored)))
    #expect(
      policy.decision(for: request([.accept: "a/b"]), among: [response], now: now)
        == .forward(stale: nil, status: .forwarded(.varyMiss, .otherVariants)))
  }

  @Test func `a stale response after an error tells why`() throws {
    let response = try stored([.cacheControl: "max-age=10, stale-if-error=60"])
    let status = try #require(
      policy.staleStatus(of: response, insteadOf: .status(503), for: request(), now: now + 30))
    #expect(status.forward == .stale)
    #expect(status.forwardedStatus == 503)
    #expect((status.age, status.timeToLive) == (30, -20))
    #expect(status.cause == .staleAfterError)
  }

  @Test func `the variant holds normalised values`() throws {
    let response = try stored(
      [.cacheControl: "max-age=1", .vary: "FOO, Accept-Language, X"],
      to: ["Foo": " a ,  b c", .acceptLanguage: "EN ; q=1"])
    #expect(response.variant == ["foo": "a,b c", "accept-language": "en;q=1"])
  }
}
