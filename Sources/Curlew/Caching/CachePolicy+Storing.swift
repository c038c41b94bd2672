import Foundation
import HTTPTypes

extension CachePolicy {
  /// The final status codes whose caching rules are known (RFC 9110 section 15), for `must-understand`.
  private static let understoodStatuses: Set<Int> = [
    200, 201, 202, 203, 204, 205, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406,
    407, 408, 409, 410, 411, 413, 414, 415, 417, 421, 422, 426, 451, 500, 501, 502, 503, 504, 505,
  ]

  /// Returns the response to store, or the reason why it is not stored (RFC 9111 section 3).
  ///
  /// Responses to `POST` are not stored, although RFC 9110 section 9.3.3 allows it with an explicit lifetime
  /// and a `Content-Location`: hardly any server sends such responses.
  ///
  /// - Parameters:
  ///   - request: The request as it was sent, without the cache's own conditions.
  func storing(
    _ head: HTTPResponse, to request: Request, requestTime: Date, responseTime: Date,
    isDecoded: Bool
  ) -> Result<StoredResponse, NotStoredError> {
    if let reason = refusal(of: head, to: request.head) {
      return .failure(NotStoredError(reason: reason))
    }
    guard let variant = Self.variant(of: head, to: request.head) else {
      return .failure(NotStoredError(reason: .variesOnEverything))
    }
    let stored = StoredResponse(
      variant: variant, head: Self.storedHead(head, responseTime: responseTime),
      requestTime: requestTime, responseTime: responseTime,
      bodySize: isDecoded ? -1 : Self.contentLength(head.headerFields) ?? -1, isDecoded: isDecoded)
    let control = head.headerFields.cacheControl
    let isExplicit = explicitLifetime(of: stored, control) != nil
    guard
      isExplicit || Self.heuristicStatuses.contains(head.status.code) || control.permits("public")
        || control.permits("private")
    else { return .failure(NotStoredError(reason: .noExplicitLifetime)) }
    // A success without a validator can be shown while loading or offline; an error is useless there.
    guard isExplicit || head.status.kind == .successful || lifetime(of: stored) > 0 else {
      return .failure(NotStoredError(reason: .nothingToReuse))
    }
    return .success(stored)
  }

  private func refusal(of head: HTTPResponse, to request: HTTPRequest) -> CacheReason? {
    guard request.method == .get else { return .methodNotStored }
    let control = head.headerFields.cacheControl
    switch head.status.code {
    case ..<200: return .notFinal
    // A 304 only freshens stored responses.
    case 206, 304: return .partNotStored
    case 412, 416: return .onlyForItsRequest
    // RFC 6585 sections 3, 4, 5 and 6.
    case 428, 429, 431, 511: return .statusNotStored
    default: break
    }
    if request.headerFields.cacheControl.restricts("no-store") { return .requestNoStore }
    if control.permits("must-understand") {
      // Its `no-store` is for caches that don't implement `must-understand` (RFC 9111 section 5.2.2.3).
      return Self.understoodStatuses.contains(head.status.code) ? nil : .statusNotUnderstood
    }
    return control.restricts("no-store") ? .responseNoStore : nil
  }

  /// Returns a head without the fields that must not be stored (RFC 9111 section 3.1), and with a valid `Date`
  /// (RFC 9110 section 6.6.1).
  private static func storedHead(_ head: HTTPResponse, responseTime: Date) -> HTTPResponse {
    var stored = head
    let excluded = connectionFields(head.headerFields)
    stored.headerFields = HTTPFields()
    for field in head.headerFields where !excluded.contains(field.name.canonicalName) {
      stored.headerFields.append(field)
    }
    if stored.headerFields.date(.date, now: responseTime) == nil {
      stored.headerFields[.date] = HTTPDate.text(of: responseTime)
    }
    return stored
  }

  /// Returns the names of the fields that belong to a connection, in lowercase (RFC 9111 section 3.1).
  static func connectionFields(_ fields: HTTPFields) -> Set<String> {
    Set(fields.tokens(.connection)).union([
      "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
      "proxy-authorization", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ])
  }

  /// Returns the value of `Content-Length`; `nil` if it is missing or malformed.
  static func contentLength(_ fields: HTTPFields) -> Int64? {
    guard let text = fields[values: .contentLength].first else { return nil }
    var reader = FieldReader(text)
    reader.skipSpaces()
    guard let length = reader.number() else { return nil }
    reader.skipSpaces()
    return reader.isAtEnd ? Int64(length) : nil
  }

  /// Returns the ids of the stored responses that a new response to a request replaces: the responses that
  /// match the request, of which only the most recent may be used (RFC 9111 section 4).
  func replaced(
    by response: StoredResponse, to request: Request, among stored: [StoredResponse]
  ) -> [StoredResponse.ID] {
    stored.filter { $0.id != response.id && Self.matches($0, request.head) }.map(\.id)
  }

  /// The maximum number of variants (`Vary`) under one URL: each lookup compares all of them.
  private static let maximumVariants = 64

  /// Returns the ids of the oldest responses under a URL, to remove to make room for another.
  func excessVariants(of stored: [StoredResponse]) -> [StoredResponse.ID] {
    let count = stored.count - Self.maximumVariants + 1
    guard count > 0 else { return [] }
    return stored.sorted { Self.isOlder($0, $1) }.prefix(count).map(\.id)
  }

  /// Returns references to the URLs whose stored responses an unsafe request invalidates (RFC 9111 section
  /// 4.4).
  ///
  /// The empty string stands for the target; the other references are unresolved values of `Location` and
  /// `Content-Location`. The caller must ignore URLs with another origin than the target's. Empty for a safe
  /// method or an error.
  func invalidated(by head: HTTPResponse, to request: HTTPRequest) -> [String] {
    guard !Self.safeMethods.contains(request.method.rawValue), 200..<400 ~= head.status.code else {
      return []
    }
    let fields = head.headerFields
    return [""] + fields[values: .location] + fields[values: .contentLocation]
  }

  /// The methods that are registered as safe; any other method may change the server's state.
  private static let safeMethods: Set<String> = [
    "GET", "HEAD", "OPTIONS", "PROPFIND", "QUERY", "REPORT", "SEARCH", "TRACE",
  ]
}
