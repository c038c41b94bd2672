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
    form { fields }
  }

  /// Returns a body with the properties of a value as in an HTML form: see ``Query/init(encoding:dates:)``.
  public static func form(
    encoding value: some Encodable & Sendable,
    dates: JSONEncoder.DateEncodingStrategy = .iso8601
  ) -> RequestBody {
    form { try Query(encoding: value, dates: dates) }
  }

  private static func form(_ fields: @escaping @Sendable () throws -> Query) -> RequestBody {
    RequestBody(contentType: "application/x-www-form-urlencoded") { _ in
      OutgoingBody(Data(try fields().encoded.replacing("%20", with: "+").utf8))
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

extension RequestBody {
  /// Returns a body with the parts of a form with files (`multipart/form-data`, RFC 7578).
  ///
  /// Files and streams are read during the upload, and again for a retry. The length is known if the length
  /// of every part is known. Names and file names are sent as browsers do: in UTF-8, with `"`, CR and LF as
  /// `%22`, `%0D` and `%0A` (WHATWG HTML, "multipart/form-data encoding algorithm").
  ///
  /// A request with this body throws ``Client/Error/file(_:)`` for a missing file, before it is sent, and
  /// ``Client/Error/encoding(_:)`` for a part whose content type is not a media type.
  public static func multipart(_ form: MultipartForm) -> RequestBody {
    multipart(form, using: SystemRandomNumberGenerator())
  }

  /// Returns a body with the parts of a form, with a boundary from a generator: a seeded generator gives
  /// tests the same bytes each time.
  static func multipart(
    _ form: MultipartForm, using generator: some RandomNumberGenerator & Sendable
  ) -> RequestBody {
    RequestBody(
      contentType: "multipart/form-data",
      isStreamed: form.parts.contains { $0.content.body.isStreamed }
    ) { context in
      var generator = generator
      return try OutgoingBody(form, context, using: &generator)
    }
  }
}

extension OutgoingBody {
  fileprivate init(
    _ form: MultipartForm, _ context: RequestBody.Context,
    using generator: inout some RandomNumberGenerator
  ) throws {
    let parts = try form.parts.map { part in
      let body = try part.content.body.encode?(context) ?? OutgoingBody(Data())
      let contentType = body.contentType ?? part.content.body.contentType
      return (head: try part.head(contentType: contentType), body: body)
    }
    let boundary = Self.boundary(using: &generator)
    var pieces: [OutgoingBody] = []
    // Combines delimiters and small parts into one chunk.
    var small = Data()
    for (number, part) in parts.enumerated() {
      small += Data("\(number == 0 ? "" : "\r\n")--\(boundary)\r\n".utf8) + part.head
      if let data = part.body.data, data.count <= FileChunks.chunkSize, !part.body.isObserved {
        small += data
      } else {
        pieces += [OutgoingBody(small), part.body]
        small = Data()
      }
    }
    small += Data("\(parts.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8)
    let isSmall = pieces.isEmpty && small.count <= FileChunks.chunkSize
    self = isSmall ? OutgoingBody(small) : OutgoingBody(joining: pieces + [OutgoingBody(small)])
    contentType = "multipart/form-data; boundary=\(boundary)"
  }

  /// Returns the boundary between the parts of a form, which no part may contain (RFC 2046 section 5.1.1).
  ///
  /// With 142 random bits, no part contains it by chance.
  private static func boundary(using generator: inout some RandomNumberGenerator) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return "curlew-" + String((0..<24).compactMap { _ in letters.randomElement(using: &generator) })
  }

  /// Creates a body that concatenates other bodies, in chunks of at most a file's chunk size.
  private init(joining pieces: [OutgoingBody]) {
    var length: Int64? = 0
    for piece in pieces {
      let sum = piece.length.flatMap { length?.addingReportingOverflow($0) }
      length = sum.flatMap { $0.overflow ? nil : $0.partialValue }
    }
    self.init(length: length, isRepeatable: pieces.allSatisfy(\.isRepeatable)) {
      var pieces = pieces.makeIterator()
      var chunks: OutgoingBody.AsyncIterator?
      var rest = Data()
      return {
        while rest.isEmpty {
          if let chunk = try await chunks?.next() {
            rest = chunk
          } else if let piece = pieces.next() {
            chunks = piece.makeAsyncIterator()
          } else {
            return nil
          }
        }
        defer { rest = rest.dropFirst(FileChunks.chunkSize) }
        return rest.prefix(FileChunks.chunkSize)
      }
    }
  }
}

/// The content types of files.
enum FileType {
  /// The types that apps commonly upload, by file extension; the same on all platforms.
  private static let contentTypes = [
    "avif": "image/avif", "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip",
    "heic": "image/heic", "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg",
    "json": "application/json", "m4a": "audio/mp4", "md": "text/markdown", "mov": "video/quicktime",
    "mp3": "audio/mpeg", "mp4": "video/mp4", "pdf": "application/pdf", "png": "image/png",
    "svg": "image/svg+xml", "txt": "text/plain", "wav": "audio/wav", "webm": "video/webm",
    "webp": "image/webp", "xml": "application/xml", "zip": "application/zip",
  ]

  /// Returns the content type for a file name: `application/octet-stream` if its extension is not in the
  /// table.
  static func contentType(of fileName: String) -> String {
    let fileExtension = fileName.split(separator: ".", omittingEmptySubsequences: false)
      .dropFirst().last
    return contentTypes[fileExtension?.lowercased() ?? ""] ?? "application/octet-stream"
  }

  /// Returns whether a text is a media type (RFC 9110 section 8.3.1) of printable ASCII characters, and so
  /// contains no line break.
  static func isValid(_ contentType: String) -> Bool {
    contentType.utf8.allSatisfy { (0x20...0x7E).contains($0) } && MediaType(contentType) != nil
  }
}
