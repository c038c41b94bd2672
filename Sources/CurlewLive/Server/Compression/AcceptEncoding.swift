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
    var weights: [String: Double] = [:]
    for element in (value ?? "").prefix(1_000).split(separator: ",") {
      let parts = element.split(separator: ";", maxSplits: 1)
      guard let name = parts.first.map(Self.token) else { continue }
      weights[name] = parts.count == 2 ? Self.weight(Self.token(parts[1])) : 1
    }
    let gzip = weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? 0
    acceptsGzip = gzip > 0 && gzip >= weights["identity", default: 0]
  }

  private static func token(_ text: some StringProtocol) -> String {
    text.lowercased().filter { $0 != " " && $0 != "\t" }
  }

  /// Returns the value of `q=0.5`, which is at most 1 and has at most three decimals.
  private static func weight(_ parameter: String) -> Double {
    let number = parameter.dropFirst(2)
    let decimals = number.dropFirst(2)
    let isOne = number.hasPrefix("1")
    guard parameter.hasPrefix("q="), isOne || number.hasPrefix("0"),
      number.count == 1 || number.dropFirst().first == ".", decimals.count <= 3,
      decimals.allSatisfy({ isOne ? $0 == "0" : "0"..."9" ~= $0 })
    else { return 0 }
    // A number may end with its point there, as in "q=1.", but not in Swift.
    return Double(parameter.dropFirst(2) + (parameter.contains(".") ? "0" : "")) ?? 0
  }
}
