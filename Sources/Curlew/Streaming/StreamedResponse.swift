public import Foundation
public import HTTPTypes

/// A response whose body is read while it arrives.
///
/// It is an asynchronous sequence of chunks of the decompressed body, which can be iterated once. A reader
/// that is slower than the server slows the server down (back-pressure). The transfer ends when the
/// response and its iterator are released, or when the task that reads it is cancelled.
///
/// ```swift
/// let response = try await client.stream(.get("/export"))
/// for try await chunk in response { try file.write(contentsOf: chunk) }
/// ```
public struct StreamedResponse: AsyncSequence, Sendable {
  /// The response's status and header fields.
  public let head: HTTPResponse
  /// The trailer fields: see ``Response/trailers``; known at the end of the body.
  public var trailers: HTTPFields? { readTrailers() }
  private let readTrailers: @Sendable () -> HTTPFields?
  /// The cache status; `nil` without a cache.
  public let cacheStatus: CacheStatus?
  /// The request of this response: the last request, after redirects.
  let request: OutgoingRequest
  private let body: ResponseBody
  /// Reports the end of the call to observers; `nil` if there are no observers.
  private let end: CallEnd?

  /// - Parameter endsCall: Whether the call ends with this response.
  init(_ response: IncomingResponse, to request: OutgoingRequest, endsCall: Bool = false) {
    (head, cacheStatus) = (response.head, response.cacheStatus)
    (body, readTrailers) = (response.body, response.trailers)
    self.request = request
    end = endsCall && request.call?.observation != nil ? CallEnd(request) : nil
  }

  /// Ends a call when the last copy of its response and of its iterators is released.
  fileprivate final class CallEnd: Sendable {
    let request: OutgoingRequest

    init(_ request: OutgoingRequest) {
      self.request = request
    }

    deinit { request.report(.finished) }
  }

  /// The names in `Content-Encoding` that are no content coding: see ``Response/unknownCoding``.
  public var unknownCoding: String? { head.headerFields.unknownCoding }

  /// The URL that the response came from, after redirects, with secret query items masked.
  public var url: String { request.redaction.redacting(url: request.url) }

  /// The size of the body in bytes, from `Content-Length`; `nil` if the server did not send it, or the
  /// body is decompressed while it is read.
  public var length: Int64? { head.headerFields[.contentLength].flatMap { Int64($0) } }

  /// An iterator over the chunks of a response.
  struct Iterator: AsyncIteratorProtocol {
    private var chunks: ResponseBody.AsyncIterator
    private let request: OutgoingRequest
    private let end: CallEnd?
    private var count = 0

    fileprivate init(_ body: ResponseBody, of request: OutgoingRequest, _ end: CallEnd?) {
      chunks = body.makeAsyncIterator()
      self.request = request
      self.end = end
    }

    /// Returns the next chunk; `nil` at the end.
    ///
    /// - Throws: ``Client/Error/transport(_:)`` when the connection is lost; ``Client/Error/timeout(_:)``
    ///   when nothing arrives for ``Limits/idle``; ``Client/Error/tooLarge(_:)`` if the endpoint sets a
    ///   ``Limits/bodySize`` and the body exceeds it; ``Client/Error/cancelled``.
    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Client.Error) -> Data? {
      do {
        while let chunk = try await chunks.next() {
          if chunk.isEmpty { continue }
          count += chunk.count
          if count > request.limits.bodySize { throw ResponseBody.TooLong() }
          return chunk
        }
        end?.request.report(.finished)
        return nil
      } catch {
        let failure = request.failure(error)
        end?.request.report(.failed(failure))
        throw failure
      }
    }
  }

  /// Returns an iterator over the chunks.
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<Data, Client.Error>
    & SendableMetatype
  {
    iterator()
  }

  func iterator() -> Iterator { Iterator(body, of: request, end) }
}

extension StreamedResponse: Mirrored {
  var mirrorChildren: KeyValuePairs<String, Any> {
    [
      "status": head.status,
      "headerFields": request.redaction.redacting(head.headerFields, secretsOf: request.head),
      "url": url,
    ]
  }
}

extension StreamedResponse {
  /// The server-sent events of this one response, as they arrive; can be iterated once.
  ///
  /// For an API that streams the response to a request as events, such as the tokens of a language
  /// model. The end of the body ends the sequence; an incomplete event at the end is dropped.
  /// ``Client/events(_:policy:until:)`` reconnects.
  public var events: some AsyncSequence<ServerSentEvent, Client.Error> & Sendable {
    IteratorSequence { events(after: "") }
  }

  func events(after lastEventID: String) -> ParsedChunks<ServerSentEventParser> {
    ParsedChunks(
      self, ServerSentEventParser(lastEventID: lastEventID, limit: request.limits.eventSize))
  }
}

extension StreamedResponse {
  /// The lines of the body, as they arrive; can be iterated once.
  ///
  /// A line ends with LF, CR or CRLF. The last line needs no line ending. Invalid UTF-8 is replaced
  /// with U+FFFD, and a byte order mark at the start is removed. Iterating throws ``Client/Error``:
  /// ``Client/Error/tooLarge(_:)`` for a line that exceeds ``Limits/lineSize``.
  ///
  /// ```swift
  /// for try await line in try await client.stream(.get("/log")).lines { print(line) }
  /// ```
  public var lines: some AsyncSequence<String, Client.Error> & Sendable {
    IteratorSequence {
      Lines(bytes: ParsedChunks(self, LineSplitter(limit: request.limits.lineSize)))
    }
  }

  /// An iterator over the lines of a body.
  private struct Lines: AsyncIteratorProtocol {
    var bytes: ParsedChunks<LineSplitter>

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Client.Error) -> String? {
      try await bytes.next(isolation: actor).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}

extension Client {
  /// Sends an endpoint's request and returns when the head of the response has arrived; its body is read
  /// while it arrives.
  ///
  /// The request passes through the same middlewares as every other request. ``Limits/total`` applies
  /// until the head has arrived, and ``Limits/idle`` between two chunks. ``Limits/bodySize`` applies
  /// only if the endpoint sets it in ``Request/limits(_:)``. With `.retrying()`, a failure before the
  /// head is retried.
  ///
  /// - Throws: ``Client/Error``: ``Client/Error/status(_:)`` if the endpoint does not accept the
  ///   response's status.
  public func stream<E: Endpoint>(_ endpoint: E) async throws(Error) -> StreamedResponse {
    try await stream(endpoint, [:])
  }

  /// Decodes a part of a streamed response, off the caller's actor.
  @concurrent
  func decode<Value>(
    _ data: Data, _ decoding: ResponseDecoding<Value>, in response: StreamedResponse,
    line: Int? = nil
  ) async throws(Error) -> Value {
    try decode(data, decoding, in: response.head, of: response.request, line: line)
  }

  /// Sends the request of a stream, encoded off the caller's actor.
  ///
  /// - Parameter fields: The header fields to set unless the endpoint has its own; a `Last-Event-ID` is always set.
  @concurrent
  func stream<E: Endpoint>(
    _ endpoint: E, _ fields: HTTPFields
  ) async throws(Error) -> StreamedResponse {
    var request = try request(for: endpoint, isStreamed: true)
    let own = request.declaration.headerFields
    var merged = request.head.headerFields
    for field in fields where field.name == .lastEventID || !own.contains(field.name) {
      merged[field.name] = field.value
    }
    if !fields.isEmpty { request.head.headerFields = merged }
    return try await exchange(request, ends: .later) { response, sent in
      StreamedResponse(response, to: sent, endsCall: true)
    }
  }
}
