/// The content codings that a client accepts, as far as they matter here (RFC 9110 section 12.5.3).
///
/// gzip is the only coding of pages and assets: every browser accepts it, and a second one would
/// double what is stored and cached.
struct AcceptEncoding: Sendable, Equatable {
  /// Whether the response should be compressed with gzip.
  let acceptsGzip: Bool

  /// Parses the value of the header field `Accept-Encoding`.
  ///
  /// Without one, nothing is compressed: RFC 9110 would allow it, but such clients are the ones that
  /// can't decompress. An element whose weight is malformed counts as not accepted. Only the
  /// first 1,000 characters count.
  init(_ value: String?) {
    let weights = Dictionary(WeightedValues(value).elements) { _, last in last }
    let gzip = weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? 0
    acceptsGzip = gzip > 0 && gzip >= weights["identity", default: 0]
  }
}
