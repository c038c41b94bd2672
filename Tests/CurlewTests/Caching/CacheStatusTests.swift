import Curlew
import CurlewTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CacheStatusTests {
  @Test func aHitIsAStructuredField() {
    let status = CacheStatus.hit(age: 40, timeToLive: 20, .fresh)
    #expect(status.fieldValue() == "Curlew; hit; ttl=20; detail=fresh")
  }

  @Test func aStaleHitHasANegativeTimeToLive() {
    let status = CacheStatus.hit(age: 80, timeToLive: -20, .staleWhileRevalidating)
    #expect(status.fieldValue() == "Curlew; hit; ttl=-20; detail=staleWhileRevalidating")
  }

  @Test func aValidationIsAStructuredField() {
    var status = CacheStatus.forwarded(.stale, .stale)
    (status.forwardedStatus, status.isStored, status.timeToLive) = (304, true, 60)
    #expect(
      status.fieldValue()
        == "Curlew; fwd=stale; fwd-status=304; stored; ttl=60; detail=stale")
  }

  @Test func aMissIsAStructuredField() {
    var status = CacheStatus.forwarded(.uriMiss, .nothingStored)
    status.isCollapsed = true
    #expect(status.fieldValue() == "Curlew; fwd=uri-miss; collapsed; detail=nothingStored")
  }

  @Test func whatIsNotSentIsNeitherAHitNorForwarded() {
    #expect(CacheStatus.unavailable(.onlyIfCached).fieldValue() == "Curlew; detail=onlyIfCached")
  }

  @Test(arguments: [
    ("Curlew", "Curlew"), ("my.cache:80/x", "my.cache:80/x"), ("my cache", "\"my cache\""),
    ("1st", "\"1st\""), ("a\"b\\c", #""a\"b\\c""#), ("Ä\n", "\"??\""), ("", "\"\""),
  ])
  func namesAreTokensOrQuotedStrings(name: String, item: String) {
    #expect(
      CacheStatus.forwarded(.miss, .stale).fieldValue(cacheName: name)
        == "\(item); fwd=miss; detail=stale")
  }

  @Test func numbersHaveAtMostFifteenDigits() {
    let status = CacheStatus.hit(age: 0, timeToLive: .min, .fresh)
    #expect(status.fieldValue().contains("ttl=-999999999999999;"))
  }

  @Test func aDescriptionIsOneLine() {
    var status = CacheStatus.hit(age: 40, timeToLive: 20, .fresh)
    #expect(
      "\(status)" == "from the cache, 40 s old, fresh for 20 s: "
        + "It is fresh: its age is below its lifetime (RFC 9111 section 4.2).")
    status = .forwarded(.stale, .mustRevalidate)
    (status.forwardedStatus, status.isStored) = (200, true)
    #expect("\(status)".hasPrefix("forwarded (stale, 200), stored: It is stale, and has"))
    #expect("\(CacheStatus.unavailable(.onlyIfCached))".hasPrefix("not sent: "))
    status = .forwarded(.uriMiss, .nothingStored)
    status.notStoredReason = .responseNoStore
    #expect("\(status)".hasSuffix("(RFC 9111 section 4). \(CacheReason.responseNoStore)"))
    let lastSecond = CacheStatus.hit(age: 59, timeToLive: 0, .fresh)
    #expect("\(lastSecond)".hasPrefix("from the cache, 59 s old: It is fresh"))
  }

  @Test(arguments: CacheReason.allCases)
  func aReasonIsASentenceThatNamesItsStandard(reason: CacheReason) throws {
    #expect(reason.description.contains(/\(RFC \d{4}( sections? [\d.]+)?\)\.$/))
    #expect(try #require(reason.description.first).isUppercase)
    #expect(CacheReason.allCases.filter { $0.description == reason.description }.count == 1)
  }
}
