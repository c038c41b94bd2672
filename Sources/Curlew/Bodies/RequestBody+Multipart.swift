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
    let boundary = MultipartBoundary(
      notIn: parts.flatMap { [$0.head, $0.body.data ?? Data()] }, using: &generator)
    var pieces = Pieces()
    for (number, part) in parts.enumerated() {
      pieces.append(Data("\(number == 0 ? "" : "\r\n")--\(boundary)\r\n".utf8) + part.head)
      pieces.append(part.body)
    }
    pieces.append(Data("\(parts.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8))
    self = pieces.joined()
    contentType = "multipart/form-data; boundary=\(boundary)"
  }

  /// The delimiters and the parts of a form: most are a few bytes, and are sent together.
  private struct Pieces {
    /// A form up to this size is sent in one chunk, if it is in memory.
    private static let smallSize = 64 * 1024

    private var pieces: [OutgoingBody] = []
    /// What is not among the pieces yet.
    private var small = Data()

    mutating func append(_ data: Data) {
      if small.count + data.count > Self.smallSize { flush() }
      small += data
    }

    mutating func append(_ piece: OutgoingBody) {
      if let data = piece.data, data.count <= Self.smallSize, piece.observer == nil {
        return append(data)
      }
      flush()
      pieces.append(piece)
    }

    private mutating func flush() {
      if !small.isEmpty { pieces.append(OutgoingBody(small)) }
      small = Data()
    }

    consuming func joined() -> OutgoingBody {
      flush()
      return pieces.count == 1 && pieces[0].data != nil ? pieces[0] : OutgoingBody(joining: pieces)
    }
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
