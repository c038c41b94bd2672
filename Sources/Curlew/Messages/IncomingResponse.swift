public import Foundation
public import HTTPTypes

/// The response to a request, whose body may still be arriving.
public struct IncomingResponse: Sendable {
  /// The response's status and header fields.
  public var head: HTTPResponse
  /// The body, after any content coding that the transport decoded.
  public var body: ResponseBody
  /// The request of this response; after redirects, the last request.
  public internal(set) var request: OutgoingRequest?
  /// Whether the transport decoded the body's content coding.
  ///
  /// Byte ranges and digests (RFC 9530) refer to the encoded body, not to these bytes.
  public var isDecoded = false
  /// The HTTP version of the response, such as `1.1` or `2`; `nil` if the transport does not report it.
  public var httpVersion: String?

  /// Returns the trailer fields (RFC 9110 section 6.5) when the body has been read to its end; `nil` if there are none, or
  /// the transport does not report them.
  public var trailers: @Sendable () -> HTTPFields? = { nil }

  /// Whether a header field's value may be bytes that are not UTF-8.
  package var hasOpaqueFields = false

  /// The total size of the header fields' names and values in bytes, if the transport has counted it.
  package var fieldsSize: Int?

  /// A function that verifies the complete file of a resumed download, whose last part is this body; `nil`
  /// for no check.
  ///
  /// It is called when the file is complete, if ``OutgoingRequest/checksWhole`` is `true`.
  public var checkWhole: (@Sendable (_ file: URL) async throws -> Void)?

  /// How the cache handled the request; `nil` without a cache.
  public internal(set) var cacheStatus: CacheStatus?
  /// The cache's part in the response.
  var cached = CacheFacts()

  /// Creates a response.
  public init(head: HTTPResponse, body: ResponseBody) {
    self.head = head
    self.body = body
  }
}

/// The cache's part in a response; without a cache, all properties are `nil` or `false`.
struct CacheFacts: Sendable {
  /// The date when the server sent the response or validated the stored response.
  var asOf: Date?
  /// The date when the request of this response was sent.
  var requestTime: Date?
  /// The identity of the response in the cache; `nil` if it is not completely stored.
  var storedID: UUID?
  /// The identity of the stored response that was served, possibly after a validation; `nil` for a new
  /// response.
  var servedID: UUID?
  /// Whether the served stored response is marked as outdated.
  var isServedOutdated = false
  /// Whether the response's account was removed from the cache, or its URL was invalidated, while the
  /// response was in flight.
  var isOutdated = false
}

extension IncomingResponse: Mirrored {
  var mirrorChildren: KeyValuePairs<String, Any> {
    [
      "status": head.status, "headerFields": Redaction().redacting(head.headerFields),
    ]
  }
}

extension IncomingResponse {
  /// Returns whether ``contents(for:)`` would return the body unchanged and without waiting.
  func isWhole(for request: OutgoingRequest) -> Bool {
    body.data.map { $0.count <= request.limits.bodySize && request.accepts(head.status) } ?? false
  }

  /// Returns the body of an accepted response, or the kept part of an error response's body.
  func contents(for request: OutgoingRequest) async throws(Client.Error) -> Data {
    guard request.accepts(head.status) else { return try await excerpt(for: request) }
    do {
      if body.data == nil, let length = announcedLength(of: request),
        length > request.limits.bodySize
      {
        throw ResponseBody.TooLong()
      }
      return try await body.collect(upTo: request.limits.bodySize)
    } catch {
      throw (self.request ?? request).failure(error)
    }
  }

  /// Returns the kept part of an error response's body; a lost connection is ignored, because the status is
  /// more informative.
  private func excerpt(for request: OutgoingRequest) async throws(Client.Error) -> Data {
    // Slightly more than the kept part, so that a secret at the cut is read completely and masked.
    let limit = Client.StatusFailure.keptBytes + 8 * 1024
    var data = Data()
    var pieces = body.makeAsyncIterator()
    do {
      while data.count < limit, let piece = try await pieces.next() { data += piece }
    } catch {
      if case .cancelled = request.failure(error), !request.hasRunOutOfTime { throw .cancelled }
    }
    return data.prefix(limit)
  }

  /// Returns whether and when the request may be retried; reads the body of a 403 or 429 whose header
  /// fields contain no wait.
  mutating func retryAdvice(
    for request: OutgoingRequest, now: Date
  ) async throws(Client.Error) -> RetryAdvice {
    let advice = RetryAdvice(head, body: nil, now: now)
    let isRefusal = head.status == .forbidden || head.status == .tooManyRequests
    guard isRefusal, advice.after == nil, !request.accepts(head.status) else { return advice }
    let contents = try await contents(for: request)
    body = ResponseBody(contents)
    return RetryAdvice(head, body: contents, now: now)
  }

  /// Returns the body's size from `Content-Length`; `nil` if the field is missing, or there is no body,
  /// such as after `HEAD`.
  private func announcedLength(of request: OutgoingRequest) -> Int? {
    let hasBody =
      request.head.method != .head && head.status != .noContent && head.status != .notModified
    // Not with the subscript: it would join all fields of the name, for each response.
    return hasBody
      ? head.headerFields.first { $0.name == .contentLength }.flatMap { Int($0.value) } : nil
  }

  /// Reads a short, unused body to its end, so that its connection can be reused.
  ///
  /// It reads at most 2 KiB, for at most 0.1 s: to read more, or wait longer, costs more than a new
  /// connection.
  public func finishShortBody(of request: OutgoingRequest) async {
    let length = head.headerFields[.contentLength].flatMap { Int($0) }
    guard let length, 1...2048 ~= length, let timers = request.call?.timers else { return }
    let reading = await StoppableTask.start { [body] in _ = try? await body.prefix(2048) }
    let timer = timers.start(after: .milliseconds(100), reading)
    await reading.value
    timers.stop(timer)
  }
}

extension IncomingResponse {
  /// Merges repeated fields, and rejects a response whose fields contradict each other, or whose content is a part that the
  /// request did not ask for.
  mutating func check(for request: HTTPRequest) throws(Client.TransportFailure) {
    if let name = head.headerFields.mergeEqualLines() {
      throw Client.TransportFailure(
        .protocolError, reason: "the response has several \(name) fields with different values")
    }
    guard head.status == .partialContent || head.status == .ok, request.method != .head,
      head.status == .partialContent
        || head.headerFields.contains(where: { $0.name == .contentRange }),
      !request.headerFields.contains(.range)
    else { return }
    // In a 200 the field has no meaning (RFC 9110 section 14.4), but servers that send it send only that part.
    let range = head.headerFields.contentRange
    guard range?.isWhole == false || range == nil && head.status == .partialContent else { return }
    throw Client.TransportFailure(
      .protocolError,
      reason:
        "the response is only a part (\(head.headerFields[.contentRange] ?? "206")), but the whole was requested"
    )
  }
}
