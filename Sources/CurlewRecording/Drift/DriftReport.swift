import Curlew
public import HTTPTypes

/// How the responses of an API changed between two recordings.
///
/// For each endpoint that both recordings have, it lists the coding paths that appeared, disappeared, or
/// changed their type or nullability: what may make a `Decodable` type fail, or has something new for it.
///
/// ```swift
/// let report = DriftReport(from: try HAR(contentsOf: old), to: try HAR(contentsOf: new))
/// print(report)
/// // GET api.themoviedb.org/3/movie/now_playing
/// //   results[].overview: sometimes null, was never null
/// //   results[].vote_average: number, was integer
/// ```
///
/// All responses of an endpoint are merged, and so are all elements of an array. Successful responses are
/// compared with each other, error bodies with those of the same status. Nothing is claimed without
/// evidence: an empty array says nothing about its elements, `null` nothing about what it stands for, a
/// 304 nothing about the body. The order of exchanges and of keys does not matter, and what a repeated key
/// means is left to decoders: all its values count.
///
/// A body is JSON when it can be read as such, whatever its `Content-Type` is. One with more than 512
/// levels is not, because Foundation's decoder rejects it. The time that a report takes is linear in the
/// size of the recordings.
///
/// A report knows only what was recorded: the fewer responses an endpoint has, the more of its changes are
/// differences between two responses. An object whose keys are data, not names, is recognised only where
/// the keys are identifiers, as in ``Request/path``; they are written as `{id}`, and which of them exist
/// does not matter. Other such keys, such as logins, are reported as paths that appear and disappear.
public struct DriftReport: Sendable, Hashable, Codable {
  /// What changed, by endpoint and coding path in alphabetical order.
  public let changes: [Change]
  /// The endpoints that both recordings have, in alphabetical order.
  public let endpoints: [Endpoint]
  /// The endpoints that only the old recording has.
  public let endpointsOnlyInOld: [Endpoint]
  /// The endpoints that only the new recording has.
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

  /// A method and a path of a host: what is compared.
  public struct Endpoint: Sendable, Hashable, Codable {
    /// The requests' method.
    public let method: String
    /// The host, followed by the port unless it is the scheme's default, or that of a server on this
    /// machine, which differs each time.
    public let host: String
    /// The path, percent-encoded, without a query and a trailing slash.
    ///
    /// Segments that are identifiers are written as `{id}`, so that `/movie/11` and `/movie/12` are one
    /// endpoint: numbers, except for the first segment, which may be a version, and at least 24 hexadecimal
    /// digits and hyphens, such as UUIDs and hashes.
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
  /// Returns whether an endpoint comes before another: by host, path and method.
  public static func < (one: Self, other: Self) -> Bool {
    (one.host, one.path, one.method) < (other.host, other.path, other.method)
  }
}

extension String {
  /// Whether the text identifies one thing among many of its kind: a number, a UUID or a hash.
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
