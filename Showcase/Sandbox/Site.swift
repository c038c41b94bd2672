import Foundation
import HTTPTypes

/// One of the look-alikes: it knows what to answer; time, failures and the log are not its matter.
protocol Site: Sendable {
  func answer(_ inquiry: Inquiry) -> Answer
}

/// A request with all that decides about its answer.
struct Inquiry: Sendable {
  let method: HTTPRequest.Method
  /// As it arrived, percent-encoded.
  let path: String
  let query: Query
  let headers: HTTPFields
  /// Bytes of path and query together.
  let size: Int
  /// The sandbox's own base URL.
  let home: String
  /// What the client called the sandbox.
  let host: String?
  /// Whether this one was picked to fail.
  let fails: Bool
  /// The options at the moment of the answer.
  let options: Sandbox.Options
  let now: Date

  /// The base of links in headers: the client's name for us, unless it could break a header apart.
  var base: String {
    guard let host, !host.isEmpty, host.allSatisfy(Self.hostCharacters.contains) else {
      return home
    }
    return "http://\(host)"
  }

  private static let hostCharacters = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_:[]")

  /// The decoded segments of the path; nil when an escape is malformed.
  var segments: [String]? {
    var segments: [String] = []
    for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let text = segment.removingPercentEncoding else { return nil }
      segments.append(text)
    }
    return segments
  }
}
