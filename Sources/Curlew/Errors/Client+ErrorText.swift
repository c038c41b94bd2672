public import CurlewSupport
public import Foundation
import HTTPTypes

extension Client.Error: Described {
  /// One line for the log: the request and the reason for the failure.
  ///
  /// It contains no secrets, but the host, path, types and the server's own message: show users
  /// ``errorDescription`` instead.
  public var description: String { (request.map { "\($0): " } ?? "") + summary }

  private var summary: String {
    switch self {
    case .transport(let failure): failure.reason
    case .timeout(let failure):
      "\(failure.isSending ? "the upload made no progress for" : failure.limit.text) \(failure.duration) (limits.\(failure.limit.rawValue))"
    case .status(let failure):
      "status \(failure.response.status.code)" + (failure.message.map { ": \($0)" } ?? "")
    case .decoding(let failure):
      (failure.kind == .unexpected ? "expected \(failure.type)\(failure.lineText)" : "")
        + (failure.codingPath.isEmpty ? "" : ", at \(failure.codingPath)")
        + (failure.kind == .unexpected ? ": " : "") + failure.reason
        + (failure.excerpt.isEmpty ? "" : " Found: \(failure.excerpt)")
    case .encoding(let failure): "the body could not be encoded: \(failure.reason)"
    case .file(let failure): "\(failure.path): \(failure.reason)"
    case .invalidRequest(let failure): failure.reason
    case .tooLarge(let failure):
      failure.transportLimit.map { "\(failure.limit.text) exceeds the limit of \($0)" }
        ?? "\(failure.limit.text) exceeds \(failure.bytes) bytes (limits.\(failure.limit.rawValue))"
    case .redirect(let failure): "\(failure.reason.text) (to \(failure.location))"
    case .notSent(let failure):
      "not sent: \(failure.reason.text)"
        + (failure.reason == .notInCache
          ? "" : "; retry after \(failure.retryAfter.inTenths) seconds")
    case .cancelled: "cancelled"
    }
  }
}

extension Client.Error: LocalizedError {
  /// A short text for users, which `localizedDescription` returns, too.
  ///
  /// It contains no server name, path or type, and no text from the server; ``description``, for the log,
  /// does. Also show ``Client/StatusFailure/message`` if your API writes it for users.
  public var errorDescription: String? { text(in: .current) }

  /// Returns a short text for users in your own words, or in another language.
  public func text(in texts: UserTexts) -> String {
    switch self {
    case .transport(let failure): texts[keyPath: failure.kind.text]
    case .timeout: texts.timeout
    case .status(let failure): text(for: failure, texts)
    case .decoding(let failure) where failure.isWebPage: texts.webPage
    case .decoding: texts.unreadable
    case .encoding, .invalidRequest: texts.notSendable
    case .file(let failure): texts[keyPath: failure.kind.text]
    case .tooLarge: texts.tooLarge
    case .redirect: texts.redirect
    case .notSent(let failure) where failure.reason == .notInCache: texts.notStored
    case .notSent(let failure): texts.text(texts[keyPath: failure.reason.userText], retry)
    case .cancelled: texts.cancelled
    }
  }

  /// The reason for the failure, for users, without the time of the next retry.
  ///
  /// For apps that display a countdown of ``retryAfter``; `nil` for errors without a retry time.
  public var failureReason: String? {
    guard retryAfter != nil else { return nil }
    let texts = UserTexts.current
    return switch self {
    case .notSent(let failure): texts[keyPath: failure.reason.userText]
    case .status(let failure): sentence(for: failure, texts)
    default: nil
    }
  }

  private var retry: UserTexts.Retry { UserTexts.Retry(after: retryAfter) }

  private func text(for failure: Client.StatusFailure, _ texts: UserTexts) -> String {
    let sentence = sentence(for: failure, texts)
    return switch failure.retryAdvice(now: Date()) {
    case .never: sentence
    case .transient(after: nil): texts.text(sentence, .inAMoment)
    case .transient, .rateLimited: texts.text(sentence, retry)
    }
  }

  private func sentence(for failure: Client.StatusFailure, _ texts: UserTexts) -> String {
    if failure.isRateLimited { return texts.tooManyRequests }
    return switch failure.response.status.code {
    case 401: texts.signIn
    case 403: texts.forbidden
    case 404, 410: texts.notFound
    case 500...599: texts.serverProblem
    default: texts.notAccepted
    }
  }
}

extension Client.FileFailure.Kind {
  /// The sentence for users.
  fileprivate var text: KeyPath<UserTexts, String> {
    switch self {
    case .notFound: \.fileNotFound
    case .notPermitted: \.fileNotPermitted
    case .exists: \.fileExists
    case .noSpace: \.fileNoSpace
    case .inUse: \.fileInUse
    case .changed: \.fileChanged
    case .other: \.fileFailed
    }
  }
}

extension Client.TransportFailure.Kind {
  /// The sentences for users.
  fileprivate var text: KeyPath<UserTexts, String> {
    switch self {
    case .nameNotResolved: \.nameNotResolved
    case .unreachable: \.unreachable
    case .refused: \.connectionRefused
    case .lost: \.connectionLost
    case .untrusted: \.untrusted
    case .tls: \.insecure
    case .protocolError: \.invalidResponse
    case .contentCoding: \.damagedEncoding
    case .digest: \.damaged
    case .other: \.connectionFailed
    }
  }
}

extension Client.NotSentFailure.Reason {
  /// The sentence for users.
  fileprivate var userText: KeyPath<UserTexts, String> {
    switch self {
    case .rateLimit: \.rateLimited
    case .circuitOpen: \.notWorking
    case .notInCache: \.notStored
    }
  }
}

extension Client.TimeoutFailure.Limit {
  fileprivate var text: String {
    switch self {
    case .connect: "no connection within"
    case .firstByte: "no response within"
    case .idle: "no more response data arrived for"
    case .total: "not completed within"
    }
  }
}

extension Client.TooLargeFailure.Limit {
  fileprivate var text: String {
    switch self {
    case .bodySize: "the body"
    case .headerSize: "the header"
    case .lineSize: "a line"
    case .eventSize: "an event"
    }
  }
}

extension Client.DecodingFailure {
  fileprivate var lineText: String { line.map { ", in line \($0)" } ?? "" }
}

extension Client.RedirectFailure.Reason {
  fileprivate var text: String {
    switch self {
    case .tooMany(let limit): "more than \(limit) redirects (limits.redirects)"
    case .insecure: "a redirect from https to http is not followed"
    case .malformedLocation: "the redirect's target is not an http or https URL"
    case .severalLocations: "the redirect has several Location fields with different values"
    }
  }
}

extension Client.NotSentFailure.Reason {
  fileprivate var text: String {
    switch self {
    case .rateLimit: "the rate limit is exhausted"
    case .circuitOpen: "the circuit breaker is open after repeated failures"
    case .notInCache: "no stored response can be used (only-if-cached)"
    }
  }
}

extension Duration {
  /// The seconds, rounded up to tenths.
  fileprivate var inTenths: Double { (self / .milliseconds(100)).rounded(.up) / 10 }
}

extension Client.Error {
  /// The ``description`` without the method and the URL, for texts that already contain them.
  public var reasonText: String { description.replacing(#/^[A-Z]+ \S+: /#, with: "") }
}
