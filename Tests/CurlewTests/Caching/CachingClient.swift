import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// A client with a cache, a stub and a date that the test controls.
struct CachingClient {
  let stub = StubTransport()
  let date = TestDate()
  let log = EventLog()
  let waits = Waits()
  let cache: ResponseCache
  let client: Client

  init(
    account: (@Sendable (OutgoingRequest) -> String?)? = nil,
    adjust: (inout ResponseCache) -> Void = { _ in },
    configure: (inout Client.Configuration) -> Void = { _ in }
  ) {
    var cache = ResponseCache.memory(account: account, now: { [date] in date.now })
    adjust(&cache)
    self.cache = cache
    client = .stubbed(by: stub) { [log, waits] in
      $0.cache = cache
      $0.observers = [log, waits]
      configure(&$0)
    }
  }

  /// The cache status of each request, in order.
  var statuses: [CacheStatus] {
    log.events.compactMap { if case .cache(let status) = $0.stage { status } else { nil } }
  }

  /// Returns a response with a body, a lifetime and other fields.
  func response(
    _ body: String, _ cacheControl: String = "max-age=60", _ fields: HTTPFields = [:],
    status: HTTPResponse.Status = .ok
  ) -> StubResponse {
    .sample { [date] _ in
      var fields = fields
      fields[.cacheControl] = cacheControl
      fields[.date] = HTTPDate.text(of: date.now)
      return Sample(status: status, headerFields: fields, body: Data(body.utf8))
    }
  }
}
