package import Foundation
public import HTTPTypes

/// The response to a request, whose body may still be arriving.
public struct IncomingResponse: Sendable {
  /// The response's status and header fields.
  public var head: HTTPResponse
  /// The body, after any content coding that the transport decoded.
  public var body: ResponseBody
  /// The request that this is the response to: the last one, after redirects.
  package var request: OutgoingRequest?
  /// Whether the transport decoded the body's content coding.
  ///
  /// Byte ranges and digests (RFC 9530) refer to the encoded body, not to these bytes.
  public var isDecoded = false
  /// The version of HTTP that the response came in, such as `1.1` or `2`; `nil` where the transport does not
  /// tell.
  public var httpVersion: String?

  /// The number of bytes of the header fields' names and values, if the transport has counted them.
  package var fieldsSize: Int?

  /// A function that checks the file of which the body is the last part, or `nil`.
  ///
  /// Called when the file is complete, if the request ``OutgoingRequest/checksWhole``.
  package var checkWhole: (@Sendable (_ file: URL) async throws -> Void)?

  /// What the cache did; `nil` without a cache.
  public internal(set) var cacheStatus: CacheStatus?
  /// When the server sent the response, or validated the stored one; `nil` without a cache.
  package internal(set) var asOf: Date?

  /// The identity of the response in the cache; `nil` if it is not there as a whole.
  var storedID: UUID?

  /// The identity of the stored response that was served, possibly after a validation; `nil` for a new one.
  var servedID: UUID?
  /// Whether that one is known to be out of date.
  var isServedOutdated = false
  /// When the request left that the response is to; `nil` without a cache.
  var requestTime: Date?

  /// Whether its account was removed from the cache, or its URL invalidated, while it was on its way.
  var isOutdated = false

  /// Creates a response.
  public init(head: HTTPResponse, body: ResponseBody) {
    self.head = head
    self.body = body
  }
}

extension IncomingResponse: Mirrored {
  package var mirrorChildren: KeyValuePairs<String, Any> {
    [
      "status": head.status, "headerFields": Redaction().redacting(head.headerFields),
    ]
  }
}

extension IncomingResponse {
  /// Whether ``contents(for:)`` would return the body as it is.
  func isWhole(for request: OutgoingRequest) -> Bool {
    body.data.map { $0.count <= request.limits.bodySize && request.accepts(head.status) } ?? false
  }

  /// Returns the body of an accepted response, or the part of an error's body that is kept.
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

  /// Returns the part of an error's body that is kept; a lost connection is ignored, because the status
  /// says more.
  private func excerpt(for request: OutgoingRequest) async throws(Client.Error) -> Data {
    // A little more than is kept, so that a secret at the cut is read completely and masked.
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

  /// Returns whether and when the request may be retried; reads the body of a 403 or 429 whose head
  /// doesn't say when.
  mutating func retryAdvice(
    for request: OutgoingRequest, now: Date
  ) async throws(Client.Error) -> RetryAdvice {
    let advice = RetryAdvice(head, message: nil, now: now)
    let isRefusal = head.status == .forbidden || head.status == .tooManyRequests
    guard isRefusal, advice.after == nil, !request.accepts(head.status) else { return advice }
    let contents = try await contents(for: request)
    body = ResponseBody(contents)
    return RetryAdvice(head, message: Client.StatusFailure.message(in: contents), now: now)
  }

  /// Returns the body's size from `Content-Length`; `nil` if the field is missing, or there is no body,
  /// as after `HEAD`.
  private func announcedLength(of request: OutgoingRequest) -> Int? {
    let hasBody =
      request.head.method != .head && head.status != .noContent && head.status != .notModified
    // Not by a subscript, which joins all fields of a name, for each response.
    return hasBody
      ? head.headerFields.first { $0.name == .contentLength }.flatMap { Int($0.value) } : nil
  }

  /// Reads a short, unused body to its end, so that its connection can be reused.
  ///
  /// At most 2 KiB, for at most 0.1 s: to read more, or wait longer, costs more than a new connection.
  package func finishShortBody(of request: OutgoingRequest) async {
    let length = head.headerFields[.contentLength].flatMap { Int($0) }
    guard let length, 1...2048 ~= length, let timers = request.call?.timers else { return }
    let reading = await StoppableTask.start { [body] in _ = try? await body.prefix(2048) }
    let timer = timers.start(after: .milliseconds(100), reading)
    await reading.value
    timers.stop(timer)
  }
}
