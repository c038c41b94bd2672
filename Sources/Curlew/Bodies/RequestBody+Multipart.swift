import Foundation

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
