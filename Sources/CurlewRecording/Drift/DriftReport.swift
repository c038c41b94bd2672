import Curlew
public import HTTPTypes

/// A report of the changes in an API's responses between two recordings.
///
/// For each endpoint in both recordings, it lists the coding paths that appeared, disappeared, or changed their type or
/// nullability. Such changes may make a `Decodable` type fail, or offer new data.
///
/// ```swift
/// let report = DriftReport(from: try HAR(contentsOf: old), to: try HAR(contentsOf: new))
/// print(report)
/// // GET api.themoviedb.org/3/movie/now_playing
/// //   results[].overview: sometimes null, was never null
/// //   results[].vote_average: number, was integer
/// ```
///
/// All responses of an endpoint are merged, and so are all elements of an array. Successful responses are compared with
/// each other, error bodies with error bodies of the same status. Missing evidence is not a change: an empty array has
/// no element types, `null` has no type, and a 304 has no body. The order of exchanges and of keys does not matter. All
/// values of a repeated key count, because decoders differ in which value they use.
///
/// A body is JSON if it parses as JSON, regardless of its `Content-Type`. A body with more than 512 levels of nesting
/// is not, because Foundation's decoder rejects it. Creating a report takes linear time in the size of the recordings.
///
/// A report depends on the recorded responses: the fewer responses an endpoint has, the more of its reported changes
/// are mere differences between two responses. Keys that are data, not names, are recognized only if they are
/// identifiers, as in ``Endpoint/path``; they are reported as `{id}`, and their set is not compared. Other such keys,
/// such as logins, are reported as paths that appear and disappear.
public struct DriftReport: Sendable, Hashable, Codable {
  /// The changes, sorted by endpoint and coding path.
  public let changes: [Change]
  /// The endpoints in both recordings, sorted alphabetically.
  public let endpoints: [Endpoint]
  /// The endpoints only in the old recording.
  public let endpointsOnlyInOld: [Endpoint]
  /// The endpoints only in the new recording.
  public let endpointsOnlyInNew: [Endpoint]

  /// Compares two recordings.
  public init(from old: HAR, to new: HAR) {
    let (before, after) = (
      RecordedResponses.byEndpoint(of: old), RecordedResponses.byEndpoint(of: new)
    )
    endpoints = before.keys.filter { after[$0] != nil }.sorted()
    endpointsOnlyInOld = before.keys.filter { after[$0] == nil }.sorted()
    endpointsOnlyInNew = after.keys.filter { before[$0] == nil }.sorted()
    changes = endpoints.flatMap { endpoint -> [Change] in
      guard let before = before[endpoint], let after = after[endpoint] else { return [] }
      return before.changes(to: after, of: endpoint)
    }
  }

  /// A method and path of a host, by which responses are compared.
  public struct Endpoint: Sendable, Hashable, Codable {
    /// The requests' method.
    public let method: String
    /// The host, and the port unless it is the scheme's default.
    ///
    /// The port of a server on the local machine is omitted, too, because it changes with each run.
    public let host: String
    /// The percent-encoded path, without a query and a trailing slash.
    ///
    /// Identifier segments are written as `{id}`, so that `/movie/11` and `/movie/12` are the same endpoint.
    /// Identifiers are numbers (except in the first segment, which may be a version) and texts of at least 24
    /// hexadecimal digits and hyphens, such as UUIDs and hashes.
    public let path: String

    /// Creates the endpoint of a request.
    public init(_ method: HTTPRequest.Method, _ url: String) {
      let resource = RecordedURL(url).resource
      self.method = method.rawValue
      host = resource.authority.replacing(/^(127\.0\.0\.1|\[::1\]|localhost):[0-9]+$/) {
        $0.output.1
      }
      var segments = resource.segments
      if segments.last?.isEmpty == true { segments.removeLast() }
      path =
        "/"
        + segments.enumerated().map { index, segment in
          let text = String(decoding: segment, as: UTF8.self)
          if index > 0, text.isIdentifier { return "{id}" }
          var encoded = ""
          PercentEncoding.pathText.append(text, to: &encoded)
          return encoded.replacing("/", with: "%2F")
        }.joined(separator: "/")
    }
  }
}

extension DriftReport.Endpoint: Comparable {
  /// Returns whether an endpoint sorts before another: by host, path and method.
  public static func < (one: Self, other: Self) -> Bool {
    (one.host, one.path, one.method) < (other.host, other.path, other.method)
  }
}

extension String {
  /// Whether the text is an identifier: a number, a UUID or a hash.
  var isIdentifier: Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    if !isEmpty, utf8.allSatisfy(digits.contains) { return true }
    return utf8.count >= 24
      && utf8.allSatisfy { byte in
        digits.contains(byte) || byte == UInt8(ascii: "-")
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
      }
  }
}
