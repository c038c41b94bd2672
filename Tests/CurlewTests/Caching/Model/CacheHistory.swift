import Curlew
import HTTPTypes

/// What happens to a cache, one step after the other.
struct CacheHistory: Sendable {
  var settings: Settings
  var steps: [Step]

  struct Settings: Sendable {
    /// Whether a function names the account; otherwise each token has an account of its own.
    var namesAccounts = false
    var usesHeuristics = true
    var maximumOfflineStaleness = 0
    /// The size of the storage; `nil` for one in which everything fits.
    var bytes: Int?
  }

  enum Step: Sendable {
    /// Requests at the same time, and how the origin responds to those that reach it.
    case send([Request], Reply)
    case wait(Int)
    /// Removes what is stored: everything, or that of one account.
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
    /// The client, of those that share the cache.
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

    /// Whether there is a new version of the representation.
    var changes = false
    var status = 200
    var fields = HTTPFields()
    /// Seconds from `Date` to `Expires`.
    var expires: Int?
    /// Seconds by which the origin's clock is ahead; `nil` for no `Date`.
    var skew: Int? = 0
    var etag = Validator.strong
    /// How many seconds ago a new version was made; `nil` for no `Last-Modified`.
    var modified: Int?
    /// What responses vary by from now on; `nil` for what they did.
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
  /// Returns the properties that differ from the default ones, with their values.
  fileprivate static func changes(of value: Any, from usual: Any) -> String {
    zip(Mirror(reflecting: value).children, Mirror(reflecting: usual).children)
      .filter { "\($0.value)" != "\($1.value)" }
      .map { " \($0.0.label ?? ""): \($0.0.value)" }.joined()
  }
}
