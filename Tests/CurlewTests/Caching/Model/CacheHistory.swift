import Curlew
import HTTPTypes

/// A sequence of steps on a cache.
struct CacheHistory: Sendable {
  var settings: Settings
  var steps: [Step]

  struct Settings: Sendable {
    /// Whether a function names the account; otherwise each token has its own account.
    var namesAccounts = false
    var usesHeuristics = true
    var maximumOfflineStaleness = 0
    /// The size of the storage; `nil` for unlimited.
    var bytes: Int?
  }

  enum Step: Sendable {
    /// Concurrent requests, and the origin's responses to the requests that reach it.
    case send([Request], Reply)
    case wait(Int)
    /// Removes the stored responses of one account, or all.
    case purge(String?)
  }

  /// A request of the app.
  struct Request: Sendable, Hashable {
    var url = 0
    /// The account's name and the number of its token, such as `a2`.
    var token: String?
    var method = HTTPRequest.Method.get
    var fields = HTTPFields()
    var mode = CacheMode.standard
    /// The index of the client; all clients share the cache.
    var client = 0
  }

  /// How the origin responds.
  struct Reply: Sendable {
    enum Fault: Sendable {
      /// The connection is lost before the response, or within its body.
      case disconnected, cut
      /// The body ends before the announced length, and the transport does not notice.
      case short
      case status(Int)
    }

    enum Validator: Sendable { case none, weak, strong }

    /// Whether the representation changes.
    var changes = false
    var status = 200
    var fields = HTTPFields()
    /// Seconds from `Date` to `Expires`.
    var expires: Int?
    /// Seconds by which the origin's clock is ahead; `nil` for no `Date` field.
    var skew: Int? = 0
    var etag = Validator.strong
    /// The seconds since the new version's modification; `nil` for no `Last-Modified`.
    var modified: Int?
    /// The fields of `Vary` from now on; `nil` for no change.
    var vary: [String]?
    var fault: Fault?
    /// The time between request and response.
    var delay = 0
    /// Whether conditions and ranges are ignored.
    var ignoresConditions = false
    /// Whether a 304 has no validators.
    var isBare = false
    /// The URLs in `Location` and `Content-Location` of responses to unsafe requests.
    var location: Int?
    var contentLocation: Int?
  }
}

extension CacheHistory: CustomStringConvertible {
  var description: String {
    let steps = steps.enumerated().map { "\($0.offset + 1). \($0.element)" }
    return "\(settings)\n" + steps.joined(separator: "\n")
  }
}

extension CacheHistory.Step: CustomStringConvertible {
  var description: String {
    switch self {
    case .send(let requests, let reply):
      requests.map(\.description).joined(separator: " and ") + " -> \(reply)"
    case .wait(let seconds): "wait \(seconds) s"
    case .purge(let account): "purge \(account ?? "everything")"
    }
  }
}

extension CacheHistory.Request: CustomStringConvertible {
  var description: String { "\(method) /\(url)\(CacheHistory.changes(of: self, from: Self()))" }
}

extension CacheHistory.Reply: CustomStringConvertible {
  var description: String { "\(status)\(CacheHistory.changes(of: self, from: Self()))" }
}

extension CacheHistory {
  /// Returns the properties whose values differ from the defaults.
  fileprivate static func changes(of value: Any, from usual: Any) -> String {
    zip(Mirror(reflecting: value).children, Mirror(reflecting: usual).children)
      .filter { "\($0.value)" != "\($1.value)" }
      .map { " \($0.0.label ?? ""): \($0.0.value)" }.joined()
  }
}
