/// The content codings that a client accepts, reduced to gzip (RFC 9110 section 12.5.3).
///
/// gzip is the only coding of pages and assets: every browser accepts it, and a second coding would
/// double the stored and cached data.
struct AcceptEncoding: Sendable, Equatable {
  /// Whether the response should be compressed with gzip.
  let acceptsGzip: Bool

  /// Creates the accepted codings from the value of the header field `Accept-Encoding`.
  ///
  /// Without the field, nothing is compressed: RFC 9110 allows it, but in practice, clients that
  /// don't send the field can't decompress. An element with a malformed weight counts as not
  /// accepted. Only the first 1,000 characters count.
  init(_ value: String?) {
    let weights = Dictionary(WeightedValues(value).elements) { _, last in last }
    let gzip = weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? 0
    acceptsGzip = gzip > 0 && gzip >= weights["identity", default: 0]
  }
}
