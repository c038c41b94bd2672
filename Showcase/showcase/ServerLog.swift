package import Curlew
package import CurlewObservability
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Synchronization

/// The cost of the API requests for a page request: the requests that end before the page's
/// response.
package final class PageCost: Sendable {
  /// The cost of the page request or event that the current task handles.
  @TaskLocal package static var current: PageCost?

  private let sums = Mutex((calls: 0, requests: 0, bytes: 0))

  package init() {}

  /// Adds the cost of a call.
  func add(_ totals: RequestTotals) {
    sums.withLock { sums in
      sums.calls += 1
      sums.bytes += totals.isCoalesced ? 0 : totals.bytes
      sums.requests += totals.attempts
    }
  }

  /// The cost, such as `2 API calls, 3 requests, 34.1 kB`; `nil` if there were no calls.
  package var text: String? {
    let sums = sums.withLock { $0 }
    guard sums.calls > 0 else { return nil }
    return "\(sums.calls) API call\(sums.calls == 1 ? "" : "s"), "
      + (sums.requests == sums.calls
        ? "" : "\(sums.requests) request\(sums.requests == 1 ? "" : "s"), ")
      + Int64(sums.bytes).bytes
  }
}

/// Adds the cost of each API call to its page.
package struct PageCostObserver: RequestObserver {
  package init() {}

  package func observe(_ event: RequestEvent) {
    switch event.stage {
    case .finished, .failed: PageCost.current?.add(event.totals)
    default: break
    }
  }
}

/// Logs each request to the web server: method and address, status, size, duration and cost.
struct RequestLog<Context: RequestContext>: RouterMiddleware {
  let log: Log

  @concurrent
  func handle(
    _ request: Request, context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    let (start, cost) = (ContinuousClock.now, PageCost())
    // Search terms are logged, but keys and tokens in the address are redacted.
    var redaction = Redaction()
    redaction.queryItems.insert("session")
    let name =
      "\(request.method) \(redaction.redacting(url: String(request.uri.description.prefix(1_000))))"
    func write(_ status: HTTPResponse.Status, _ size: Int?) {
      let time = (ContinuousClock.now - start) / .seconds(1)
      let texts = ["in \(String(format: "%.3f", time)) s", size.map { Int64($0).bytes }, cost.text]
      log.writeWithTime(
        "page \(name) \(status.code) " + texts.compactMap(\.self).joined(separator: ", "))
    }
    do {
      let response = try await PageCost.$current.withValue(cost) {
        try await next(request, context)
      }
      write(response.status, response.body.contentLength)
      return response
    } catch {
      write((error as? any HTTPResponseError)?.status ?? .internalServerError, nil)
      throw error
    }
  }
}

/// Writes the log messages of `CurlewObservability`, one line per API request.
struct LineLogHandler: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]
  let log: Log

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let size = event.metadata?["curlew.bytes"].flatMap { Int64("\($0)") }
    let initiator = event.metadata?["curlew.initiator"]
    let retries = event.metadata?["curlew.retries"]
    let texts = [
      size.map { $0 > 0 ? $0.bytes : "" }, retries.map { "retries: \($0)" },
      initiator.map { "for \($0)" },
    ]
    let rest = texts.compactMap { $0 }.filter { !$0.isEmpty }.map { ", \($0)" }.joined()
    let level = event.level > .info ? "\(event.level): " : ""
    log.writeWithTime("api  \(level)\(event.message)\(rest)")
  }
}

extension RequestObserver where Self == LoggingObserver {
  /// Logs a line for each API request.
  package static func server(_ log: Log) -> LoggingObserver {
    .logging(Logger(label: "api") { _ in LineLogHandler(log: log) })
  }
}
