import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct CacheStatusTests {
  private static func forwarded(
    _ forward: CacheStatus.Forward, _ reason: CacheReason, _ change: (inout CacheStatus) -> Void
  ) -> CacheStatus {
    var status = CacheStatus.forwarded(forward, reason)
    change(&status)
    return status
  }

  @Test(arguments: [
    (CacheStatus.hit(age: 40, timeToLive: 20, .fresh), "hit; ttl=20; detail=fresh"),
    (
      .hit(age: 80, timeToLive: -20, .staleWhileRevalidating),
      "hit; ttl=-20; detail=staleWhileRevalidating"
    ),
    // Numbers have at most fifteen digits.
    (.hit(age: 0, timeToLive: .min, .fresh), "hit; ttl=-999999999999999; detail=fresh"),
    (
      forwarded(.stale, .stale) {
        ($0.forwardedStatus, $0.isStored, $0.timeToLive) = (304, true, 60)
      }, "fwd=stale; fwd-status=304; stored; ttl=60; detail=stale"
    ),
    (
      forwarded(.uriMiss, .nothingStored) { $0.isCollapsed = true },
      "fwd=uri-miss; collapsed; detail=nothingStored"
    ),
    (.unavailable(.onlyIfCached), "detail=onlyIfCached"),
  ])
  func `a status is a structured field`(status: CacheStatus, field: String) {
    #expect(status.fieldValue() == "Curlew; \(field)")
  }

  @Test func `a description is one line`() {
    var status = CacheStatus.hit(age: 40, timeToLive: 20, .fresh)
    #expect(
      "\(status)" == "from the cache, 40 s old, fresh for 20 s: "
        + "It is fresh: its age is below its lifetime (RFC 9111 section 4.2).")
    status = .forwarded(.stale, .mustRevalidate)
    (status.forwardedStatus, status.isStored) = (200, true)
    #expect("\(status)".hasPrefix("forwarded (stale, 200), stored: It is stale and must be"))
    #expect("\(CacheStatus.unavailable(.onlyIfCached))".hasPrefix("not sent: "))
    status = .forwarded(.uriMiss, .nothingStored)
    status.notStoredCause = .responseNoStore
    #expect("\(status)".hasSuffix("(RFC 9111 section 4). \(CacheReason.responseNoStore.rawValue)"))
    let lastSecond = CacheStatus.hit(age: 59, timeToLive: 0, .fresh)
    #expect("\(lastSecond)".hasPrefix("from the cache, 59 s old: It is fresh"))
  }

  @Test(arguments: CacheReason.allCases)
  func `a reason is a sentence that names its standard`(reason: CacheReason) throws {
    #expect(reason.rawValue.contains(/\(RFC \d{4}( sections? [\d.]+)?\)\.$/))
    #expect(try #require(reason.rawValue.first).isUppercase)
  }
}
