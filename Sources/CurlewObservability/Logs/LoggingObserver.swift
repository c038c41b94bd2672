public import Curlew
import HTTPTypes
public import Logging

/// An observer that logs each call with swift-log, in one line when it ends.
public struct LoggingObserver: RequestObserver {
  private let logger: Logger
  private let level: Logger.Level

  init(_ logger: Logger, at level: Logger.Level) {
    (self.logger, self.level) = (logger, level)
  }

  /// Logs the end of a call and, at the level `debug`, its steps and waits.
  public func observe(_ event: RequestEvent) {
    switch event.stage {
    case .finished: logEnd(of: event, at: level, nil)
    case .failed(let error): logEnd(of: event, at: error.logLevel, error)
    case .head(let status):
      // Otherwise a stream would not be logged until its end.
      if event.isStreamed { logStep("\(status), and its body follows", of: event) }
    case .coalesced(let call):
      logStep("waits for the response to \(call.map { "#\($0)" } ?? "another call")", of: event)
    case .cache(let status): logStep("cache: \(status)", of: event)
    case .waitingForToken: logStep("waits for a token", of: event)
    case .waitingForRateLimit(nil): logStep("waits for the rate limit", of: event)
    case .waitingForRateLimit(let time?):
      logStep("waits \(time.rounded) s for the rate limit", of: event)
    case .queued: logStep("waits in the queue", of: event)
    case .retrying(let time, let reason):
      logStep("is retried after \(time.rounded) s: \(reason.text)", of: event)
    default: break
    }
  }

  /// Logs a step of a call; the text is created only if the level is enabled.
  private func logStep(_ text: @autoclosure () -> String, of event: RequestEvent) {
    guard logger.logLevel <= .debug else { return }
    let url = event.url
    let metadata = event.metadata(url)
    logger.debug("\(event.method) \(url) \(text())".asLogMessage, metadata: metadata)
  }

  private func logEnd(of event: RequestEvent, at level: Logger.Level, _ error: Client.Error?) {
    // Checked first, to avoid formatting a message that the logger would ignore.
    guard logger.logLevel <= level else { return }
    let (url, totals) = (event.url, event.totals)
    var metadata = event.metadata(url)
    metadata[Attribute.duration] = "\(event.time.rounded)"
    metadata[Attribute.bytes] = "\(totals.bytes)"
    if let status = totals.status { metadata[Attribute.status] = "\(status)" }
    if totals.attempts > 1 { metadata[Attribute.resendCount] = "\(totals.attempts - 1)" }
    if totals.retries > 0 { metadata[Attribute.retries] = "\(totals.retries)" }
    if totals.waited > .zero { metadata[Attribute.waited] = "\(totals.waited.rounded)" }
    if let status = totals.cacheStatus { metadata[Attribute.cache] = "\(status.fieldValue())" }
    if totals.isCoalesced { metadata[Attribute.coalesced] = "true" }
    if let error { metadata[Attribute.error] = "\(error.type)" }
    let outcome =
      error?.outcome(after: event.time) ?? totals.outcome(after: event.time)
    logger.log(
      level: level, "\(event.method) \(url) \(outcome)".asLogMessage, metadata: metadata)
  }
}

extension RequestObserver where Self == LoggingObserver {
  /// Logs each call with swift-log, with secrets masked, in one line when it ends.
  ///
  /// A stream ends when it is read completely or released. The line has the method, the URL, the status or error, and
  /// the time; the metadata uses OpenTelemetry's names if defined. At the level `debug`, retries, waits and the heads
  /// of streams are logged, too.
  ///
  /// - Parameters:
  ///   - logger: The logger. A metadata provider is called in the task of the caller, or of the code that reads a
  ///     stream.
  ///   - level: The level for successful calls. Errors are `warning`; `error` if they require a change of the program,
  ///     the API or a certificate; `debug` if the call was cancelled.
  public static func logging(_ logger: Logger, at level: Logger.Level = .info) -> Self {
    LoggingObserver(logger, at: level)
  }
}
