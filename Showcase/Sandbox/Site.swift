import Foundation
import HTTPTypes
import Hummingbird

/// A look-alike of one server, without latency and log.
protocol Site: Sendable {
  func response(to request: SiteRequest) -> Response
}

/// A request with everything that its response depends on.
struct SiteRequest: Sendable {
  let request: Request
  let query: Query
  /// The sandbox's own base URL.
  let home: String
  /// The options at the moment of the response.
  let options: Sandbox.Options
  let now: Date
  /// The visitor whose options they are; `nil` for those of all.
  let visitor: String?
  /// The content of the request.
  var body = Data()
  /// What the path has at the names of its route.
  var parameters: [String: String] = [:]

  var method: HTTPRequest.Method { request.method }
  /// The path as it arrived, percent-encoded.
  var path: String { request.uri.path }
  var headers: HTTPFields { request.headers }

  /// The decoded segments of the path; nil when an escape is malformed.
  var segments: [String]? {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map(\.removingPercentEncoding)
    return segments.contains(nil) ? nil : segments.compactMap(\.self)
  }

  /// The base of links in header fields: the client's name for us, unless it could break a field.
  var base: String {
    guard let host = request.head.authority, host.wholeMatch(of: /[A-Za-z0-9.\-_:\[\]]+/) != nil
    else { return home }
    return "http://\(host)"
  }
}

/// A path pattern with the function that responds: `/repos/:owner/:name` or `/covers/:id.svg`.
struct Route<Site>: Sendable {
  typealias Handler = @Sendable (Site) -> (SiteRequest) throws(Response) -> Response

  private let segments: [Substring]
  fileprivate let method: HTTPRequest.Method
  fileprivate let handler: Handler

  init(_ pattern: String, method: HTTPRequest.Method = .get, _ handler: @escaping Handler) {
    self.method = method
    segments = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(
      \.self)
    self.handler = handler
  }

  /// The values of the pattern's names; nil when a path does not match.
  fileprivate func parameters(in path: [String]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (pattern, segment) in zip(segments, path) {
      // A name may have text before it, and a file's extension after it.
      let parts = pattern.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        if segment != pattern { return nil }
        continue
      }
      let name = parts[1].prefix { $0 != "." }
      let end = parts[1][name.endIndex...]
      guard segment.hasPrefix(parts[0]), segment.hasSuffix(end) else { return nil }
      parameters[String(name)] = String(segment.dropFirst(parts[0].count).dropLast(end.count))
    }
    return parameters
  }
}

extension Site {
  /// Responds with the first route that matches; nil when none does, or not to this method.
  func response(to request: SiteRequest, _ routes: [Route<Self>]) -> Response? {
    let method: HTTPRequest.Method = request.method == .head ? .get : request.method
    guard let segments = request.segments else { return nil }
    for route in routes where route.method == method {
      guard let parameters = route.parameters(in: segments) else { continue }
      var request = request
      request.parameters = parameters
      do { return try route.handler(self)(request) } catch { return error }
    }
    return nil
  }
}
