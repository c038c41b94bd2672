public import Foundation
public import HTTPTypes

extension Client {
  /// A failure because the endpoint does not accept the response's status.
  public struct StatusFailure: Sendable, Hashable {
    /// The request's method and URL, without secrets.
    let request: String
    /// The response's status and header fields; secret values are masked.
    public let response: HTTPResponse
    /// The first 64 KiB of the response's body, without secrets.
    public let body: Data
    /// The API's own error message, if the body contains a message.
    public let message: String?
    /// The body, decoded as the error type of the endpoint or of its client.
    let value: Uncompared

    /// Returns the body, decoded as the error type of the endpoint (``Request/errorBody(_:)``) or of its
    /// client; `nil` if the error type is not `Body`, or the body could not be decoded.
    ///
    /// ```swift
    /// } catch .status(let failure) {
    ///   show(failure.body(as: ValidationErrors.self)?.fields ?? [])
    /// }
    /// ```
    public func body<Body>(as type: Body.Type) -> Body? { value.base as? Body }

    /// A value that the equality and the hash of failures ignore.
    struct Uncompared: Sendable, Hashable {
      let base: (any Sendable)?

      static func == (one: Self, other: Self) -> Bool { true }

      func hash(into hasher: inout Hasher) {}
    }
  }
}

extension Client.StatusFailure {
  /// Whether the server rejected the request because of too many requests: with 429, or, like GitHub, with
  /// 403 and `Retry-After`, an exhausted limit (`HTTPTypes.HTTPFields.rateLimit(now:)`) or a reason in the
  /// body, such as GitHub's message about its secondary limit or Google's `rateLimitExceeded`.
  public var isRateLimited: Bool { retryAdvice(now: Date()).isRateLimited }

  func retryAdvice(now: Date) -> RetryAdvice {
    RetryAdvice(response, body: body, now: now)
  }
}

extension Client.StatusFailure {
  /// The keys of messages, without separators, in order of preference: of GitHub, TMDB, AWS Lambda, VK, FastAPI and
  /// GoTrue, RFC 9457, OAuth, Telegram, Vapor and Elasticsearch, OData's `value` within `message`.
  private static let texts = [
    "message", "statusmessage", "errormessage", "errormsg", "msg", "detail", "errordescription",
    "description", "reason",
    "title", "value",
  ]

  /// The keys of errors that contain messages: common ones, then of Jira, Django, Symfony, marshmallow and Apigee.
  private static let errors = [
    "error", "errors", "errormessages", "nonfielderrors", "violations", "messages", "fault",
    "faultstring",
  ]

  /// Returns the API's error message in a body, in the shapes of common APIs and frameworks; of several, the first.
  static func message(in body: Data) -> String? {
    (try? JSONSerialization.jsonObject(with: body)).flatMap { message(in: $0) }
  }

  /// - Parameter hasFields: Whether the keys of an object may be names of fields, with their errors as values.
  private static func message(in json: Any, hasFields: Bool = false, depth: Int = 0) -> String? {
    guard depth < 5 else { return nil }
    if let text = json as? String { return text.isEmpty ? nil : text }
    if let list = json as? [Any] { return list.first.flatMap { message(in: $0, depth: depth + 1) } }
    guard let object = json as? [String: Any] else { return nil }
    let members = object.sorted { $0.key < $1.key }
    let named = Dictionary(members.map { ($0.key.lowercased().filter(\.isLetter), $0.value) }) {
      first, _ in first
    }
    for key in texts + errors {
      let text = named[key].flatMap {
        message(in: $0, hasFields: errors.contains(key), depth: depth + 1)
      }
      if let text { return text }
    }
    // Rails' and Django's errors by field: `{"email": ["has already been taken"]}`.
    guard members.allSatisfy({ $0.value is [String] || hasFields && $0.value is String }) else {
      return nil
    }
    return members.lazy.compactMap { message(in: $0.value, depth: depth + 1) }.first
  }
}
