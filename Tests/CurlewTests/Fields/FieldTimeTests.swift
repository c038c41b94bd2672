import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// The spellings of `Retry-After` that servers use.
@Suite(.timeLimit(.minutes(1)))
struct FieldTimeTests {
  /// Fri, 15 Jan 2027 08:00:00 GMT.
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test(arguments: [
    // Shopify documents a decimal: https://shopify.dev/docs/api/usage/limits; Shopify/shopify-api-php#117.
    ("2.0", 2.0), ("1.5", 1.5), ("0.4", 0.4), ("2.", nil), ("+2", 2), ("2,", 2), ("5, 5", 5),
    // Units: getsentry/sentry#7919, microsoftgraph/msgraph-sdk-serviceissues#10, and Go's time.Duration.
    ("2s", 2), ("2 s", 2), ("30 seconds", 30), ("120ms", 0.12), ("1m30s", 90), ("1h0m0.5s", 3600.5),
    ("2 Minutes", 120), ("2x", nil),
    // Seconds and milliseconds since 1970 (RocketChat/docs-old#1358).
    ("1800000090", 90), ("1800000090000", 90), ("1800000090.5", 90.5), ("1700000000", 0),
    // RFC 9110 section 5.6.7, with other names of GMT and other zones (RFC 5322 section 3.3).
    ("Fri, 15 Jan 2027 08:01:30 GMT", 90), ("Fri, 15 Jan 2027 08:01:30 UTC", 90),
    ("Fri, 15 Jan 2027 08:01:30 gmt", 90), ("Fri, 15 Jan 2027 08:01:30 +0000", 90),
    ("Fri, 15 Jan 2027 08:01:30 -0000", 90), ("Fri, 15 Jan 2027 08:01:30 GMT+00:00", 90),
    ("Fri, 15 Jan 2027 08:01:30 Z", 90), ("Fri, 15 Jan 2027 08:01:30", 90),
    ("Fri, 15 Jan 2027 10:01:30 +0200", 90), ("Fri, 15 Jan 2027 00:31:30 -0730", 90),
    ("15 Jan 2027 08:01:30 GMT", 90), ("FRI, 15 JAN 2027 08:01:30 GMT", 90),
    ("Friday, 15-Jan-27 08:01:30 UTC", 90), ("Fri Jan 15 08:01:30 2027", 90),
    ("Fri Jan 15 08:01:30 UTC 2027", 90), ("Fri, 15 Jan 2027 07:00:00 UTC", 0),
    ("Fri, 15 Jan 2027 08:01:30 CET", nil), ("Fri, 15 Jan 2027 08:01:30 +02000", nil),
    // ISO 8601 and RFC 3339 section 5.6.
    ("2027-01-15T08:01:30Z", 90), ("2027-01-15t08:01:30z", 90), ("2027-01-15T08:01:30.250Z", 90),
    ("2027-01-15T10:01:30+02:00", 90), ("2027-01-15 08:01:30 UTC", 90), ("2027-01-15T08:01:30", 90),
    ("2027-02-30T08:01:30Z", nil), ("2027-00-15T08:01:30Z", nil),
  ])
  func `a wait is read in the spellings of servers`(value: String, seconds: Double?) {
    let fields: HTTPFields = [.retryAfter: value]
    #expect(fields.retryAfter(now: now) == seconds.map { .seconds($0) })
  }

  /// Azure (https://learn.microsoft.com/rest/api/cosmos-db/common-cosmosdb-rest-response-headers) and OpenAI, whose
  /// library reads `retry-after-ms` before `retry-after`.
  @Test(
    arguments: [
      (["retry-after-ms": "2000"], 2), (["x-ms-retry-after-ms": "2000"], 2),
      (["retry-after-ms": "250.5", "retry-after": "1"], 0.2505),
      (["retry-after": "1", "x-ms-retry-after-ms": "1500"], 1.5),
      (["retry-after-ms": "soon", "retry-after": "7"], 7),
      (["retry-after-ms": "", "retry-after": "7"], 7), (["retry-after-ms": "99s"], 99),
      // A field that came twice: the longer wait.
      (["retry-after": "7", "Retry-After": "9"], 9),
    ] as [(HTTPFields, Double)])
  func `milliseconds are read before seconds`(fields: HTTPFields, seconds: Double) {
    #expect(fields.retryAfter(now: now) == .seconds(seconds))
    #expect(!fields.hasUnreadableRetryAfter(now: now))
  }

  @Test func `no time leads to a crash or a negative wait`() {
    let samples = [
      "Fri, 15 Jan 2027 08:01:30 +0200", "2027-01-15T08:01:30.5Z", "1m30.5s", "1800000000000",
      "Fri Jan 15 08:01:30 2027", "99999999999999999999.5 days",
    ]
    var generator = SeededGenerator(seed: Fuzz.seed())
    for _ in 0..<Fuzz.runs(20_000) {
      let bytes = generator.mutated(samples, with: "0123456789:.,+- TZsmhdµ٦é")
      let fields: HTTPFields = [.retryAfter: String(decoding: bytes, as: UTF8.self)]
      if let wait = fields.retryAfter(now: now) {
        #expect(wait >= .zero && wait <= .seconds(3_155_760_000))
      }
    }
  }
}
