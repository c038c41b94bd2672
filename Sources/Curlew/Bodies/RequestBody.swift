public import Foundation

/// The body of a request.
public struct RequestBody: Sendable {
  /// The client's values that an encoding may need.
  struct Context {
    let jsonEncoder: JSONEncoder
    /// The time on the client's clock.
    let now: @Sendable () -> Duration
  }

  /// The body's `Content-Type`; `nil` for no such field.
  ///
  /// The content type of ``multipart(_:)`` has no boundary yet: it is chosen when the form is sent.
  let contentType: String?
  /// Whether the body is read during the upload, and so may be large.
  var isStreamed = false

  /// A function that encodes the body, called once for each request; `nil` for no body.
  let encode: (@Sendable (Context) throws -> OutgoingBody)?

  /// No body.
  public static let none = RequestBody(contentType: nil, encode: nil)

  /// Returns a body with a value as JSON, encoded by the client's `jsonEncoder`.
  public static func json(_ value: some Encodable & Sendable) -> RequestBody {
    RequestBody(contentType: "application/json") {
      OutgoingBody(try $0.jsonEncoder.encode(value))
    }
  }

  /// Returns a body with names and values as in an HTML form (`application/x-www-form-urlencoded`): a
  /// space becomes `+` (WHATWG URL section 5.2).
  public static func form(_ fields: Query) -> RequestBody {
    RequestBody(contentType: "application/x-www-form-urlencoded") { _ in
      OutgoingBody(Data(fields.encoded.replacing("%20", with: "+").utf8))
    }
  }

  /// Returns a body of bytes.
  public static func data(
    _ data: Data, contentType: String = "application/octet-stream"
  ) -> RequestBody {
    RequestBody(contentType: contentType) { _ in OutgoingBody(data) }
  }

  /// Returns a body that is read from a file during the upload.
  ///
  /// The file is opened for each attempt. The request throws ``Client/Error/file(_:)`` if the file can't be
  /// read, or its size changes during the upload.
  public static func file(
    _ file: URL, contentType: String = "application/octet-stream"
  ) -> RequestBody {
    RequestBody(contentType: contentType, isStreamed: true) { _ in try OutgoingBody(file: file) }
  }

  /// Returns a body whose chunks come from an asynchronous sequence during the upload.
  ///
  /// - Parameters:
  ///   - length: The number of bytes; `nil` if it is unknown. Then HTTP/1.1 sends the body in chunks (RFC
  ///     9112 section 7.1), which some servers reject.
  ///   - contentType: The media type.
  ///   - makeChunks: Returns the sequence. It is called for each attempt, also after a redirect, a retry or a
  ///     new token.
  public static func stream<Chunks: AsyncSequence & SendableMetatype>(
    length: Int64? = nil, contentType: String = "application/octet-stream",
    _ makeChunks: @escaping @Sendable () throws -> Chunks
  ) -> RequestBody where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
    RequestBody(contentType: contentType, isStreamed: true) { _ in
      OutgoingBody(length: length) {
        var iterator = try makeChunks().makeAsyncIterator()
        return { try await iterator.next(isolation: #isolation) }
      }
    }
  }

  /// Returns a body whose chunks come from an asynchronous sequence that can be iterated only once: the
  /// request is not retried, and a redirect that resends the body fails.
  public static func stream<Chunks: AsyncSequence & Sendable>(
    once chunks: Chunks, length: Int64? = nil, contentType: String = "application/octet-stream"
  ) -> RequestBody where Chunks.Element == Data {
    RequestBody(contentType: contentType, isStreamed: true) { _ in
      OutgoingBody(length: length, isRepeatable: false) {
        var iterator = chunks.makeAsyncIterator()
        return { try await iterator.next(isolation: #isolation) }
      }
    }
  }

  /// Returns this body with a function that receives the progress of its upload.
  ///
  /// The function is called at most ten times a second, and at the end. After a retry or a redirect, the
  /// progress starts again at zero.
  public func onProgress(_ report: @escaping @Sendable (TransferProgress) -> Void) -> RequestBody {
    guard let encode else { return self }
    return RequestBody(contentType: contentType, isStreamed: isStreamed) { context in
      try encode(context).reportingProgress(now: context.now, report)
    }
  }
}

extension OutgoingBody {
  fileprivate func reportingProgress(
    now: @escaping @Sendable () -> Duration,
    _ report: @escaping @Sendable (TransferProgress) -> Void
  ) -> OutgoingBody {
    var copy = self
    copy.observer = { [length, observer] in
      var meter = ProgressMeter(total: length, now: now())
      let others = observer?()
      return { count, isLast in
        others?(count, isLast)
        if let progress = meter.add(count, isLast: isLast, now: now()) { report(progress) }
      }
    }
    return copy
  }
}
