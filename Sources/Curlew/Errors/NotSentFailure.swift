import Foundation
import HTTPTypes

extension Client {
  /// A failure because the client did not send a request.
  public struct NotSentFailure: Sendable, Hashable {
    /// The reasons why a request is not sent.
    @nonexhaustive public enum Reason: Sendable, Hashable {
      /// The server's rate limit is used up.
      case rateLimit
      /// The server's circuit is open after consecutive failures.
      case circuitOpen
      /// The cache has no response for a call that only uses the cache (``CacheMode/cacheOnly``).
      case notInCache
    }

    /// The request's method and URL, without secrets.
    let request: String
    /// The reason why the request was not sent.
    public let reason: Reason
    /// The time until a request may be sent again.
    public let retryAfter: Duration
  }
}

/// The reasons by which APIs tell a rate limit from another refusal, in bodies and header fields.
enum RateLimitReason {
  /// Parts of GitHub's messages about its secondary limit, the older text last.
  private static let gitHubMessages = ["secondary rate limit", "abuse detection mechanism"]

  /// Parts of messages: of Kong and others, Facebook, API Management of Azure, Django, and Mashery's pages.
  private static let messages =
    gitHubMessages + [
      "rate limit exceeded", "rate limit reached", "request limit reached", "call volume quota",
      "too many requests",
      "was throttled", "developer over qps", "developer over rate",
    ]

  /// Whole codes without separators: of Google, Salesforce and Amazon.
  private static let codes: Set = [
    "quotaexceeded", "dailylimitexceeded", "requestlimitexceeded", "bandwidthlimitexceeded",
    "slowdown",
  ]

  /// Parts of codes: `userRateLimitExceeded` (Google), `RATE_LIMIT_EXCEEDED` (Bitly), `ThrottlingException` (Amazon),
  /// `ERR_403_DEVELOPER_OVER_QPS` (Mashery).
  private static let codeParts = [
    "ratelimit", "throttl", "toomanyrequests", "developeroverqps", "developeroverrate",
  ]

  /// The fields with codes of Amazon's gateways and Mashery.
  private static let fields = ["x-amzn-errortype", "x-mashery-error-code"].compactMap {
    HTTPField.Name($0)
  }

  /// Returns whether a body contains GitHub's message about its secondary limit.
  static func isGitHubs(_ body: Data) -> Bool {
    let message = Client.StatusFailure.message(in: body)?.lowercased() ?? ""
    return gitHubMessages.contains { message.contains($0) }
  }

  /// Returns whether a refusal has a reason that means a rate limit.
  static func isReason(of head: HTTPResponse, _ body: Data) -> Bool {
    if fields.contains(where: { head.headerFields[$0].map { isCode($0) } ?? false }) { return true }
    if let json = try? JSONSerialization.jsonObject(with: body) { return isReason(json) }
    // Amazon's XML has a code, Mashery's pages a message.
    let text = String(decoding: body.prefix(4_096), as: UTF8.self)
    let code = text.split(separator: "<Code>").dropFirst().first?.prefix { $0 != "<" }
    return code.map { isCode($0) } ?? false
      || text.utf8.first == UInt8(ascii: "<") && isMessage(text)
  }

  private static func isReason(_ json: Any, depth: Int = 0) -> Bool {
    guard depth < 5 else { return false }
    if let text = json as? String { return text.contains(" ") ? isMessage(text) : isCode(text) }
    if let list = json as? [Any] {
      return list.prefix(10).contains { isReason($0, depth: depth + 1) }
    }
    return (json as? [String: Any])?.values.contains { isReason($0, depth: depth + 1) } ?? false
  }

  private static func isMessage(_ text: String) -> Bool {
    let text = text.prefix(4_096).lowercased()
    return messages.contains { text.contains($0) }
  }

  /// Returns whether a code means a rate limit; Amazon's may have a namespace before `#`, and a URL after `:`.
  private static func isCode(_ text: some StringProtocol) -> Bool {
    guard text.utf8.count <= 256, !text.hasPrefix("http") else { return false }
    let name = text.prefix { $0 != ":" }.split(separator: "#").last ?? ""
    let code = name.lowercased().filter { $0.isLetter || $0.isNumber }
    return codes.contains(code) || codeParts.contains { code.contains($0) }
  }
}
