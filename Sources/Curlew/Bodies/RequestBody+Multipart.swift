import Foundation

extension RequestBody {
  /// Returns a body with the parts of a form with files (`multipart/form-data`, RFC 7578).
  ///
  /// Files and streams are read while they are sent, and again for a retry. The length is known if that
  /// of every part is. Names and file names are sent as browsers do: in UTF-8, with `"`, CR and LF as
  /// `%22`, `%0D` and `%0A` (WHATWG HTML, "multipart/form-data encoding algorithm").
  ///
  /// Sending it throws ``Client/Error/file(_:)`` for a missing file, before anything is sent, and
  /// ``Client/Error/encoding(_:)`` for a part whose content type is not a media type.
  public static func multipart(_ form: MultipartForm) -> RequestBody {
    multipart(form, using: SystemRandomNumberGenerator())
  }

  /// Returns a body with the parts of a form, whose boundary comes from a generator: with a seeded one,
  /// a test sees the same bytes each time.
  package static func multipart(
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
    // The delimiters, and parts of a few bytes, are sent together.
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

  /// Returns the text that separates the parts of a form, which none of them may contain (RFC 2046
  /// section 5.1.1): one of 142 random bits is in none.
  private static func boundary(using generator: inout some RandomNumberGenerator) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return "curlew-" + String((0..<24).compactMap { _ in letters.randomElement(using: &generator) })
  }

  /// Creates a body of others, one after the other, in chunks that are as small as those of a file.
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
