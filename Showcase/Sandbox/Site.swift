import Foundation
import HTTPTypes
import Hummingbird

/// A simulated server, without latency and log.
protocol Site: Sendable {
  func response(to request: SiteRequest) -> Response
}

/// A request with all inputs for its response.
struct SiteRequest: Sendable {
  let request: Request
  let query: Query
  /// The sandbox's own base URL.
  let home: String
  /// The options when the response is created.
  let options: Sandbox.Options
  let now: Date
  /// The visitor whose own options apply; `nil` for the options of all.
  let visitor: String?
  /// The user whose token the request has; `nil` without a token.
  var user: GitHub.User?
  /// The body of the request.
  var body = Data()
  /// The values of the route's path parameters.
  var parameters: [String: String] = [:]

  var method: HTTPRequest.Method { request.method }
  /// The path of the request, percent-encoded.
  var path: String { request.uri.path }
  var headers: HTTPFields { request.headers }

  /// The decoded path segments; nil if percent-encoding is malformed.
  var segments: [String]? {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map(\.removingPercentEncoding)
    return segments.contains(nil) ? nil : segments.compactMap(\.self)
  }

  /// The base URL for links in header fields: the requested host, unless it could inject into a
  /// field.
  var base: String {
    guard let host = request.head.authority, host.wholeMatch(of: /[A-Za-z0-9.\-_:\[\]]+/) != nil
    else { return home }
    return "http://\(host)"
  }
}

/// A path pattern with its handler, such as `/repos/:owner/:name` or `/covers/:id.svg`.
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

  /// Returns the values of the pattern's parameters; nil if the path doesn't match.
  fileprivate func parameters(in path: [String]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (pattern, segment) in zip(segments, path) {
      // A parameter may have a prefix, and a file extension as a suffix.
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
  /// Returns the response of the first matching route; nil if no route matches the path and the
  /// method.
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
