import Foundation
public import HTTPTypes

/// The response to a request, whose body may still be arriving.
public struct IncomingResponse: Sendable {
  /// Status and header fields.
  public var head: HTTPResponse
  /// The body, after any content coding that the transport decoded.
  public var body: ResponseBody
  /// The request that this responds to: the last one, after redirects.
  var request: OutgoingRequest?

  /// Creates a response.
  public init(head: HTTPResponse, body: ResponseBody) {
    self.head = head
    self.body = body
  }
}

extension IncomingResponse: CustomReflectable {
  /// Shows the status and the header fields, with masks for those that are secret by default.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "status": head.status, "headerFields": Redaction().redacting(head.headerFields),
      ], displayStyle: .struct)
  }
}

extension IncomingResponse {
  /// Reads the body as the client would: all of an accepted response, of an error as much as is kept and
  /// came.
  func contents(for request: OutgoingRequest) async throws(Client.Error) -> Data {
    guard request.accepts(head.status) else { return try await excerpt(for: request) }
    do {
      if let length = announcedLength(of: request), length > request.limits.bodySize {
        throw ResponseBody.TooLong()
      }
      return try await body.collect(upTo: request.limits.bodySize)
    } catch {
      throw (self.request ?? request).failure(error)
    }
  }

  /// Reads of an error's body what is kept; where it breaks off, the status says more than the loss.
  private func excerpt(for request: OutgoingRequest) async throws(Client.Error) -> Data {
    // A little more than is kept, so that a secret at the cut is seen as a whole and masked.
    let most = Client.StatusFailure.keptBytes + 8 * 1024
    var data = Data()
    var pieces = body.makeAsyncIterator()
    do {
      while data.count < most, let piece = try await pieces.next() { data += piece }
    } catch {
      if case .cancelled = request.failure(error), !request.hasRunOutOfTime { throw .cancelled }
    }
    return data.prefix(most)
  }

  /// Returns what this response means for sending its request again; reads the body of a refusal whose
  /// head gives no reason.
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

  /// How many bytes of a body the head announces; `nil` where there is none, as after `HEAD`, or where
  /// it doesn't say.
  private func announcedLength(of request: OutgoingRequest) -> Int? {
    let hasBody =
      request.head.method != .head && head.status != .noContent && head.status != .notModified
    return hasBody ? head.headerFields[.contentLength].flatMap { Int($0) } : nil
  }

  /// Reads a short body to its end when nobody wants it, so that its connection serves the next
  /// request.
  ///
  /// Up to 2 KiB, for up to 0.1 s: what is longer, or comes later, costs more than a new connection.
  func finishShortBody(of request: OutgoingRequest) async {
    let length = head.headerFields[.contentLength].flatMap { Int($0) }
    guard let length, 1...2048 ~= length, let timers = request.call?.timers else { return }
    let reading = await StoppableTask.start { [body] in _ = try? await body.prefix(2048) }
    let timer = timers.start(until: timers.clock.now + .milliseconds(100), reading)
    await reading.value
    timers.stop(timer)
  }
}
