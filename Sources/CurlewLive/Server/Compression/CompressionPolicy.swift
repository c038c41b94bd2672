import NIOHTTP1

/// Decides whether the response to one request is compressed, and adjusts its header fields.
///
/// The decision is made when the response begins, so the policy keeps the request's header fields
/// until then.
struct CompressionPolicy {
  /// Whether the request is a `HEAD`, whose response has no content.
  let isHead: Bool
  private let acceptsGzip: Bool
  private let ifNoneMatch: IfNoneMatch

  private static let types: Set = [
    "text/html", "text/css", "text/javascript", "text/plain", "application/json", "image/svg+xml",
    eventStream,
  ]
  private static let eventStream = "text/event-stream"
  /// The header fields that depend on the exact bytes of the content: its coding, range or digest.
  private static let descriptions = [
    "content-encoding", "content-range", "content-digest", "repr-digest",
  ]

  /// Creates a policy for the response to a request.
  init(_ request: HTTPRequestHead) {
    isHead = request.method == .HEAD
    // HTTP/1.0 has no chunked transfer coding, which compressed streams need.
    acceptsGzip =
      request.version == .http1_1
      && AcceptEncoding(request.headers.joined("accept-encoding")).acceptsGzip
    ifNoneMatch = IfNoneMatch(request.headers.joined("if-none-match"))
  }

  /// Returns whether a response should be compressed, and sets its header fields accordingly.
  ///
  /// Of the streams of unknown length, only event streams are compressed, because their parts are
  /// complete events. Any other stream would have to be flushed after each part, and a stream that
  /// shrinks to almost nothing would get no back-pressure from a slow reader.
  ///
  /// A strong entity tag becomes weak. The two codings must not share a strong tag (RFC 9110
  /// section 8.8.3), and the application would not know a different tag, so it could never respond
  /// with 304. A weak tag is accurate: the content is equivalent, but its bytes differ.
  func compresses(_ response: inout HTTPResponseHead) -> Bool {
    if response.status == .notModified {
      adjustNotModified(&response.headers)
      return false
    }
    guard response.status.mayHaveResponseBody, canCompress(response.headers) else { return false }
    response.headers.addVary("Accept-Encoding")
    let length = response.headers.first(name: "content-length").flatMap(Int.init)
    guard acceptsGzip,
      length.map(Gzip.lengths.contains) ?? (mediaType(of: response.headers) == Self.eventStream)
    else { return false }
    response.headers.remove(name: "content-length")
    response.headers.add(name: "Content-Encoding", value: "gzip")
    weakenTag(&response.headers)
    return true
  }

  private func canCompress(_ headers: HTTPHeaders) -> Bool {
    Self.types.contains(mediaType(of: headers))
      && !headers[canonicalForm: "cache-control"].contains { $0.lowercased() == "no-transform" }
      && !Self.descriptions.contains { headers.contains(name: $0) }
  }

  private func mediaType(of headers: HTTPHeaders) -> String {
    let type = headers.first(name: "content-type")?.prefix { $0 != ";" } ?? ""
    return type.lowercased().filter { $0 != " " }
  }

  /// Gives a 304 response the header fields of the compressed response (RFC 9110 section 15.4.5),
  /// so that caches find it.
  private func adjustNotModified(_ headers: inout HTTPHeaders) {
    guard acceptsGzip, let tag = headers.first(name: "etag"), ifNoneMatch.weakens(tag) else {
      return
    }
    weakenTag(&headers)
    headers.addVary("Accept-Encoding")
  }

  private func weakenTag(_ headers: inout HTTPHeaders) {
    guard let tag = headers.first(name: "etag"), tag.hasPrefix("\"") else { return }
    headers.replaceOrAdd(name: "ETag", value: "W/\(tag)")
  }
}

extension HTTPHeaders {
  /// Returns the values of a header field as one list; `nil` if there are none.
  fileprivate func joined(_ name: String) -> String? {
    let values = self[name]
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  fileprivate mutating func addVary(_ name: String) {
    let names = self[canonicalForm: "vary"].map { $0.lowercased() }
    guard !names.contains("*"), !names.contains(name.lowercased()) else { return }
    add(name: "Vary", value: name)
  }
}
